/*
 * test_sbf.c - what is true of the stable Bloom filter alone
 *
 * What must be true of every algorithm is in test_conformance.c.
 */
#include "streams.h"

static void parameters(const char *params, double rate, const char *expected)
{
    freshet_planned planned = {.size = sizeof planned};

    assert_int_equal(freshet_plan(&planned,
                                  OPTIONS(.algorithm = "sbf", .memory = 1 << 20,
                                          .false_drop_rate = rate,
                                          .params = params),
                                  NULL),
                     FRESHET_OK);
    if (strncmp(planned.params, expected, strlen(expected)) != 0)
        fail_msg("%s at %g gives %s, not %s", params, rate, planned.params,
                 expected);
}

/* The settings the paper names in sections 4.1 and 5.3. */
static void parameters_come_out_as_in_the_paper(void **state)
{
    (void)state;
    parameters("", 0.1, "d=1,k=2,p=4.3");
    parameters("", 0.01, "d=1,k=3,p=10.9");
    parameters("d=4", 0.01, "d=4,k=6,p=14");
}

static void false_drops_settle_at_the_wanted_rate(void **state)
{
    freshet *f = make_filter(.algorithm = "sbf", .memory = 1 << 16,
                             .false_drop_rate = 0.01, .seed = 3);
    uint64_t wrong = 0, key = 0;

    (void)state;
    for (; key < 2000000; key++)
        offer(f, key);
    for (; key < 3000000; key++)
        wrong += offer(f, key) == FRESHET_SEEN;
    assert_rate(wrong, 1000000, 0.01, 0.01);
    assert_near(info_of(f).false_drop, 0.01, 0.0005);
    freshet_free(f);
}

/* Repeats planted at one gap in a stream of new keys. */
static void false_passes_follow_equation_14(void **state)
{
    const uint64_t gap = 5000;

    (void)state;
    for (unsigned d = 1; d <= 4; d *= 2) {
        char params[16];
        freshet *f;
        uint64_t missed = 0, asked = 0;

        snprintf(params, sizeof params, "d=%u,k=3", d);
        f = make_filter(.algorithm = "sbf", .memory = 1 << 16, .params = params,
                        .false_drop_rate = 0.01, .seed = 3);
        for (uint64_t key = 0; key < 1000000; key++) {
            offer(f, key);
            if (key > 200000 && key % 5 == 0) {
                asked++;
                missed += query(f, key - gap) == FRESHET_NEW;
            }
        }
        assert_rate(missed, asked,
                    expect_of(f, (freshet_workload){.gap = gap}).false_pass,
                    0.02);
        freshet_free(f);
    }
}

/*
 * A universe of a few keys a cell, of one, and of less: repeats that set the
 * cells of their own key once more make the more of a difference.
 */
static void finite_streams_go_as_predicted(void **state)
{
    const uint64_t memory[] = {20000, 66000, 200000};

    (void)state;
    for (unsigned d = 1; d <= 4; d *= 2) {
        char params[16];

        snprintf(params, sizeof params, "d=%u,k=2", d);
        for (int i = 0; i < 3; i++) {
            freshet *f =
                make_filter(.algorithm = "sbf", .params = params, .seed = 3,
                            .memory = memory[i], .false_drop_rate = 0.1);
            struct outcome o = run_uniform(f, 1000000, 0.15);
            freshet_rates r = expect_of(f, o.workload);
            double drops = (double)o.drops / (double)o.fresh;
            double passes = (double)o.passes / (double)o.repeats;

            assert_expected(f, &o, 0.02);
            assert_near(drops, r.false_drop, fmax(0.001, 0.05 * r.false_drop));
            assert_near(passes, r.false_pass, fmax(0.001, 0.05 * r.false_pass));
            freshet_free(f);
        }
    }
}

/* Keys that all come once are what Deng and Rafiei had in mind. */
static void both_theories_agree_where_no_key_returns(void **state)
{
    freshet_workload w = {.distinct = 100000};

    (void)state;
    for (unsigned d = 1; d <= 8; d *= 2) {
        char params[16];
        freshet *f;
        freshet_rates ours, printed;

        snprintf(params, sizeof params, "d=%u,k=3", d);
        f = make_filter(.algorithm = "sbf", .memory = 40000, .seed = 3,
                        .params = params, .false_drop_rate = 0.05);
        w.published = 0;
        ours = expect_of(f, w);
        w.published = 1;
        printed = expect_of(f, w);
        assert_near(ours.false_drop, printed.false_drop, 1e-4);
        assert_near(ours.false_pass, printed.false_pass, 1e-3);
        assert_string_not_equal(ours.theory, printed.theory);
        freshet_free(f);
    }
}

