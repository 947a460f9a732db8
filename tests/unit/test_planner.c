/*
 * test_planner.c - what is chosen when no algorithm is named, and why
 */
#include "harness.h"

#define plan(...) plan_(OPTIONS(__VA_ARGS__))

static freshet_planned plan_(const freshet_options *options)
{
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    if (freshet_plan(&planned, options, &err) < 0)
        fail_msg("%s", err.message);
    assert_true(planned.bytes <= options->memory);
    return planned;
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

static void keys_that_fit_are_never_forgotten(void **state)
{
    freshet_planned p =
        plan(.memory = 1 << 20, .expect = 100000, .false_drop_rate = 1e-3);

    (void)state;
    assert_chosen(&p, "set", "100000 distinct keys fit within the wanted rate");
}

/* Fingerprints go on where bits would drop too many. */
static void keys_that_fit_only_as_fingerprints_are_kept_as_such(void **state)
{
    freshet_planned p =
        plan(.memory = 1 << 20, .expect = 80000, .false_drop_rate = 1e-12);

    (void)state;
    assert_chosen(&p, "pocket", "80000 distinct keys fit");
}

/* A promise of how much would do is one that can be tried. */
static void short_memory_is_said_with_what_would_do(void **state)
{
    freshet_planned p =
        plan(.memory = 1 << 20, .expect = 10000000, .false_drop_rate = 1e-3);
    double enough = told(&p, "all would need about ");

    (void)state;
    assert_chosen(&p, "pocket", "memory is short: of 10000000 distinct keys");
    assert_in_range(told(&p, "the last "), 300000, 1000000);
    assert_true(enough > (1 << 20));
    p = plan(.memory = (uint64_t)(1.1 * enough), .expect = 10000000,
             .false_drop_rate = 1e-3);
    assert_null(strstr(p.reason, "short"));
}

static void windows_are_kept_if_they_fit(void **state)
{
    freshet_planned p = plan(.memory = 1 << 20, .window = 10000);
    double enough;

    (void)state;
    assert_chosen(&p, "pocket", "a window of 10000 records fits");
    p = plan(.memory = 1 << 20, .window = 10000000);
    assert_chosen(&p, "pocket", "memory is short: of a window of 10000000");
    enough = told(&p, "all would need about ");
    p = plan(.memory = (uint64_t)(1.1 * enough), .window = 10000000);
    assert_chosen(&p, "pocket", "a window of 10000000 records fits");
    p = plan(.memory = 1 << 20, .within = 60);
    assert_chosen(&p, "pocket", "a window of time");
    assert_true(told(&p, "no more than ") > 100000);
}

static void of_an_unknown_stream_as_much_as_fits_is_remembered(void **state)
{
    freshet_planned p = plan(.memory = 1 << 20);
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
        freshet_planned p = plan(.memory = 1 << 20, .expect = keys,
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
        plan(.memory = 448, .expect = 100, .goal = FRESHET_GOAL_FEWEST);

    (void)state;
    assert_string_equal(p.algorithm, "set");
}

static void what_cannot_be_planned_is_refused(void **state)
{
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .memory = 1 << 20, .params = "k=4"),
                     FRESHET_ERR_PARAMETER);
    assert_non_null(strstr(err.message, "k=4"));
    assert_int_equal(try_filter(&err, .memory = 1 << 20,
                                .goal = FRESHET_GOAL_FEWEST),
                     FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "how many distinct keys"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_that_fit_are_never_forgotten),
        cmocka_unit_test(keys_that_fit_only_as_fingerprints_are_kept_as_such),
        cmocka_unit_test(short_memory_is_said_with_what_would_do),
        cmocka_unit_test(windows_are_kept_if_they_fit),
        cmocka_unit_test(of_an_unknown_stream_as_much_as_fits_is_remembered),
        cmocka_unit_test(the_fewest_errors_are_the_fewest),
        cmocka_unit_test(candidates_that_do_not_fit_are_passed_over),
        cmocka_unit_test(what_cannot_be_planned_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
