/*
 * test_widths.c - filters of far more than 2^32 cells
 *
 * A sparse mapping costs only the pages that keys touch.  A position squeezed
 * through 32 bits somewhere would keep to the first part of the block, so the
 * pages that were touched are looked at, too.
 */
#include <sys/mman.h>

#include "harness.h"

enum { KEYS = 3000, PAGE = 4096 };

static const size_t room = (size_t)16 << 30;
static const size_t narrow = (size_t)1 << 29; /* bytes of 2^32 bits */

/* No huge pages: each of them would make two megabytes of one touch. */
static void *reserve(void)
{
    void *at = mmap(NULL, room, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return NULL;
    madvise(at, room, MADV_NOHUGEPAGE);
    return at;
}

struct pages {
    size_t touched, far; /* far: behind the first 2^32 bits */
};

static struct pages pages_of(void *block, size_t bytes)
{
    static unsigned char present[((size_t)16 << 30) / PAGE];
    struct pages p = {0};

    assert_int_equal(mincore(block, bytes, present), 0);
    for (size_t i = 0; i < (bytes + PAGE - 1) / PAGE; i++) {
        p.touched += present[i] & 1;
        p.far += present[i] & 1 && i > narrow / PAGE;
    }
    return p;
}

static void more_than_32_bits_of_cells_work(void **state)
{
    const char *name = *state;
    void *block = reserve();
    struct pages pages;
    freshet_error err;
    freshet *f;
    size_t bytes, seen = 0, fresh = 0;

    if (!block)
        skip();
    if (freshet_create_at(&f, block, room,
                          OPTIONS(.algorithm = name, .memory = room,
                                  .false_drop_rate = 0.01, .seed = 7),
                          &err) < 0)
        fail_msg("%s: %s", name, err.message);
    for (uint64_t key = 0; key < KEYS; key++)
        fresh += offer(f, key) == FRESHET_NEW;
    for (uint64_t key = 0; key < KEYS; key++)
        seen += query(f, key) == FRESHET_SEEN;
    assert_in_range(fresh, KEYS * 9 / 10, KEYS);
    assert_in_range(seen, KEYS * 9 / 10, KEYS);

    freshet_block(f, &bytes);
    pages = pages_of(block, bytes);
    if (bytes > 4 * narrow && pages.far <= pages.touched / 2)
        fail_msg("%zu pages touched, only %zu of them far", pages.touched,
                 pages.far);
    assert_in_range(pages.touched, 1, ((size_t)200 << 20) / PAGE);
    freshet_free(f);
    munmap(block, room);
}

int main(void)
{
    const freshet_algorithm *a;
    int failed = 0;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(more_than_32_bits_of_cells_work,
                                      (void *)(uintptr_t)a->name),
        };

        failed += cmocka_run_group_tests_name(a->name, tests, NULL, NULL);
    }
    return failed != 0;
}
