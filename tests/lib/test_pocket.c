/*
 * test_pocket.c - what is true of the pocket filter alone
 *
 * Its parts and code paths are in internal_pocket.c, its rates in
 * test_pocket_rates.c.
 */
#include "harness.h"

static void it_is_exact_while_memory_suffices(void **state)
{
    const double wanted[] = {0.1, 1e-3, 1e-6, 1e-12};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const uint64_t keys = 40000;
        freshet *f = make_filter(.algorithm = "pocket", .memory = keys * 16,
                                 .false_drop_rate = wanted[i], .seed = 3);

        for (uint64_t key = 0; key < keys; key++)
            assert_int_equal(offer(f, key), FRESHET_NEW);
        for (uint64_t key = 0; key < keys; key++)
            assert_int_equal(offer(f, key), FRESHET_SEEN);
        assert_int_equal(info_of(f).used, keys);
        assert_int_equal(info_of(f).forgotten, 0);
        freshet_free(f);
    }
}

/* ---- Taking back ------------------------------------------------------ */

static void forgetting_the_last_key_undoes_it(void **state)
{
    const uint64_t window[] = {0, 100000};

    (void)state;
    for (size_t w = 0; w < 2; w++) {
        freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 16,
                                 .window = window[w], .seed = 3);
        freshet *g = make_filter(.algorithm = "pocket", .memory = 1 << 16,
                                 .window = window[w], .seed = 3);

        for (uint64_t key = 0; key < 9000; key++) {
            uint64_t undone = key + 1000000;

            assert_int_equal(offer(f, key), offer(g, key));
            if (offer(f, undone) == FRESHET_NEW)
                assert_int_equal(freshet_forget(f, &undone, sizeof undone), 1);
            assert_int_equal(query(f, undone), FRESHET_NEW);
        }
        for (uint64_t key = 8000; key < 9000; key++)
            assert_int_equal(query(f, key), FRESHET_SEEN);
        freshet_free(f);
        freshet_free(g);
    }
}

static void forgotten_slots_are_used_again_before_narrowing(void **state)
{
    freshet *f =
        make_filter(.algorithm = "pocket", .memory = 1 << 14, .seed = 3);

    (void)state;
    for (uint64_t key = 0; key < 100000; key++) {
        offer(f, key);
        assert_int_equal(freshet_forget(f, &key, sizeof key), 1);
    }
    for (uint64_t key = 0; key < 1000; key++)
        assert_int_equal(offer(f, key), FRESHET_NEW);
    assert_int_equal(info_of(f).used, 1000);
    assert_int_equal(info_of(f).forgotten, 0);
    freshet_free(f);
}

/* ---- Merging ---------------------------------------------------------- */

static void merged_lines_hold_what_both_held(void **state)
{
    /* Up to the last width, and beyond what the lines can hold. */
    const uint64_t keys[] = {500, 3000, 7000, 12000};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        freshet *f =
            make_filter(.algorithm = "pocket", .memory = 1 << 16, .seed = 3);
        freshet *g =
            make_filter(.algorithm = "pocket", .memory = 1 << 16, .seed = 3);
        uint64_t missing = 0;

        for (uint64_t key = 0; key < keys[i]; key++) {
            offer(f, key);
            offer(g, key + keys[i] / 2); /* half of them in both */
        }
        assert_int_equal(freshet_merge(f, g, NULL), FRESHET_OK);
        for (uint64_t key = 0; key < keys[i] * 3 / 2; key++)
            missing += query(f, key) == FRESHET_NEW;
        assert_true(i == 3 || missing == 0);
        /* A key in both may lie in one line here, in its other there. */
        assert_in_range(info_of(f).used, keys[i] * 3 / 2 - missing,
                        keys[i] * 2);
        assert_in_range(info_of(f).forgotten, missing, keys[i] / 2);
        assert_true(i == 3 || info_of(f).forgotten == 0);
        for (uint64_t key = 100000; key < 130000; key++)
            offer(f, key); /* and it goes on working */
        assert_int_equal(query(f, 129999), FRESHET_SEEN);
        freshet_free(f);
        freshet_free(g);
    }
}

static void merging_a_twin_or_itself_changes_nothing(void **state)
{
    freshet *f =
        make_filter(.algorithm = "pocket", .memory = 1 << 16, .seed = 3);
    struct copy twin;

    (void)state;
    for (uint64_t key = 0; key < 3000; key++)
        offer(f, key);
    twin = copy_of(f);
    assert_int_equal(freshet_merge(f, f, NULL), FRESHET_OK);
    assert_same_block(f, twin.filter);
    assert_int_equal(freshet_merge(f, twin.filter, NULL), FRESHET_OK);
    assert_int_equal(info_of(f).used, 3000);
    assert_int_equal(info_of(f).forgotten, 0);
    freshet_free(f);
    release(&twin);
}

/* ---- Parameters ------------------------------------------------------- */

static void width_follows_the_wanted_rate(void **state)
{
    const struct {
        double wanted;
        const char *params;
    } row[] = {{0.1, "width=10,"},    {0.01, "width=13,"}, {0.001, "width=16,"},
               {1e-6, "width=26,"},   {1e-9, "width=35,"}, {1e-12, "width=45,"},
               {8.7e-19, "width=64,"}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 16,
                                 .false_drop_rate = row[i].wanted);

        assert_memory_equal(info_of(f).params, row[i].params,
                            strlen(row[i].params));
        freshet_free(f);
    }
}

static void impossible_widths_are_refused(void **state)
{
    const char *params[] = {"width=7", "width=57", "width=63"};
    freshet_error err;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(try_filter(&err, .algorithm = "pocket",
                                    .memory = 1 << 16, .params = params[i]),
                         FRESHET_ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_exact_while_memory_suffices),
        cmocka_unit_test(forgetting_the_last_key_undoes_it),
        cmocka_unit_test(forgotten_slots_are_used_again_before_narrowing),
        cmocka_unit_test(merged_lines_hold_what_both_held),
        cmocka_unit_test(merging_a_twin_or_itself_changes_nothing),
        cmocka_unit_test(width_follows_the_wanted_rate),
        cmocka_unit_test(impossible_widths_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
