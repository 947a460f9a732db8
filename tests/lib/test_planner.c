/*
 * test_planner.c - what a user gets who names no algorithm
 */
#include "harness.h"

static freshet_planned plan_of(const freshet_options *options)
{
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    if (freshet_plan(&planned, options, &err) < 0)
        fail_msg("%s", err.message);
    if (options->memory)
        assert_true(planned.bytes <= options->memory);
    return planned;
}

#define planned(...) plan_of(OPTIONS(__VA_ARGS__))

static void by_default_it_is_pocket_in_256_mebibytes(void **state)
{
    freshet_planned p = planned(.seed = 1);

    (void)state;
    assert_string_equal(p.algorithm, "pocket");
    assert_string_equal(p.params, "width=26,choices=2,refresh=1");
    assert_in_range(p.bytes, (256 << 20) - 8192, 256 << 20);
    assert_non_null(strstr(p.reason, "as much as memory holds"));
    assert_string_equal(planned(.algorithm = "auto").algorithm, "pocket");
}

static void a_named_algorithm_is_as_asked_for(void **state)
{
    freshet_planned p = planned(.algorithm = "sbf", .params = "k=3,p=10");

    (void)state;
    assert_string_equal(p.algorithm, "sbf");
    assert_string_equal(p.params, "d=1,k=3,p=10,gap=0");
    assert_string_equal(p.reason, "as asked for");
}

static void known_keys_that_fit_are_never_forgotten(void **state)
{
    freshet_planned p = planned(.expect = 1000000, .memory = 8 << 20);

    (void)state;
    assert_string_equal(p.algorithm, "set");
    assert_non_null(strstr(p.reason, "1000000 distinct keys fit"));
}

static void too_many_keys_are_told_what_is_remembered(void **state)
{
    freshet_planned p = planned(.expect = 100000000, .memory = 8 << 20);

    (void)state;
    assert_string_equal(p.algorithm, "pocket");
    assert_non_null(strstr(p.reason, "memory is short"));
    assert_non_null(strstr(p.reason, "would need"));
}

static void a_window_is_kept_by_pocket(void **state)
{
    (void)state;
    assert_non_null(strstr(planned(.window = 100000).reason, "memory holds"));
    assert_non_null(
        strstr(planned(.window = UINT64_C(1) << 40).reason, "memory is short"));
    assert_non_null(strstr(planned(.within = 3600).reason, "window of time"));
    assert_string_equal(planned(.within = 3600).algorithm, "pocket");
}

static void parameters_without_an_algorithm_are_refused(void **state)
{
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .params = "k=3"), FRESHET_ERR_PARAMETER);
    assert_non_null(strstr(err.message, "name one"));
}

static void fewest_errors_needs_the_number_of_keys(void **state)
{
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .goal = FRESHET_GOAL_FEWEST),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "how many distinct keys"));
    assert_int_equal(try_filter(&err, .goal = FRESHET_GOAL_FEWEST,
                                .expect = 1000, .window = 100),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "not for a window"));
}

/*
 * Bera et al., tables 4 and 9 at 1/1000: the corners of the published grid.
 * The lowest sum of false drops and false passes printed in the row.
 */
static void fewest_errors_beats_the_printed_tables(void **state)
{
    static const struct {
        double records, distinct, megabytes, printed_sum;
    } row[] = {{695e3, 0.15, 64, 0.050517},
               {695e3, 0.15, 512, 0.001021},
               {1000e3, 0.90, 64, 0.644320},
               {1000e3, 0.90, 512, 0.083985},
               {1000e3, 0.60, 256, 0.127457}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t keys = (uint64_t)(row[i].records * row[i].distinct);
        uint64_t memory = (uint64_t)(row[i].megabytes * 1048.576), random = 5;
        freshet *f = make_filter(.memory = memory, .expect = keys, .seed = 3,
                                 .goal = FRESHET_GOAL_FEWEST);
        uint64_t drops = 0, passes = 0;

        /* As many new keys as the paper's stream, then repeats of any. */
        for (uint64_t key = 0; key < keys; key++)
            drops += offer(f, key) == FRESHET_SEEN;
        for (int j = 0; j < 100000; j++)
            passes += query(f, roll(&random) % keys) == FRESHET_NEW;
        assert_true((double)drops / (double)keys + (double)passes / 1e5 <
                    row[i].printed_sum);
        freshet_free(f);
    }
}

static void assert_chosen(const freshet_planned *p, const char *algorithm,
                          const char *reason)
{
    assert_string_equal(p->algorithm, algorithm);
    if (!strstr(p->reason, reason))
        fail_msg("the reason is: %s", p->reason);
}

/* The number that follows some words of a reason. */
static double told(const freshet_planned *p, const char *words)
{
    const char *at = strstr(p->reason, words);

    assert_non_null(at);
    return strtod(at + strlen(words), NULL);
}

