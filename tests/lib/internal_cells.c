/*
 * internal_cells.c - packed counters, against an array of plain ones
 */
#include "harness.h"
#include "parts/cells.h"

enum { CELLS = 1001 };

static void packed_cells_are_as_good_as_plain_ones(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (unsigned bits = 1; bits <= 8; bits = bits == 2   ? 3
                                              : bits == 3 ? 4
                                                          : 2 * bits) {
        uint64_t words[CELLS * 8 / 64 + 2] = {0};
        unsigned plain[CELLS] = {0}, most = (1u << bits) - 1;

        for (int step = 0; step < 20000; step++) {
            size_t i = roll(&random) % CELLS;
            unsigned value = (unsigned)roll(&random) & most;

            if (step % 3 == 0) {
                fr_cell_set(words, i, bits, value);
                plain[i] = value;
            } else if (step % 3 == 1) {
                fr_cell_decrement(words, i, bits);
                plain[i] -= plain[i] > 0;
            } else if (value == 0) {
                fr_cell_fill(words, i, bits);
                plain[i] = most;
            }
            assert_int_equal(fr_cell_get(words, i, bits), plain[i]);
        }
        for (size_t i = 0; i < CELLS; i++)
            assert_int_equal(fr_cell_get(words, i, bits), plain[i]);
    }
}

static void a_run_wanes_as_its_cells_one_by_one(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (unsigned bits = 1; bits <= 8; bits = bits == 2   ? 3
                                              : bits == 3 ? 4
                                                          : 2 * bits)
        for (int round = 0; round < 500; round++) {
            uint64_t run[CELLS * 8 / 64 + 2], one[CELLS * 8 / 64 + 2];
            uint64_t from = roll(&random) % CELLS;
            uint64_t n = roll(&random) % (CELLS - from + 1);

            for (size_t i = 0; i < sizeof run / sizeof *run; i++)
                run[i] = roll(&random) & roll(&random);
            memcpy(one, run, sizeof run);
            fr_cells_decrement(run, from, n, bits);
            for (uint64_t i = from; i < from + n; i++)
                fr_cell_decrement(one, i, bits);
            assert_memory_equal(run, one, sizeof run);
        }
}

static void used_cells_are_counted(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (unsigned bits = 1; bits <= 8; bits = bits == 2   ? 3
                                              : bits == 3 ? 4
                                                          : 2 * bits) {
        uint64_t words[CELLS * 8 / 64 + 2] = {0}, used = 0;

        for (size_t i = 0; i < CELLS; i++) {
            unsigned value =
                (unsigned)(roll(&random) & roll(&random)) & ((1u << bits) - 1);

            fr_cell_set(words, i, bits, value);
            used += value != 0;
            assert_int_equal(fr_cells_used(words, i + 1, bits), used);
        }
        assert_int_equal(fr_cells_used(words, 0, bits), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_cells_are_as_good_as_plain_ones),
        cmocka_unit_test(a_run_wanes_as_its_cells_one_by_one),
        cmocka_unit_test(used_cells_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
