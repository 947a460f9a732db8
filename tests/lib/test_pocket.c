/*
 * test_pocket.c - what is true of the pocket filter alone
 *
 * Its parts and code paths are in internal_pocket.c.
 */
#include "harness.h"

/* Keys unique but for a question about the one a gap ago, at each step. */
struct error_count {
    uint64_t asked, missed, fresh, dropped;
};

static struct error_count plant(freshet *f, uint64_t gap, uint64_t records)
{
    struct error_count t = {0};

    for (uint64_t key = 0; key < records; key++) {
        int seen = offer(f, key);

        if (key < records / 2) /* steady by then */
            continue;
        t.fresh++;
        t.dropped += seen == FRESHET_SEEN;
        t.asked++;
        t.missed += query(f, key - gap) == FRESHET_NEW;
    }
    return t;
}

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

static void false_drops_stay_within_the_wanted_rate(void **state)
{
    const double wanted[] = {0.1, 0.01, 0.001};

    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (unsigned choices = 1; choices <= 2; choices++) {
            freshet *f =
                make_filter(.algorithm = "pocket", .memory = 1 << 16, .seed = 3,
                            .false_drop_rate = wanted[i],
                            .params = choices == 1 ? "choices=1" : "choices=2");
            struct error_count t = plant(f, 1, 400000);
            double expected =
                expect_of(f, (freshet_workload){.gap = 1}).false_drop;

            assert_true(expected <= wanted[i]);
            assert_rate(t.dropped, t.fresh, expected, 0.03);
            assert_near(info_of(f).false_drop, expected, expected * 0.03);
            assert_int_equal(t.missed, 0);
            freshet_free(f);
        }
}

/* The rows of our accuracy table, at the size of a test. */
static void false_passes_are_rare_inside_the_window(void **state)
{
    const struct {
        double wanted, bits;
    } row[] = {{0.01, 17}, {0.001, 23}, {1e-6, 80}, {1e-6, 45}};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const uint64_t memory = 1 << 18;
        uint64_t gap = (uint64_t)((double)memory * 8 / row[i].bits);
        freshet *f = make_filter(.algorithm = "pocket", .memory = memory,
                                 .false_drop_rate = row[i].wanted, .seed = 3);
        struct error_count t = plant(f, gap, 2000000);

        assert_true((double)t.dropped <= 1.1 * row[i].wanted * 1e6);
        assert_true(t.missed <= 50);
        freshet_free(f);
    }
}

static void with_one_choice_losses_are_poisson(void **state)
{
    freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 18,
                             .params = "choices=1,width=16", .seed = 3);
    const uint64_t gap = 4096 * 22;
    struct error_count t = plant(f, gap, 1600000);

    (void)state;
    assert_rate(t.missed, t.asked,
                expect_of(f, (freshet_workload){.gap = gap}).false_pass, 0.1);
    freshet_free(f);
}

/* One constant is fitted: within a factor of 1.5 where it matters. */
static void with_two_choices_losses_follow_the_fit(void **state)
{
    const char *params[] = {"width=12", "width=13", "width=16",
                            "width=26", "width=32", "width=64"};
    const unsigned slots[] = {41, 38, 31, 19, 15, 7};

    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (unsigned spare = 3; spare <= 5; spare++) {
            freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 18,
                                     .params = params[i], .seed = 3);
            uint64_t gap = (uint64_t)(slots[i] - spare) * 4032;
            struct error_count t = plant(f, gap, 1000000);
            double rate = (double)t.missed / (double)t.asked;
            double expected =
                expect_of(f, (freshet_workload){.gap = gap}).false_pass;

            if (!(rate < expected * 1.5 && rate > expected / 1.5))
                fail_msg("%s, %u to spare: %g, expected %g", params[i], spare,
                         rate, expected);
            freshet_free(f);
        }
}

static void reach_is_where_one_in_a_thousand_is_lost(void **state)
{
    freshet *f =
        make_filter(.algorithm = "pocket", .memory = 1 << 18, .seed = 3);
    double reach = expect_of(f, (freshet_workload){.gap = 1}).reach;
    struct error_count t = plant(f, (uint64_t)reach, 1000000);

    (void)state;
    assert_in_range(t.missed, t.asked / 5000, t.asked / 300);
    freshet_free(f);
}

/* A falsely dropped key lives on what it was mistaken for. */
static void refresh_keeps_what_was_falsely_dropped(void **state)
{
    uint64_t missed[2];

    (void)state;
    for (unsigned refresh = 0; refresh <= 1; refresh++) {
        freshet *f =
            make_filter(.algorithm = "pocket", .memory = 1 << 18, .seed = 3,
                        .params = refresh ? "width=13" : "width=13,refresh=0");

        missed[refresh] = plant(f, 60000, 1000000).missed;
        freshet_free(f);
    }
    assert_true(missed[0] > 1000);
    assert_true(missed[1] < 10);
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
        cmocka_unit_test(false_drops_stay_within_the_wanted_rate),
        cmocka_unit_test(false_passes_are_rare_inside_the_window),
        cmocka_unit_test(with_one_choice_losses_are_poisson),
        cmocka_unit_test(with_two_choices_losses_follow_the_fit),
        cmocka_unit_test(reach_is_where_one_in_a_thousand_is_lost),
        cmocka_unit_test(refresh_keeps_what_was_falsely_dropped),
        cmocka_unit_test(forgetting_the_last_key_undoes_it),
        cmocka_unit_test(forgotten_slots_are_used_again_before_narrowing),
        cmocka_unit_test(merged_lines_hold_what_both_held),
        cmocka_unit_test(merging_a_twin_or_itself_changes_nothing),
        cmocka_unit_test(width_follows_the_wanted_rate),
        cmocka_unit_test(impossible_widths_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
