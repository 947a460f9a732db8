/*
 * test_time_format.c - times in a form that strptime() knows
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "time_format.h"

#define SECOND UINT64_C(1000000000)
#define NOON   UINT64_C(1714566896) /* 2024-05-01T12:34:56Z */
#define LATEST (NOON * SECOND)      /* for times without a year */

static void set_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

/* Returns what the text says, or 0 if it cannot be read. */
static uint64_t time_of(const char *format, const char *text)
{
    size_t len = strlen(text);
    char *copy = malloc(len + !len); /* exact, for the sanitizers */
    struct fault why = {""};
    uint64_t ns = 0;

    assert_non_null(copy);
    memcpy(copy, text, len);
    if (!time_format_check(format, &why))
        fail_msg("%s", why.text);
    if (!time_format_read(&ns, (struct view){copy, len}, format, LATEST))
        assert_int_equal(ns, 0);
    free(copy);
    return ns;
}

static void a_format_says_how_a_time_is_written(void **state)
{
    (void)state;
    set_zone("UTC");
    assert_int_equal(time_of("%d.%m.%Y %H:%M:%S", "01.05.2024 12:34:56"),
                     NOON * SECOND);
    assert_int_equal(time_of("%d.%m.%Y %H:%M:%S", "1.5.2024 12:34:56\r"),
                     NOON * SECOND);
    assert_int_equal(time_of("%a %b %e %I:%M:%S %p %Y",
                             "Wed May  1 12:34:56 PM 2024"),
                     NOON * SECOND);
    assert_int_equal(time_of("%Y/%m/%d", "2024/05/01"),
                     (NOON - 45296) * SECOND);
    assert_int_equal(time_of("%s", "1714566896"), NOON * SECOND);
    assert_int_equal(time_of("%Y-%j", "2024-122"), (NOON - 45296) * SECOND);
}

static void a_fraction_may_follow(void **state)
{
    (void)state;
    set_zone("UTC");
    assert_int_equal(time_of("%Y/%m/%d %T", "2024/05/01 12:34:56.25"),
                     NOON * SECOND + SECOND / 4);
    assert_int_equal(time_of("%Y/%m/%d %T", "2024/05/01 12:34:56,000000001 "),
                     NOON * SECOND + 1);
    assert_int_equal(time_of("%s", "1714566896.5"), NOON * SECOND + SECOND / 2);
    assert_int_equal(time_of("%Y/%m/%d %T", "2024/05/01 12:34:56."), 0);
}

static void the_zone_is_the_machines_or_that_of_percent_z(void **state)
{
    (void)state;
    set_zone("America/New_York");
    assert_int_equal(time_of("%F %T", "2024-05-01 08:34:56"), NOON * SECOND);
    assert_int_equal(time_of("%F %T %z", "2024-05-01 14:34:56 +0200"),
                     NOON * SECOND);
    assert_int_equal(time_of("%s", "1714566896"), NOON * SECOND);
    set_zone("UTC");
}

static void a_time_without_a_year_is_of_the_latest(void **state)
{
    (void)state;
    set_zone("UTC");
    assert_int_equal(time_of("%b %d %T", "May 1 12:34:56"), NOON * SECOND);
    assert_int_equal(time_of("%b %d %T", "May 1 12:34:57"),
                     (NOON + 1 - 366 * 86400) * SECOND);
    assert_int_equal(time_of("%b %d %T %z", "May 1 14:34:56 +0200"),
                     NOON * SECOND);
    assert_int_equal(time_of("%m-%d", "02-30"), 0);
}

static void other_texts_are_refused(void **state)
{
    char nul[] = "2024-05-01\0x";
    uint64_t ns = 42;

    (void)state;
    set_zone("UTC");
    assert_int_equal(time_of("%F", ""), 0);
    assert_int_equal(time_of("%F", "yesterday"), 0);
    assert_int_equal(time_of("%F", "2024-05-01x"), 0);
    assert_int_equal(time_of("%F", "2023-02-29"), 0);
    assert_int_equal(time_of("%F", "1969-12-31"), 0);
    assert_int_equal(time_of("%F", "2600-01-01"), 0);
    assert_false(
        time_format_read(&ns, (struct view){nul, sizeof nul - 1}, "%F", 0));
    assert_int_equal(ns, 42);
}

static void texts_of_any_length_are_safe(void **state)
{
    char *blanks = malloc(100000);

    (void)state;
    assert_non_null(blanks);
    memset(blanks, ' ', 100000);
    for (size_t len = 0; len <= 100000; len += len < 300 ? 1 : 9970) {
        uint64_t ns;

        assert_false(
            time_format_read(&ns, (struct view){blanks, len}, "%F", 0));
    }
    free(blanks);
}

static void formats_without_a_day_are_refused(void **state)
{
    static const char *const wrong[] = {"",   "time", "%H:%M", "%Y",
                                        "%b", "%",    "%Q",    "%d"};
    struct fault why;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        why.text[0] = '\0';
        if (time_format_check(wrong[i], &why))
            fail_msg("'%s' was accepted", wrong[i]);
        assert_string_not_equal(why.text, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_format_says_how_a_time_is_written),
        cmocka_unit_test(a_fraction_may_follow),
        cmocka_unit_test(the_zone_is_the_machines_or_that_of_percent_z),
        cmocka_unit_test(a_time_without_a_year_is_of_the_latest),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(texts_of_any_length_are_safe),
        cmocka_unit_test(formats_without_a_day_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
