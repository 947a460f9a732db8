/*
 * test_pocket.c - what is true of the pocket filter alone
 *
 * Its parts and code paths are in internal_pocket.c.
 */
#include "harness.h"

/* Keys unique but for a question about the one a gap ago, at each step. */
struct tally {
    uint64_t asked, missed, fresh, dropped;
};

static struct tally plant(freshet *f, uint64_t gap, uint64_t records)
{
    struct tally t = {0};

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
            struct tally t = plant(f, 1, 400000);
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
        struct tally t = plant(f, gap, 2000000);

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
    struct tally t = plant(f, gap, 1600000);

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
            struct tally t = plant(f, gap, 1000000);
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
    struct tally t = plant(f, (uint64_t)reach, 1000000);

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

/* ---- Windows ---------------------------------------------------------- */

static void count_window(uint64_t window)
{
    freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 23,
                             .window = window, .seed = 3);
    uint64_t late = window + window / 8 + 1;

    for (uint64_t key = 0; key < 3 * window + 200; key++) {
        offer(f, key);
        if (key >= window)
            assert_int_equal(query(f, key + 1 - window), FRESHET_SEEN);
        if (key >= late)
            assert_int_equal(query(f, key - late), FRESHET_NEW);
    }
    assert_int_equal(info_of(f).forgotten, 0);
    freshet_free(f);
}

static void a_count_window_ends_between_one_and_nine_eighths(void **state)
{
    (void)state;
    for (uint64_t window = 1; window <= 70; window++)
        count_window(window);
    count_window(999);
    count_window(10000);
    count_window(100003);
}

static void a_short_time_window_is_as_exact(void **state)
{
    (void)state;
    for (uint64_t within = 1; within <= 70; within++) {
        freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 16,
                                 .within = within, .seed = 3);

        for (uint64_t t = 1000; t < 1000 + 4 * within + 20; t++) {
            freshet_tick(f, t);
            offer(f, t);
            if (t >= 1000 + within)
                assert_int_equal(query(f, t - within), FRESHET_SEEN);
            if (t > 1000 + within + within / 8)
                assert_int_equal(query(f, t - within - within / 8 - 1),
                                 FRESHET_NEW);
        }
        freshet_free(f);
    }
}

static void a_repeat_extends_the_window_only_if_asked_to(void **state)
{
    const char *params[] = {"refresh=0", "refresh=1"};

    (void)state;
    for (unsigned refresh = 0; refresh <= 1; refresh++) {
        freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 18,
                                 .window = 800, .params = params[refresh]);
        uint64_t passes = 0;

        /* Key 0 comes every 400 records, for 100 windows. */
        for (uint64_t i = 0; i < 80000; i++) {
            if (i % 400 == 0)
                passes += offer(f, 0) == FRESHET_NEW;
            else
                offer(f, i);
        }
        assert_in_range(passes, refresh ? 1 : 60, refresh ? 1 : 100);
        freshet_free(f);
    }
}

static freshet *timed(uint64_t within)
{
    freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 16,
                             .within = within, .seed = 3);

    freshet_tick(f, 1000000);
    return f;
}

static void a_time_window_ends_between_one_and_nine_eighths(void **state)
{
    freshet *f = timed(800);

    (void)state;
    for (uint64_t t = 1000000; t < 1010000; t++) {
        freshet_tick(f, t);
        offer(f, t);
        if (t >= 1000800)
            assert_int_equal(query(f, t - 800), FRESHET_SEEN);
        if (t >= 1000901)
            assert_int_equal(query(f, t - 901), FRESHET_NEW);
    }
    freshet_free(f);
}

static void an_idle_stream_forgets_when_time_is_told(void **state)
{
    freshet *f = timed(800);

    (void)state;
    offer(f, 1);
    assert_int_equal(query(f, 1), FRESHET_SEEN); /* no tick, no ageing */
    freshet_tick(f, 1000799);
    assert_int_equal(query(f, 1), FRESHET_SEEN);
    freshet_tick(f, 1000901);
    assert_int_equal(query(f, 1), FRESHET_NEW);
    assert_int_equal(info_of(f).used, 0);
    freshet_free(f);
}

static void a_clock_going_back_forgets_nothing(void **state)
{
    freshet *f = timed(800);

    (void)state;
    offer(f, 1);
    freshet_tick(f, 5);
    assert_int_equal(query(f, 1), FRESHET_SEEN);
    assert_int_equal(info_of(f).now, 1000000);
    freshet_tick(f, 1000700);
    assert_int_equal(query(f, 1), FRESHET_SEEN);
    freshet_free(f);
}