/* Fingerprints go on where bits would drop too many. */
static void keys_that_fit_only_as_fingerprints_are_kept_as_such(void **state)
{
    freshet_planned p =
        planned(.memory = 1 << 20, .expect = 80000, .false_drop_rate = 1e-12);

    (void)state;
    assert_chosen(&p, "pocket", "80000 distinct keys fit");
}

/* A promise of how much would do is one that can be tried. */
static void short_memory_is_said_with_what_would_do(void **state)
{
    freshet_planned p =
        planned(.memory = 1 << 20, .expect = 10000000, .false_drop_rate = 1e-3);
    double enough = told(&p, "all would need about ");

    (void)state;
    assert_chosen(&p, "pocket", "memory is short: of 10000000 distinct keys");
    assert_in_range(told(&p, "the last "), 300000, 1000000);
    assert_true(enough > (1 << 20));
    p = planned(.memory = (uint64_t)(1.1 * enough), .expect = 10000000,
                .false_drop_rate = 1e-3);
    assert_null(strstr(p.reason, "short"));
}

static void windows_are_kept_if_they_fit(void **state)
{
    freshet_planned p = planned(.memory = 1 << 20, .window = 10000);
    double enough;

    (void)state;
    assert_chosen(&p, "pocket", "memory holds the last 10000 records");
    p = planned(.memory = 1 << 20, .window = 10000000);
    assert_chosen(&p, "pocket", "memory is short: of a window of 10000000");
    enough = told(&p, "all would need about ");
    p = planned(.memory = (uint64_t)(1.1 * enough), .window = 10000000);
    assert_chosen(&p, "pocket", "memory holds the last 10000000 records");
    p = planned(.memory = 1 << 20, .within = 60);
    assert_chosen(&p, "pocket", "a window of time");
    assert_true(told(&p, "no more than ") > 100000);
}

static void of_an_unknown_stream_as_much_as_fits_is_remembered(void **state)
{
    freshet_planned p = planned(.memory = 1 << 20);
    freshet *f = make_filter(.memory = 1 << 20);
    double reach = expect_of(f, (freshet_workload){.gap = 1}).reach;

    (void)state;
    assert_chosen(&p, "pocket", "as much as memory holds");
    assert_near(told(&p, "about the last "), reach, 0.01 * reach);
    freshet_free(f);
}

static double errors(const char *algorithm, const char *params, uint64_t memory,
                     uint64_t keys)
{
    freshet_workload w = {.size = sizeof w,
                          .distinct = keys,
                          .records = 2 * keys};
    freshet_rates r = {.size = sizeof r};

    assert_int_equal(freshet_expect_options(&r,
                                            OPTIONS(.algorithm = algorithm,
                                                    .params = params,
                                                    .memory = memory,
                                                    .expect = keys),
                                            &w, NULL),
                     FRESHET_OK);
    return r.false_drop + r.false_pass;
}

/* No other of its family would err less, be memory plenty or scarce. */
static void the_fewest_errors_are_the_fewest(void **state)
{
    const char *others[][2] = {{"set", "k=1"},         {"set", "k=5"},
                               {"set", "k=12"},        {"pocket", "width=8"},
                               {"pocket", "width=12"}, {"pocket", "width=24"}};

    (void)state;
    for (uint64_t keys = 10000; keys <= 10000000; keys *= 10) {
        freshet_planned p = planned(.memory = 1 << 20, .expect = keys,
                                    .goal = FRESHET_GOAL_FEWEST);
        double least = errors(p.algorithm, p.params, 1 << 20, keys);

        assert_chosen(&p, p.algorithm, "fewest errors");
        for (int i = 0; i < 6; i++)
            assert_true(least <= 1e-12 + errors(others[i][0], others[i][1],
                                                1 << 20, keys));
    }
}

/* So little memory that a candidate does not fit: the rest are tried. */
static void candidates_that_do_not_fit_are_passed_over(void **state)
{
    freshet_planned p =
        planned(.memory = 448, .expect = 100, .goal = FRESHET_GOAL_FEWEST);

    (void)state;
    assert_string_equal(p.algorithm, "set");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_default_it_is_pocket_in_256_mebibytes),
        cmocka_unit_test(a_named_algorithm_is_as_asked_for),
        cmocka_unit_test(known_keys_that_fit_are_never_forgotten),
        cmocka_unit_test(too_many_keys_are_told_what_is_remembered),
        cmocka_unit_test(a_window_is_kept_by_pocket),
        cmocka_unit_test(parameters_without_an_algorithm_are_refused),
        cmocka_unit_test(fewest_errors_needs_the_number_of_keys),
        cmocka_unit_test(fewest_errors_beats_the_printed_tables),
        cmocka_unit_test(keys_that_fit_only_as_fingerprints_are_kept_as_such),
        cmocka_unit_test(short_memory_is_said_with_what_would_do),
        cmocka_unit_test(windows_are_kept_if_they_fit),
        cmocka_unit_test(of_an_unknown_stream_as_much_as_fits_is_remembered),
        cmocka_unit_test(the_fewest_errors_are_the_fewest),
        cmocka_unit_test(candidates_that_do_not_fit_are_passed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
