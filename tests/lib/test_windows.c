/*
 * test_windows.c - what is true of the Bloom filters with a window
 *
 * Distances count records: the one before is at distance 1.
 */
#include "harness.h"

/* The filters that promise a window of records. */
static const char *const windowed[] = {"jumping", "sliding", "double", "a2",
                                       "apbf"};
enum { WINDOWED = sizeof windowed / sizeof *windowed };

/* Of new keys asked for again at a distance, how many are new again? */
static uint64_t missed_at(freshet *f, uint64_t distance, uint64_t keys)
{
    uint64_t missed = 0;

    freshet_reset(f);
    for (uint64_t key = 0; key < distance + keys; key++) {
        if (key >= distance)
            missed += query(f, key - distance) == FRESHET_NEW;
        offer(f, key);
    }
    return missed;
}

static freshet *make_window(const char *name, const char *params,
                            uint64_t window)
{
    return make_filter(.algorithm = name, .params = params, .memory = 1 << 16,
                       .window = window, .seed = 3);
}

/* ---- Record windows --------------------------------------------------- */

static void no_repeat_inside_the_window_passes(void **state)
{
    const uint64_t windows[] = {1, 2, 3, 7, 64, 500, 1001};

    (void)state;
    for (size_t i = 0; i < WINDOWED; i++)
        for (size_t w = 0; w < 7; w++) {
            freshet *f = make_window(windowed[i], "", windows[w]);

            assert_int_equal(missed_at(f, 1, 3000), 0);
            assert_int_equal(missed_at(f, (windows[w] + 1) / 2, 3000), 0);
            assert_int_equal(missed_at(f, windows[w], 3000), 0);
            assert_int_equal(info_of(f).forgotten, 0);
            freshet_free(f);
        }
}

/* A window that fits as it is, too. */
static void the_reach_of_a_filter_is_its_window(void **state)
{
    (void)state;
    for (size_t i = 0; i < WINDOWED; i++) {
        freshet *f = make_filter(.algorithm = windowed[i], .memory = 1 << 14,
                                 .false_drop_rate = 0.01, .seed = 3);
        double reach = expect_of(f, (freshet_workload){0}).reach;

        assert_true(reach > 500);
        assert_int_equal(missed_at(f, (uint64_t)reach, 20000), 0);
        assert_int_not_equal(missed_at(f, 3 * (uint64_t)reach, 20000), 0);
        assert_true(info_of(f).forgotten == FRESHET_UNKNOWN);
        freshet_free(f);
    }
}

/* A falsely dropped key is not stored by add=new, and lost. */
static void only_add_new_has_false_passes_inside_the_window(void **state)
{
    const char *const adding[] = {"jumping", "sliding", "apbf"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        freshet_options o = {.size = sizeof o,
                             .algorithm = adding[i],
                             .memory = 1 << 13,
                             .false_drop_rate = 0.1,
                             .seed = 3};
        freshet *always = make_filter_(&o), *once;
        freshet_rates r = expect_of(always, (freshet_workload){0});
        uint64_t near = (uint64_t)(r.reach / 2);

        o.params = "add=new";
        once = make_filter_(&o);
        assert_near(r.false_pass, 0, 0);
        assert_int_equal(missed_at(always, near, 20000), 0);
        assert_in_range(missed_at(once, near, 20000), 1, 2000);
        r = expect_of(once, (freshet_workload){0});
        assert_true(isnan(r.false_pass) && isnan(r.reach));
        freshet_free(always);
        freshet_free(once);
    }
}

static void a_sliding_window_is_exact(void **state)
{
    const uint64_t windows[] = {1, 2, 7, 100, 1000};
    const char *const params[] = {"", "slack=0.01", "slack=16"};

    (void)state;
    for (size_t w = 0; w < 5; w++)
        for (size_t p = 0; p < 3; p++) {
            freshet *f = make_window("sliding", params[p], windows[w]);

            assert_int_equal(missed_at(f, windows[w], 10000), 0);
            assert_int_equal(missed_at(f, windows[w] + 1, 10000), 10000);
            freshet_free(f);
        }
}

/*
 * Nothing stale comes back when the stamps wrap, after 4095 records, be the
 * memory so short that the hand has to run.
 */
static void a_sliding_window_forgets_for_good(void **state)
{
    freshet *f = make_filter(.algorithm = "sliding", .memory = 1 << 15,
                             .params = "slack=0.02", .window = 4000,
                             .false_drop_rate = 0.001, .seed = 3);
    double drop = expect_of(f, (freshet_workload){0}).false_drop;

    (void)state;
    for (uint64_t distance = 4001; distance < 9000; distance += 499)
        assert_rate(missed_at(f, distance, 1000), 1000, 1 - drop, 0);
    freshet_free(f);
}

