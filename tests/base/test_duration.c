/*
 * test_duration.c - durations as people type them
 */
#include "check.h"
#include "duration.h"

#define SECOND UINT64_C(1000000000)

#define assert_duration(typed, wanted)                                         \
    do {                                                                       \
        uint64_t ns_ = 42;                                                     \
        struct fault why_ = {""};                                              \
        if (!duration_read(&ns_, typed, &why_))                                \
            fail_msg("%s", why_.text);                                         \
        assert_int_equal(ns_, wanted);                                         \
    } while (0)

static void units_go_from_nanoseconds_to_weeks(void **state)
{
    (void)state;
    assert_duration("1ns", 1);
    assert_duration("7us", 7000);
    assert_duration("250ms", 250000000);
    assert_duration("30s", 30 * SECOND);
    assert_duration("5m", 300 * SECOND);
    assert_duration("24h", 86400 * SECOND);
    assert_duration("7d", 7 * 86400 * SECOND);
    assert_duration("2w", 14 * 86400 * SECOND);
}

static void fractions_are_exact(void **state)
{
    (void)state;
    assert_duration("1.5h", 5400 * SECOND);
    assert_duration("0.1s", SECOND / 10);
    assert_duration("1.000000001s", SECOND + 1);
    assert_duration("0.3d", 25920 * SECOND);
    assert_duration("1.0000000019s", SECOND + 1);
    assert_duration("0.33333333333333333333333333333333333333m",
                    UINT64_C(19999999999));
    assert_duration("1.50ns", 1);
}

static void terms_add_up(void **state)
{
    (void)state;
    assert_duration("1h30m", 5400 * SECOND);
    assert_duration("1d0.5h", 88200 * SECOND);
    assert_duration("0s1ns", 1);
}

static void the_longest_is_what_fits(void **state)
{
    uint64_t ns = 42;

    (void)state;
    assert_duration("4611686018427387903ns", UINT64_MAX >> 2);
    assert_duration("4611686018.427387903s", UINT64_MAX >> 2);
    assert_false(duration_read(&ns, "4611686018427387904ns", NULL));
    assert_false(duration_read(&ns, "4611686018.427387904s", NULL));
    assert_false(duration_read(&ns, "18446744073709551616ns", NULL));
    assert_false(duration_read(&ns, "18446744073.709551616s", NULL));
    assert_false(duration_read(&ns, "30501w", NULL));
    assert_false(duration_read(&ns, "7600w7600w", NULL));
    assert_int_equal(ns, 42);
}

static void written_it_reads_as_the_same(void **state)
{
    static const char *const texts[] = {"1ns",   "1h30m", "250ms", "7d",
                                        "1d1ns", "90s",   "2w"};
    char out[DURATION_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t ns = 0;

        assert_true(duration_read(&ns, texts[i], NULL));
        assert_duration(duration_text(out, ns), ns);
    }
    assert_string_equal(duration_text(out, 5400 * SECOND), "1h30m");
    assert_string_equal(duration_text(out, UINT64_MAX >> 2),
                        "53375d23h53m38s427ms387us903ns");
}

static void what_is_refused_says_why(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "'' needs a number"},
        {"s", "'s' needs a number"},
        {"-1s", "'-1s' needs a number"},
        {" 1s", "needs a number"},
        {".5s", "needs a number"},
        {"1.s", "needs a number"},
        {"1h 5m", "needs a number"},
        {"30", "'30' has no unit"},
        {"1h30", "'1h30' has no unit"},
        {"5x", "'5x' has no such unit"},
        {"5M", "no such unit"},
        {"5min", "no such unit"},
        {"0s", "'0s' must be more than 0"},
        {"0.1ns", "must be more than 0"},
        {"99999999w", "longer than 146 years"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fault why = {""};
        uint64_t ns = 42;

        assert_false(duration_read(&ns, cases[i].text, &why));
        assert_contains(why.text, cases[i].why);
        assert_int_equal(ns, 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_go_from_nanoseconds_to_weeks),
        cmocka_unit_test(fractions_are_exact),
        cmocka_unit_test(terms_add_up),
        cmocka_unit_test(the_longest_is_what_fits),
        cmocka_unit_test(written_it_reads_as_the_same),
        cmocka_unit_test(what_is_refused_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
