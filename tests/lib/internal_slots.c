/*
 * internal_slots.c - packed arrays, at every width and at their ends
 */
#include <sys/mman.h>

#include "harness.h"
#include "parts/fingerprint_rows.h"
#include "parts/slots.h"

enum { N = 300 };

static void slots_of_every_width_keep_their_values(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (unsigned width = 1; width <= FR_SLOT_BITS; width++) {
        /* Of the exact size, so that one byte too far is noticed. */
        uint64_t *words = calloc(fr_slots_words(N, width), 8), plain[N] = {0};

        assert_non_null(words);
        for (int i = 0; i < 20 * N; i++) {
            uint64_t at = roll(&random) % N;

            plain[at] = roll(&random) & fr_slot_max(width);
            fr_slot_set(words, at, width, plain[at]);
        }
        for (uint64_t i = 0; i < N; i++)
            assert_int_equal(fr_slot_get(words, i, width), plain[i]);
        free(words);
    }
}

static void a_full_slot_leaves_its_neighbours_alone(void **state)
{
    (void)state;
    for (unsigned width = 1; width <= FR_SLOT_BITS; width++) {
        uint64_t *words = calloc(fr_slots_words(N, width), 8);

        assert_non_null(words);
        for (uint64_t i = 0; i < N; i++) {
            fr_slot_set(words, i, width, fr_slot_max(width));
            assert_int_equal(fr_slots_used(words, N, width), 1);
            assert_int_equal(fr_slot_get(words, i, width), fr_slot_max(width));
            fr_slot_set(words, i, width, 0);
        }
        assert_int_equal(fr_slots_used(words, N, width), 0);
        free(words);
    }
}

static void as_many_slots_fit_as_words_are_asked_for(void **state)
{
    (void)state;
    for (unsigned width = 1; width <= FR_SLOT_BITS; width++)
        for (uint64_t words = 1; words < 100; words++) {
            uint64_t n = fr_slots_fit(words, width);

            assert_in_range(fr_slots_words(n, width), 1, words);
            assert_true(fr_slots_words(n + 1, width) > words);
            assert_true(n * width <= words * 64);
        }
}

static void the_width_of_a_value_is_the_least_that_holds_it(void **state)
{
    (void)state;
    assert_int_equal(fr_slot_width(0), 1);
    for (unsigned width = 1; width < FR_SLOT_BITS; width++) {
        assert_int_equal(fr_slot_width(fr_slot_max(width)), width);
        assert_int_equal(fr_slot_width(fr_slot_max(width) + 1), width + 1);
    }
}

/* Address space only: a few pages of it are ever touched. */
static void indices_beyond_32_bits_work(void **state)
{
    const uint64_t n = (UINT64_C(1) << 32) + 1000;
    const unsigned width = 5;
    size_t bytes = fr_slots_words(n, width) * 8;
    uint64_t *words = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)state;
    if (words == MAP_FAILED)
        skip();
    for (uint64_t i = 0; i < 100; i++) {
        fr_slot_set(words, i, width, 1);
        fr_slot_set(words, (UINT64_C(1) << 32) + i, width, 2 + i % 30);
        fr_slot_set(words, n - 1 - i, width, 31);
    }
    for (uint64_t i = 0; i < 100; i++) {
        assert_int_equal(fr_slot_get(words, i, width), 1);
        assert_int_equal(fr_slot_get(words, (UINT64_C(1) << 32) + i, width),
                         2 + i % 30);
        assert_int_equal(fr_slot_get(words, n - 1 - i, width), 31);
    }
    munmap(words, bytes);
}

/* The largest block: its sizes, without its memory. */
static void sizes_do_not_overflow_at_the_ceiling(void **state)
{
    const uint64_t words = UINT64_C(1) << 45; /* 2^48 bytes */

    (void)state;
    for (unsigned width = 1; width <= FR_SLOT_BITS; width++) {
        uint64_t n = fr_slots_fit(words, width);

        assert_in_range(fr_slots_words(n, width), words - 1, words);
        assert_int_equal((n - 1) * width / 8 + 8 <= words * 8, 1);
    }
}

/* The bits of all slots exceed 2^64 here, and modulo 2^64 they are the size of
   the block. */
static void rows_that_do_not_fit_are_refused(void **state)
{
    struct fr_rows r = {.rows = UINT64_C(316051723952560),
                        .k = FR_LONG_ROW,
                        .width = FR_SLOT_BITS};
    size_t bytes = (UINT64_C(1) << 46) + 6144;

    (void)state;
    assert_int_equal(fr_rows_bytes(&r), bytes);
    assert_false(fr_rows_check_most(&r, bytes, FR_LONG_ROW));
    for (unsigned width = 1; width <= FR_SLOT_BITS; width++)
        for (uint32_t k = 1; k <= FR_LONG_ROW; k *= 2)
            for (bytes = 64; bytes < 2000; bytes += 8) {
                r = (struct fr_rows){.k = k, .width = width};
                fr_rows_fit(&r, bytes, 1);
                assert_true(
                    fr_rows_check_most(&r, fr_rows_bytes(&r), FR_LONG_ROW));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_of_every_width_keep_their_values),
        cmocka_unit_test(a_full_slot_leaves_its_neighbours_alone),
        cmocka_unit_test(as_many_slots_fit_as_words_are_asked_for),
        cmocka_unit_test(the_width_of_a_value_is_the_least_that_holds_it),
        cmocka_unit_test(indices_beyond_32_bits_work),
        cmocka_unit_test(sizes_do_not_overflow_at_the_ceiling),
        cmocka_unit_test(rows_that_do_not_fit_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