static void a_jumping_window_is_late_by_a_sub_window_at_most(void **state)
{
    const unsigned parts[] = {1, 2, 3, 8, 31, 63};

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        uint64_t part = 20, window = part * parts[i];
        char params[8];
        freshet *f;

        snprintf(params, sizeof params, "q=%u", parts[i]);
        f = make_window("jumping", params, window);
        assert_int_equal(missed_at(f, window, 5000), 0);
        assert_int_equal(missed_at(f, window + part / 2, 5000), 2500);
        assert_int_equal(missed_at(f, window + part, 5000), 5000);
        freshet_free(f);
    }
}

static void halves_forget_after_two_windows(void **state)
{
    const char *const names[] = {"double", "a2"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        freshet *f = make_window(names[i], "", 300);

        assert_int_equal(missed_at(f, 300, 6000), 0);
        assert_int_equal(missed_at(f, 400, 6000), 2000);
        assert_int_equal(missed_at(f, 600, 6000), 6000);
        freshet_free(f);
    }
}

/* After the window each generation keeps about half of the one before. */
static void an_age_partitioned_filter_fades(void **state)
{
    freshet *f =
        make_filter(.algorithm = "apbf", .memory = 1 << 14,
                    .params = "k=10,l=7", .false_drop_rate = 0.001, .seed = 3);
    uint64_t reach = (uint64_t)expect_of(f, (freshet_workload){0}).reach;
    uint64_t before = 20000;

    (void)state;
    for (uint64_t later = 1; later <= 3; later++) {
        uint64_t gap = reach + later * reach / 7 - 1;
        double pass = expect_of(f, (freshet_workload){.gap = gap}).false_pass;
        uint64_t missed = missed_at(f, gap + 1, 20000);

        assert_rate(missed, 20000, pass, 0.03);
        assert_in_range(20000 - missed, before / 3, before * 2 / 3);
        before = 20000 - missed;
    }
    freshet_free(f);
}

static void a_landmark_forgets_all_at_once(void **state)
{
    freshet *f = make_filter(.algorithm = "landmark", .memory = 1 << 15,
                             .params = "period=100", .seed = 3);

    (void)state;
    for (uint64_t key = 0; key < 1000; key++) {
        for (uint64_t old = key < 150 ? 0 : key - 150; old < key; old++)
            assert_int_equal(query(f, old), old / 100 == key / 100);
        assert_int_equal(offer(f, key), FRESHET_NEW);
    }
    assert_int_equal(info_of(f).used, 0);
    freshet_free(f);
}

/* Two repeats are two records: they push older ones out. */
static void a_window_counts_repeats(void **state)
{
    (void)state;
    for (size_t i = 0; i < WINDOWED; i++) {
        freshet *f = make_window(windowed[i], "", 50);

        offer(f, 1);
        for (int n = 0; n < 300; n++)
            offer(f, 2);
        assert_int_equal(query(f, 1), FRESHET_NEW);
        assert_int_equal(query(f, 2), FRESHET_SEEN);
        freshet_free(f);
    }
}

/* With add=new the window runs from when a key was let through. */
static void an_endless_repeat_is_let_through_once_a_window(void **state)
{
    const char *const adding[] = {"jumping", "sliding"};

    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (int once = 0; once < 2; once++) {
            freshet *f =
                make_window(adding[i], once ? "add=new" : "add=always", 100);
            uint64_t fresh = 0, key = 1;

            for (int n = 0; n < 60; n++) {
                fresh += offer(f, 0) == FRESHET_NEW;
                for (int between = 0; between < 59; between++)
                    offer(f, key++);
            }
            assert_int_equal(fresh, once ? 30 : 1);
            freshet_free(f);
        }
}

static void a_window_too_long_is_honoured_and_the_price_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < WINDOWED; i++) {
        freshet *f = make_filter(.algorithm = windowed[i], .memory = 4096,
                                 .window = 5000, .seed = 3);
        freshet_rates r = expect_of(f, (freshet_workload){0});

        assert_true(r.reach >= 5000);
        assert_true(r.false_drop > 0.01);
        assert_int_equal(missed_at(f, 5000, 5000), 0);
        assert_true(info_of(f).false_drop > 0.01);
        freshet_free(f);
    }
}

/* ---- Rates ------------------------------------------------------------ */

static freshet *make_crowded(const char *name)
{
    return make_filter(.algorithm = name, .memory = 1 << 13,
                       .false_drop_rate = 0.02, .seed = 3);
}

