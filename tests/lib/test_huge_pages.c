/*
 * test_huge_pages.c - memory becomes real with the keys that are in it
 */
#define _GNU_SOURCE /* mincore */
#include <sys/mman.h>
#include <sys/resource.h>

#include "harness.h"

enum { PAGE = 4096, MIB = 1 << 20 };

/* Pages of the filter's block that are resident. */
static size_t resident(const freshet *f)
{
    size_t bytes, pages, n = 0;
    const char *block = freshet_block(f, &bytes);
    unsigned char *is_there;

    pages = (bytes + PAGE - 1) / PAGE;
    is_there = malloc(pages);
    assert_int_equal(mincore((void *)(uintptr_t)block, bytes, is_there), 0);
    for (size_t i = 0; i < pages; i++)
        n += is_there[i] & 1;
    free(is_there);
    return n;
}

/* A kernel that cannot collapse pages gets huge ones from the beginning, and
   where the administrator allows none there are none. */
static void need_huge_pages(void)
{
    FILE *setting = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    char text[64] = "[never]";

    if (setting) {
        assert_non_null(fgets(text, sizeof text, setting));
        fclose(setting);
    }
    if (strstr(text, "[never]") || madvise(NULL, 0, 25) != 0) {
        print_message("no huge pages here, or Linux older than 6.1: skipped\n");
        skip();
    }
}

static void offer_range(freshet *f, uint64_t from, uint64_t to)
{
    for (uint64_t key = from; key < to; key++)
        assert_int_equal(offer(f, key), FRESHET_NEW);
}

static void a_thousand_keys_touch_a_thousand_pages(void **state)
{
    freshet *f;

    (void)state;
    need_huge_pages();
    f = make_filter(.memory = 256 * MIB, .seed = 1);
    assert_in_range(resident(f), 1, 4);
    offer_range(f, 0, 1000);
    assert_in_range(resident(f), 900, 1010);
    freshet_free(f);
}

/* One key in 128 KiB, then 512 KiB for each. */
static void many_keys_make_all_of_it_huge(void **state)
{
    freshet *f;

    (void)state;
    need_huge_pages();
    f = make_filter(.memory = 64 * MIB, .seed = 1);
    offer_range(f, 0, 512);
    assert_in_range(resident(f), 400, 520);
    offer_range(f, 512, 512 + 64);
    assert_in_range(resident(f), 8 * MIB / PAGE, 56 * MIB / PAGE);
    offer_range(f, 512 + 64, 1000);
    assert_int_equal(resident(f), 64 * MIB / PAGE);
    freshet_free(f);
}

static void remembered_keys_count_as_well(void **state)
{
    freshet_hash keys[1000];
    freshet *f;

    (void)state;
    need_huge_pages();
    f = make_filter(.memory = 64 * MIB, .seed = 1);
    for (uint64_t i = 0; i < 1000; i++)
        keys[i] = hash_of(f, i);
    freshet_remember_batch(f, keys, 1000);
    assert_int_equal(resident(f), 64 * MIB / PAGE);
    freshet_free(f);
}

/* One batch, key by key, and in memory of the caller. */
static void pages_change_no_byte(void **state)
{
    enum { KEYS = 20000, BYTES = 3 * MIB };
    freshet *f = make_filter(.memory = BYTES, .seed = 1), *one, *other;
    freshet_hash *keys = malloc(KEYS * sizeof *keys);
    uint8_t *seen = malloc(KEYS);
    void *block = aligned_alloc(64, BYTES);
    size_t bytes;

    (void)state;
    memset(block, 0, BYTES);
    one = make_filter(.memory = BYTES, .seed = 1);
    assert_int_equal(freshet_create_at(&other, block, BYTES,
                                       OPTIONS(.memory = BYTES, .seed = 1),
                                       NULL),
                     FRESHET_OK);
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t key = i * i % 15013;

        keys[i] = hash_of(f, key);
        assert_int_equal(offer(one, key), offer(other, key));
    }
    freshet_offer_batch(f, keys, KEYS, seen);
    assert_memory_equal(freshet_block(f, &bytes), block, BYTES);
    assert_memory_equal(freshet_block(one, &bytes), block, BYTES);
    freshet_free(other);
    freshet_free(one);
    freshet_free(f);
    free(block);
    free(seen);
    free(keys);
}

static void an_emptied_filter_is_zero_and_takes_no_memory(void **state)
{
    freshet *f = make_filter(.memory = 64 * MIB, .seed = 1);
    freshet *fresh = make_filter(.memory = 64 * MIB, .seed = 1);
    size_t bytes;
    const void *empty = freshet_block(fresh, &bytes);

    (void)state;
    offer_range(f, 0, 5000);
    freshet_reset(f);
    assert_in_range(resident(f), 1, 512);
    assert_memory_equal(freshet_block(f, &bytes), empty, bytes);
    offer_range(f, 0, 5000);
    freshet_free(fresh);
    freshet_free(f);
}

/* Offers a thousand keys to an empty filter in this block.  Returns the number
   of page faults. */
static long faults_of_a_thousand_keys(void *block, size_t bytes)
{
    freshet_options options = {.size = sizeof options,
                               .memory = bytes,
                               .seed = 1};
    struct rusage before, after;
    freshet_error err;
    freshet *f;

    assert_int_equal(madvise(block, bytes, MADV_DONTNEED), 0);
    assert_int_equal(freshet_create_at(&f, block, bytes, &options, &err), 0);
    assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    offer_range(f, 0, 1000);
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    freshet_free(f);
    return after.ru_minflt - before.ru_minflt;
}

/* A key that read its page first and then wrote it would take two faults. */
static void a_page_of_the_callers_is_faulted_in_once(void **state)
{
    size_t bytes = 64 * MIB;
    char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(block, MAP_FAILED);
    (void)madvise(block, bytes, MADV_NOHUGEPAGE);
    (void)faults_of_a_thousand_keys(block, bytes); /* a sanitizer has faults of
                                                      its own, once */
    assert_in_range(faults_of_a_thousand_keys(block, bytes), 0, 1300);
    (void)munmap(block, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_keys_touch_a_thousand_pages),
        cmocka_unit_test(many_keys_make_all_of_it_huge),
        cmocka_unit_test(remembered_keys_count_as_well),
        cmocka_unit_test(pages_change_no_byte),
        cmocka_unit_test(an_emptied_filter_is_zero_and_takes_no_memory),
        cmocka_unit_test(a_page_of_the_callers_is_faulted_in_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