/*
 * Bera et al., table 4, 64 MB, at a hundredth of its size: 1.93 % measured,
 * where the printed equations say twice that.
 */
static void printed_equations_overstate_false_drops_on_finite_streams(
    void **state)
{
    freshet *f = make_filter(.algorithm = "sbf", .memory = 671088,
                             .params = "k=2,p=4", .seed = 3);
    uint64_t n = 6950000;
    freshet_workload w = {.distinct = universe_for((double)n, 0.15),
                          .records = n};

    (void)state;
    assert_near(expect_of(f, w).false_drop, 0.0193, 0.0019);
    w.published = 1;
    assert_near(expect_of(f, w).false_drop, 0.0418, 0.002);
    freshet_free(f);
}

/* ---- Gaps ------------------------------------------------------------- */

static const freshet_gap near_and_far[] = {{.gap = 1000, .share = 3},
                                           {.gap = 10,
                                            .span = 100000,
                                            .share = 1}};

/* Eq. 15: the mean, by shares, of what single gaps give; sbf counts records. */
static void false_passes_are_averaged_over_gaps(void **state)
{
    freshet *f = make_filter(.algorithm = "sbf", .memory = 12500, .seed = 3,
                             .false_drop_rate = 0.1);
    double at_near = expect_of(f, (freshet_workload){.gap = 1000}).false_pass;
    double at_far = expect_of(f, (freshet_workload){.gap = 100000}).false_pass;
    freshet_rates both =
        expect_of(f, (freshet_workload){.gaps = near_and_far, .gap_count = 2});

    (void)state;
    assert_true(at_near < at_far);
    assert_near(both.false_pass, (3 * at_near + at_far) / 4, 1e-12);
    assert_near(both.false_drop, 0.1, 0.001);
    freshet_free(f);
}

static double passes_at_1000(const char *params)
{
    freshet *f = make_filter(.algorithm = "sbf", .memory = 12500, .seed = 3,
                             .false_drop_rate = 0.1, .params = params);
    double passes = expect_of(f, (freshet_workload){.gap = 1000}).false_pass;

    freshet_free(f);
    return passes;
}

/* Section 4.1: small gaps want a large Max. */
static void cells_are_as_large_as_gaps_want_them(void **state)
{
    freshet_planned planned = {.size = sizeof planned};
    const freshet_gap far = {.gap = 1000000, .share = 1};
    const freshet_gap *const gaps[] = {NULL, &far, near_and_far};
    const char *const expected[] = {"d=1,", "d=1,", "d=8,"};

    (void)state;
    assert_true(passes_at_1000("d=2") < passes_at_1000("d=1") / 10);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(freshet_plan(&planned,
                                      OPTIONS(.algorithm = "sbf",
                                              .memory = 12500,
                                              .false_drop_rate = 0.1,
                                              .gaps = gaps[i],
                                              .gap_count = gaps[i] != NULL),
                                      NULL),
                         FRESHET_OK);
        if (strncmp(planned.params, expected[i], 4) != 0)
            fail_msg("gaps %d give %s, not %s", i, planned.params, expected[i]);
    }
}

/* A gap is the same whichever way it is given. */
static void a_gap_and_a_distribution_of_one_gap_give_one_filter(void **state)
{
    static const freshet_gap one = {.gap = 900, .share = 1};
    freshet *by_param =
        make_filter(.algorithm = "sbf", .memory = 12500, .seed = 3,
                    .false_drop_rate = 0.01, .params = "gap=900");
    freshet *by_gaps =
        make_filter(.algorithm = "sbf", .memory = 12500, .seed = 3,
                    .false_drop_rate = 0.01, .gaps = &one, .gap_count = 1);
    freshet_workload w = {.gap = 900};

    (void)state;
    assert_near(expect_of(by_gaps, w).false_pass,
                expect_of(by_param, w).false_pass, 1e-12);
    freshet_free(by_param);
    freshet_free(by_gaps);
}

