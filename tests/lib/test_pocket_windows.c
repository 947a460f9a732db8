/*
 * test_pocket_windows.c - the pocket filter with a window, of records or time
 */
#include "harness.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(merged_slots_keep_their_age),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