static void false_drops_settle_where_theory_says(void **state)
{
    const char *const names[] = {"landmark", "jumping", "sliding",
                                 "double",   "a2",      "apbf"};

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        freshet *f = make_crowded(names[i]);
        double drop = expect_of(f, (freshet_workload){0}).false_drop;
        uint64_t wrong = 0, key = 0;

        while (key < 20000)
            offer(f, key++);
        while (key < 220000)
            wrong += offer(f, key++) == FRESHET_SEEN;
        assert_true(drop < 0.02 && drop > 0.002);
        assert_rate(wrong, 200000, drop, 0.05);
        freshet_free(f);
    }
}

static void false_drops_are_told_from_the_fill(void **state)
{
    (void)state;
    for (size_t i = 0; i < WINDOWED; i++) {
        freshet *f = make_crowded(windowed[i]);
        uint64_t wrong = 0;

        for (uint64_t key = 0; key < 33333; key++)
            offer(f, key);
        for (uint64_t key = 100000; key < 200000; key++)
            wrong += query(f, key) == FRESHET_SEEN;
        assert_rate(wrong, 100000, info_of(f).false_drop, 0);
        freshet_free(f);
    }
}

static void both_rates_of_a_finite_stream_are_foretold(void **state)
{
    enum { UNIVERSE = 10000, RECORDS = 60000 };
    const char *const names[] = {"landmark", "jumping", "sliding",
                                 "double",   "a2",      "apbf"};

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        freshet *f = make_crowded(names[i]);
        freshet_rates r = expect_of(f, (freshet_workload){
                                           .distinct = UNIVERSE,
                                           .records = RECORDS,
                                       });
        struct drawn d = draw_from(f, UNIVERSE, RECORDS);

        assert_rate(d.drops, d.fresh, r.false_drop, 0.05);
        assert_rate(d.passes, d.repeats, r.false_pass, 0.02);
        freshet_free(f);
    }
}

/* A key of 5000 records ago, of which 250 were repeats. */
static void windows_age_by_repeats_too(void **state)
{
    freshet *f = make_window("apbf", NULL, 4800);
    freshet_rates of_keys = expect_of(f, (freshet_workload){.gap = 4750});
    freshet_rates both =
        expect_of(f, (freshet_workload){.gap = 4750, .span = 5000});

    (void)state;
    assert_near(of_keys.false_pass, 0, 0);
    assert_true(both.false_pass > 0);
    assert_near(both.false_pass,
                expect_of(f, (freshet_workload){.gap = 5000}).false_pass, 0);
    freshet_free(f);
}

static void slices_are_chosen_for_the_rate(void **state)
{
    const struct {
        double rate;
        const char *given, *chosen;
    } cases[] = {
        {0.001, "", "k=14,l=39,add=always"},
        {0.001, "k=12", "k=12,l=13,add=always"},
        {0.001, "l=9", "k=12,l=9,add=always"},
        {0.001, "k=3", "k=3,l=1,add=always"},
        {0.001, "k=12,l=5,add=new", "k=12,l=5,add=new"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        freshet_planned planned = {.size = sizeof planned};

        assert_int_equal(freshet_plan(&planned,
                                      OPTIONS(.algorithm = "apbf",
                                              .memory = 1 << 20,
                                              .false_drop_rate = cases[i].rate,
                                              .params = cases[i].given),
                                      NULL),
                         FRESHET_OK);
        assert_string_equal(planned.params, cases[i].chosen);
    }
    assert_int_equal(try_filter(NULL, .algorithm = "apbf", .memory = 1024,
                                .params = "k=64,l=128"),
                     FRESHET_ERR_BUDGET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_repeat_inside_the_window_passes),
        cmocka_unit_test(the_reach_of_a_filter_is_its_window),
        cmocka_unit_test(only_add_new_has_false_passes_inside_the_window),
        cmocka_unit_test(a_sliding_window_is_exact),
        cmocka_unit_test(a_sliding_window_forgets_for_good),
        cmocka_unit_test(a_jumping_window_is_late_by_a_sub_window_at_most),
        cmocka_unit_test(halves_forget_after_two_windows),
        cmocka_unit_test(an_age_partitioned_filter_fades),
        cmocka_unit_test(a_landmark_forgets_all_at_once),
        cmocka_unit_test(a_window_counts_repeats),
        cmocka_unit_test(an_endless_repeat_is_let_through_once_a_window),
        cmocka_unit_test(a_window_too_long_is_honoured_and_the_price_told),
        cmocka_unit_test(false_drops_settle_where_theory_says),
        cmocka_unit_test(false_drops_are_told_from_the_fill),
        cmocka_unit_test(both_rates_of_a_finite_stream_are_foretold),
        cmocka_unit_test(windows_age_by_repeats_too),
        cmocka_unit_test(slices_are_chosen_for_the_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