static void gaps_without_a_share_are_refused(void **state)
{
    const freshet_gap bad[] = {{.gap = 1, .share = 0}, {.gap = 1, .share = -1}};
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload w = {.size = sizeof w, .gaps = bad, .gap_count = 1};
    freshet *f = make_filter(.algorithm = "sbf", .memory = 12500, .seed = 3);
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .algorithm = "sbf", .memory = 4096,
                                .gaps = bad, .gap_count = 1),
                     FRESHET_ERR_RANGE);
    assert_non_null(strstr(err.message, "must not all be 0"));
    assert_int_equal(try_filter(&err, .algorithm = "sbf", .memory = 4096,
                                .gaps = bad, .gap_count = 2),
                     FRESHET_ERR_RANGE);
    assert_non_null(strstr(err.message, "from 0 on, not -1"));
    assert_int_equal(freshet_expect(&rates, f, &w, &err), FRESHET_ERR_RANGE);
    w = (freshet_workload){.size = sizeof w, .gap_count = 1};
    assert_int_equal(freshet_expect(&rates, f, &w, &err), FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "gaps is NULL"));
    w = (freshet_workload){.size = sizeof w,
                           .distinct = 9,
                           .records = 9,
                           .gaps = near_and_far,
                           .gap_count = 2};
    assert_int_equal(freshet_expect(&rates, f, &w, &err), FRESHET_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "leave out gaps or records"));
    freshet_free(f);
}

/*
 * Eq. 18 and 19: cells that are set more often, by their own key or by
 * others, are lost less often; fewer others, more often.
 */
static void frequent_keys_are_lost_less_often(void **state)
{
    freshet *f = make_filter(.algorithm = "sbf", .memory = 12500, .seed = 3,
                             .false_drop_rate = 0.1);
    freshet_workload w = {.gap = 20000, .published = 1};
    double average = expect_of(f, w).false_pass;

    (void)state;
    w.frequency = 1e-4;
    assert_true(expect_of(f, w).false_pass < 0.9 * average);
    assert_non_null(strstr(expect_of(f, w).theory, "18 and 19"));
    w.frequency = 0;
    w.deviation = 0.01;
    assert_true(expect_of(f, w).false_pass < 0.9 * average);
    w.deviation = -0.001;
    assert_true(expect_of(f, w).false_pass > average);
    freshet_free(f);
}

/* Theorem 3 and Corollary 2, against a filter that fills. */
static void filters_settle_where_and_when_theory_says(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= 3; d++) {
        char params[16];
        freshet_rates r;
        freshet_info info;
        freshet *f;
        uint64_t key = 0;

        snprintf(params, sizeof params, "d=%u,k=2", d);
        f = make_filter(.algorithm = "sbf", .memory = 1 << 17, .seed = 3,
                        .params = params, .false_drop_rate = 0.1);
        r = expect_of(f, (freshet_workload){.gap = 1});
        for (; (double)key < r.stable_after; key++)
            offer(f, key);
        info = info_of(f);
        assert_near((double)info.used / (double)info.slots,
                    0.99 * r.stable_fill, 0.004);
        for (; (double)key < 3 * r.stable_after; key++)
            offer(f, key);
        info = info_of(f);
        assert_near((double)info.used / (double)info.slots, r.stable_fill,
                    0.004);
        freshet_free(f);
    }
}

static void odd_cell_widths_are_refused(void **state)
{
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .algorithm = "sbf", .memory = 4096,
                                .params = "d=5"),
                     FRESHET_ERR_RANGE);
    assert_non_null(strstr(err.message, "d=5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_come_out_as_in_the_paper),
        cmocka_unit_test(false_drops_settle_at_the_wanted_rate),
        cmocka_unit_test(false_passes_follow_equation_14),
        cmocka_unit_test(finite_streams_go_as_predicted),
        cmocka_unit_test(both_theories_agree_where_no_key_returns),
        cmocka_unit_test(
            printed_equations_overstate_false_drops_on_finite_streams),
        cmocka_unit_test(false_passes_are_averaged_over_gaps),
        cmocka_unit_test(cells_are_as_large_as_gaps_want_them),
        cmocka_unit_test(a_gap_and_a_distribution_of_one_gap_give_one_filter),
        cmocka_unit_test(gaps_without_a_share_are_refused),
        cmocka_unit_test(frequent_keys_are_lost_less_often),
        cmocka_unit_test(filters_settle_where_and_when_theory_says),
        cmocka_unit_test(odd_cell_widths_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
