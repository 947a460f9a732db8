/*
 * test_promise.c - when a promise is kept
 */
#include "harness.h"

#include "promise.h"

static struct promises all_of(const char *group)
{
    char *name = (char *)(uintptr_t)group;
    struct promises c;
    struct fault why = {""};

    if (!promises_make(&c, &name, group != NULL, &why))
        fail_msg("%s", why.text);
    return c;
}

/* ---- What is promised ------------------------------------------------- */

static void every_published_row_is_one_promise(void **state)
{
    static const struct {
        const char *group;
        size_t promises;
    } wanted[] = {{"bera4", 4},  {"bera5", 4},   {"bera6", 4},
                  {"bera7", 4},  {"bera8", 4},   {"bera9", 4},
                  {"dutta2", 3}, {"dutta3", 3},  {"dutta4", 4},
                  {"dutta5", 3}, {"pocket", 14}, {"suffices", 8}};
    size_t sum = 0;
    struct promises c;

    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        c = all_of(wanted[i].group);
        assert_int_equal(c.n, wanted[i].promises);
        sum += c.n;
        promises_free(&c);
    }
    c = all_of(NULL);
    assert_int_equal(c.n, sum);
    promises_free(&c);
}

/* Table 7 at 64 and at 512 MB. */
static void bounds_are_the_least_of_each_row(void **state)
{
    struct promises c = all_of("bera7");

    (void)state;
    assert_near(c.promise[0].most.sum, 0.09255, 1e-5);
    assert_true(isnan(c.promise[0].most.fpr) && isnan(c.promise[0].most.fnr));
    assert_near(c.promise[3].most.fpr, 0.001341, 1e-6);
    assert_near(c.promise[3].most.fnr, 0.000535, 1e-6);
    assert_true(isnan(c.promise[3].most.sum));
    assert_string_equal(c.promise[3].stream, "uniform:n=10000000,distinct=15%");
    assert_int_equal(c.promise[3].memory, (UINT64_C(1) << 29) / 100);
    promises_free(&c);
}

static void an_unknown_group_is_refused(void **state)
{
    char bera7[] = "bera7", bera3[] = "bera3";
    char *groups[] = {bera7, bera3};
    struct promises c;
    struct fault why;

    (void)state;
    assert_false(promises_make(&c, groups, 2, &why));
    assert_non_null(strstr(why.text, "no group 'bera3'"));
    promises_free(&c);
}

static void every_promise_can_be_measured(void **state)
{
    struct promises c = all_of("dutta2");
    struct grid g = {0};
    struct fault why;

    (void)state;
    assert_true(promises_add(&c, &g, &why));
    assert_int_equal(g.cells, c.n);
    assert_string_equal(row_cell(&g.cell[0].input, ROW_EXPERIMENT),
                        "check dutta2");
    assert_string_equal(row_cell(&g.cell[0].input, ROW_GOAL), "fewest");
    grid_free(&g);
    promises_free(&c);
}

/* ---- Whether it is kept ----------------------------------------------- */

#define NONE (double)NAN

static enum promise_verdict judged(struct promise_rates most, double fpr,
                                   double high, double fnr)
{
    struct promise c = {.most = most};
    struct row row;

    row_clear(&row);
    row_real(&row, ROW_FPR, fpr);
    row_real(&row, ROW_FPR_HIGH, high);
    row_real(&row, ROW_FNR, fnr);
    promise_judge(&c, &row);
    return c.verdict;
}

static void rates_are_held_against_bounds(void **state)
{
    struct promise_rates each = {0.01, 0.002, NONE}, sum = {NONE, NONE, 0.1};

    (void)state;
    assert_int_equal(judged(each, 0.009, 0.0099, 0.002), PROMISE_KEPT);
    assert_int_equal(judged(each, 0.009, 0.0101, 0.001), PROMISE_EXCEEDED);
    assert_int_equal(judged(each, 0.009, 0.0099, 0.0021), PROMISE_EXCEEDED);
    assert_int_equal(judged(sum, 0.09, 0.2, 0.009), PROMISE_KEPT);
    assert_int_equal(judged(sum, 0.09, 0.09, 0.011), PROMISE_EXCEEDED);
    assert_int_equal(judged((struct promise_rates){NONE, NONE, NONE}, 1, 1, 1),
                     PROMISE_SHOWN);
}

/* No stream is long enough to show a rate of zero: none seen must do. */
static void none_allowed_is_none_seen(void **state)
{
    struct promise_rates none = {0, 0, NONE};

    (void)state;
    assert_int_equal(judged(none, 0, 3e-7, 0), PROMISE_KEPT);
    assert_int_equal(judged(none, 1e-7, 5e-7, 0), PROMISE_EXCEEDED);
    assert_int_equal(judged(none, 0, 3e-7, 1e-7), PROMISE_EXCEEDED);
}

static void the_second_half_counts_if_it_is_to(void **state)
{
    struct promise c = {.most = {0.01, 0.01, NONE}, .steady = true};
    struct row row;

    (void)state;
    row_clear(&row);
    row_real(&row, ROW_FPR, 0);
    row_real(&row, ROW_FPR_HIGH, 0);
    row_real(&row, ROW_FNR, 0);
    row_real(&row, ROW_STEADY_FPR, 0.02);
    row_real(&row, ROW_STEADY_FPR_HIGH, 0.02);
    row_real(&row, ROW_STEADY_FNR, 0);
    promise_judge(&c, &row);
    assert_int_equal(c.verdict, PROMISE_EXCEEDED);
    assert_near(c.measured.fpr, 0.02, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_published_row_is_one_promise),
        cmocka_unit_test(bounds_are_the_least_of_each_row),
        cmocka_unit_test(an_unknown_group_is_refused),
        cmocka_unit_test(every_promise_can_be_measured),
        cmocka_unit_test(rates_are_held_against_bounds),
        cmocka_unit_test(none_allowed_is_none_seen),
        cmocka_unit_test(the_second_half_counts_if_it_is_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
