/*
 * test_windows_time.c - the Bloom filters with a window of time
 */
#include "harness.h"

static void a_landmark_may_be_a_time(void **state)
{
    freshet *f = make_filter(.algorithm = "landmark", .memory = 4096,
                             .params = "period=60,unit=ticks", .seed = 3);

    (void)state;
    for (uint64_t key = 0; key < 20; key++)
        offer(f, key);
    freshet_tick(f, 59);
    assert_int_equal(query(f, 19), FRESHET_SEEN);
    freshet_tick(f, 60);
    assert_int_equal(offer(f, 19), FRESHET_NEW);
    freshet_tick(f, 119);
    assert_int_equal(query(f, 19), FRESHET_SEEN);
    freshet_tick(f, UINT64_C(1) << 63);
    assert_int_equal(offer(f, 19), FRESHET_NEW);
    freshet_tick(f, UINT64_MAX);
    assert_int_equal(offer(f, 19), FRESHET_NEW);
    assert_int_equal(offer(f, 19), FRESHET_SEEN);
    freshet_free(f);
}

static void a_landmark_in_time_needs_a_period(void **state)
{
    freshet_error err;

    (void)state;
    assert_int_equal(try_filter(&err, .algorithm = "landmark", .memory = 4096,
                                .params = "unit=ticks"),
                     FRESHET_ERR_RANGE);
    assert_non_null(strstr(err.message, "unit=ticks"));
}

/* Seen after the whole window, not after one sub-window more. */
static void a_jumping_window_may_be_one_of_time(void **state)
{
    const uint64_t windows[] = {1, 5, 80, 86400, UINT64_C(1) << 60};

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        uint64_t within = windows[i], part = within < 8 ? 1 : within / 8;

        for (uint64_t start = 0; start < 20; start++) {
            freshet *f = make_filter(.algorithm = "jumping", .memory = 4096,
                                     .within = within, .seed = 3);
            uint64_t begin = 1000 + start * (part / 7 + 1);

            freshet_tick(f, begin);
            assert_int_equal(offer(f, 1), FRESHET_NEW);
            freshet_tick(f, begin + within / 2);
            assert_int_equal(query(f, 1), FRESHET_SEEN);
            freshet_tick(f, begin + within);
            assert_int_equal(query(f, 1), FRESHET_SEEN);
            freshet_tick(f, begin + within + part);
            assert_int_equal(query(f, 1), FRESHET_NEW);
            freshet_free(f);
        }
    }
}

static void a_leap_in_time_empties_a_jumping_window(void **state)
{
    freshet *f = make_filter(.algorithm = "jumping", .memory = 4096,
                             .within = 80, .seed = 3);

    (void)state;
    for (uint64_t now = 100; now < UINT64_MAX / 3; now *= 3) {
        freshet_tick(f, now);
        assert_int_equal(info_of(f).used, 0);
        for (uint64_t key = 0; key < 10; key++)
            assert_int_equal(offer(f, key), FRESHET_NEW);
        freshet_tick(f, now + 80);
        for (uint64_t key = 0; key < 10; key++)
            assert_int_equal(query(f, key), FRESHET_SEEN);
    }
    freshet_tick(f, UINT64_MAX);
    assert_int_equal(info_of(f).used, 0);
    freshet_free(f);
}

static void more_than_planned_between_two_ticks_is_told(void **state)
{
    freshet *filters[] = {
        make_filter(.algorithm = "jumping", .memory = 4096, .within = 80,
                    .seed = 3),
        make_filter(.algorithm = "landmark", .memory = 4096,
                    .params = "period=80,unit=ticks", .seed = 3),
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        freshet_rates r = expect_of(filters[i], (freshet_workload){0});
        uint64_t key = 0;

        assert_true(r.false_drop <= 1e-6);
        assert_true(isnan(r.reach) && isnan(r.false_pass));
        while (key < 70)
            offer(filters[i], key++);
        assert_false(info_of(filters[i]).over_plan);
        while (key < 2000)
            offer(filters[i], key++);
        assert_true(info_of(filters[i]).over_plan);
        freshet_tick(filters[i], 1000);
        assert_false(info_of(filters[i]).over_plan);
        freshet_free(filters[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_landmark_may_be_a_time),
        cmocka_unit_test(a_landmark_in_time_needs_a_period),
        cmocka_unit_test(a_jumping_window_may_be_one_of_time),
        cmocka_unit_test(a_leap_in_time_empties_a_jumping_window),
        cmocka_unit_test(more_than_planned_between_two_ticks_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
