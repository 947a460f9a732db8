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
    assert_string_equal(p.params, "d=1,k=3,p=10");
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
    assert_non_null(strstr(planned(.window = 100000).reason, "fits"));
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