static void a_jump_of_many_windows_forgets_everything(void **state)
{
    const uint64_t jump[] = {900,         8 * 65536,   65536 * 100,
                             65535 * 100, 65537 * 100, UINT64_MAX - 2000000};

    (void)state;
    for (size_t i = 0; i < sizeof jump / sizeof *jump; i++) {
        freshet *f = timed(800);

        for (uint64_t key = 0; key < 1000; key++)
            offer(f, key);
        freshet_tick(f, 1000000 + jump[i]);
        for (uint64_t key = 0; key < 1000; key++)
            assert_int_equal(query(f, key), FRESHET_NEW);
        for (uint64_t key = 0; key < 1000; key++)
            assert_int_equal(offer(f, key), FRESHET_NEW);
        freshet_free(f);
    }
}

/* Lines keep 16 bits of the generation: an untouched line must not revive. */
static void generations_may_wrap_around(void **state)
{
    freshet *f = timed(8);

    (void)state;
    for (uint64_t key = 0; key < 500; key++)
        offer(f, key);
    for (uint64_t t = 1000001; t < 1000000 + 70000; t++) {
        freshet_tick(f, t);
        if (t > 1000009)
            assert_int_equal(query(f, t % 500), FRESHET_NEW);
    }
    freshet_free(f);
}

static void a_window_too_large_is_confessed(void **state)
{
    freshet *f = make_filter(.algorithm = "pocket", .memory = 1 << 16,
                             .window = 1000000, .seed = 3);
    double reach = expect_of(f, (freshet_workload){.gap = 1}).reach;

    (void)state;
    assert_true(reach < 20000);
    for (uint64_t key = 0; key < 200000; key++)
        offer(f, key);
    assert_in_range(info_of(f).forgotten, 170000, 199000);
    freshet_free(f);
}

/* An expired line is as good as new: full width again. */
static void an_expired_line_starts_over_at_full_width(void **state)
{
    freshet *f = timed(800);

    (void)state;
    for (uint64_t key = 0; key < 100000; key++)
        offer(f, key);
    assert_true(info_of(f).false_drop > 1e-8);
    freshet_tick(f, 2000000);
    for (uint64_t key = 0; key < 1000; key++)
        offer(f, key);
    assert_true(info_of(f).false_drop < 1e-15);
    freshet_free(f);
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

static void merged_slots_keep_their_age(void **state)
{
    freshet *f = timed(800), *g = timed(800);

    (void)state;
    for (uint64_t key = 0; key < 100; key++)
        offer(f, key);
    freshet_tick(g, 1000400);
    for (uint64_t key = 0; key < 100; key++)
        offer(g, key + 100);
    freshet_tick(g, 1000500);
    assert_int_equal(freshet_merge(f, g, NULL), FRESHET_OK);
    assert_int_equal(info_of(f).now, 1000500);
    freshet_tick(f, 1000800);
    for (uint64_t key = 0; key < 200; key++)
        assert_int_equal(query(f, key), FRESHET_SEEN);
    freshet_tick(f, 1000901);
    for (uint64_t key = 0; key < 200; key++)
        assert_int_equal(query(f, key), key < 100 ? FRESHET_NEW : FRESHET_SEEN);
    /* The other way round: the other's clock is behind. */
    freshet_tick(f, 1001000);
    assert_int_equal(freshet_merge(f, g, NULL), FRESHET_OK);
    freshet_tick(f, 1001200);
    assert_int_equal(query(f, 150), FRESHET_SEEN);
    freshet_tick(f, 1001301);
    assert_int_equal(query(f, 150), FRESHET_NEW);
    freshet_free(f);
    freshet_free(g);
}

/* ---- Parameters ------------------------------------------------------- */

static void width_follows_the_wanted_rate(void **state)
{
    const struct {
        double wanted;
        const char *params;
    } row[] = {{0.1, "width=10,"},   {0.01, "width=13,"}, {0.001, "width=16,"},
               {1e-6, "width=26,"},  {1e-9, "width=35,"}, {1e-12, "width=45,"},
               {1e-300, "width=64,"}};

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
        cmocka_unit_test(a_count_window_ends_between_one_and_nine_eighths),
        cmocka_unit_test(a_short_time_window_is_as_exact),
        cmocka_unit_test(a_repeat_extends_the_window_only_if_asked_to),
        cmocka_unit_test(a_time_window_ends_between_one_and_nine_eighths),
        cmocka_unit_test(an_idle_stream_forgets_when_time_is_told),
        cmocka_unit_test(a_clock_going_back_forgets_nothing),
        cmocka_unit_test(a_jump_of_many_windows_forgets_everything),
        cmocka_unit_test(generations_may_wrap_around),
        cmocka_unit_test(a_window_too_large_is_confessed),
        cmocka_unit_test(an_expired_line_starts_over_at_full_width),
        cmocka_unit_test(forgetting_the_last_key_undoes_it),
        cmocka_unit_test(forgotten_slots_are_used_again_before_narrowing),
        cmocka_unit_test(merged_lines_hold_what_both_held),
        cmocka_unit_test(merging_a_twin_or_itself_changes_nothing),
        cmocka_unit_test(merged_slots_keep_their_age),
        cmocka_unit_test(width_follows_the_wanted_rate),
        cmocka_unit_test(impossible_widths_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
