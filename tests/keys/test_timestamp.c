/*
 * test_timestamp.c - times as records carry them
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "timestamp.h"

#define SECOND UINT64_C(1000000000)
#define NOON   UINT64_C(1714566896) /* 2024-05-01T12:34:56Z */
#define LATEST (NOON * SECOND)      /* for times without a year */

/* Exact memory, for the sanitizers to watch its end. */
static bool read_time(uint64_t *ns, const char *text)
{
    size_t len = strlen(text);
    char *copy = malloc(len + !len);
    bool is;

    assert_non_null(copy);
    memcpy(copy, text, len);
    is = timestamp_read(ns, (struct view){copy, len}, LATEST);
    free(copy);
    return is;
}

#define assert_time(text, wanted)                                              \
    do {                                                                       \
        uint64_t ns_ = 42;                                                     \
        if (!read_time(&ns_, text))                                            \
            fail_msg("'%s' was taken for no time", text);                      \
        assert_int_equal(ns_, wanted);                                         \
    } while (0)

static void the_unit_of_a_number_follows_from_its_size(void **state)
{
    (void)state;
    assert_time("0", 0);
    assert_time("1714566896", NOON * SECOND);
    assert_time("1714566896123", NOON * SECOND + 123000000);
    assert_time("1714566896123456", NOON * SECOND + 123456000);
    assert_time("1714566896123456789", NOON * SECOND + 123456789);
    assert_time("99999999", UINT64_C(99999999) * SECOND);
    assert_time("18446744073", UINT64_C(18446744073) * SECOND);
    assert_time("100000000000", UINT64_C(100000000) * SECOND);
    assert_time("100000000000000", UINT64_C(100000000) * SECOND);
    assert_time("100000000000000000", UINT64_C(100000000) * SECOND);
    assert_time("18446744073709551615", UINT64_MAX);
}

static void fractions_are_of_that_unit(void **state)
{
    (void)state;
    assert_time("1714566896.5", NOON * SECOND + 500000000);
    assert_time("1714566896.123456789", NOON * SECOND + 123456789);
    assert_time("1714566896.1234567899", NOON * SECOND + 123456789);
    assert_time("1714566896123.25", NOON * SECOND + 123250000);
    assert_time("1714566896123456789.9", NOON * SECOND + 123456789);
    assert_time("0.000000001", 1);
}

static void dates_of_iso_8601_are_read(void **state)
{
    static const char *const same[] = {
        "2024-05-01T12:34:56Z",       "2024-05-01t12:34:56z",
        "2024-05-01 12:34:56",        "2024-05-01T12:34:56",
        "2024-05-01T14:34:56+02:00",  "2024-05-01T14:34:56+0200",
        "2024-05-01 14:34:56 +0200",  "2024-05-01T14:34:56+02",
        "2024-05-01T07:04:56-05:30",  "2024-05-02T00:34:56.000+12:00",
        " 2024-05-01T12:34:56Z\r",    "20240501T123456Z",
        "20240501T143456+0200",       "2024-05-01T12:34:56,0Z",
        "2024-05-01T12:34:56.000000",
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_time(same[i], NOON * SECOND);
    assert_time("2024-05-01", (NOON - 45296) * SECOND);
    assert_time("2024-05-01T12:34Z", (NOON - 56) * SECOND);
    assert_time("2024-05-01 12:34", (NOON - 56) * SECOND);
    assert_time("2024-05-01T12:34:56.789Z", NOON * SECOND + 789000000);
    assert_time("2024-05-01T12:34:56,123456789123Z", NOON * SECOND + 123456789);
    assert_time("2016-12-31T23:59:60Z", UINT64_C(1483228800) * SECOND);
    assert_time("1970-01-01", 0);
    assert_time("1969-12-31T23:00:00-01:00", 0);
    assert_time("2554-07-21T23:34:33.709551615Z", UINT64_MAX);
}

static void times_of_web_logs_are_read(void **state)
{
    (void)state;
    assert_time("01/May/2024:12:34:56 +0000", NOON * SECOND);
    assert_time("01/May/2024:14:34:56 +0200", NOON * SECOND);
    assert_time("01/May/2024:07:34:56 -0500", NOON * SECOND);
    assert_time("[01/May/2024:12:34:56 +0000]", NOON * SECOND);
    assert_time("01/May/2024:12:34:56.25 +0000", NOON * SECOND + SECOND / 4);
    assert_time("14/Nov/2023:22:13:20 +0000", UINT64_C(1700000000) * SECOND);
}

/* Sets the zone of the machine. */
static void set_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

static void syslog_times_are_local_and_of_the_latest_year(void **state)
{
    (void)state;
    set_zone("UTC");
    assert_time("May  1 12:34:56", NOON * SECOND);
    assert_time("May 1 12:34:56", NOON * SECOND);
    assert_time("<34>May  1 12:34:56", NOON * SECOND);
    assert_time("May  1 12:34:55.5", NOON * SECOND - SECOND / 2);
    assert_time("May  1 12:34:57", (NOON + 1 - 366 * 86400) * SECOND);
    assert_time("Dec 31 23:59:59", UINT64_C(1704067199) * SECOND);
    assert_time("Feb 29 00:00:00", UINT64_C(1709164800) * SECOND);
    assert_time("Jan  1 00:00:00", UINT64_C(1704067200) * SECOND);
    set_zone("America/New_York");
    assert_time("May  1 08:34:56", NOON * SECOND);
    assert_time("May  1 08:34:57", (NOON + 1 - 366 * 86400) * SECOND);
    assert_time("Jan 15 07:00:00", UINT64_C(1705320000) * SECOND);
    assert_time("Mar 10 01:59:59", UINT64_C(1710053999) * SECOND);
    assert_time("Mar 10 03:00:00", UINT64_C(1710054000) * SECOND);
    unsetenv("TZ");
    tzset();
}

static void syslog_times_of_rfc_5424_are_read(void **state)
{
    (void)state;
    assert_time("2024-05-01T12:34:56.000003Z", NOON * SECOND + 3000);
    assert_time("2024-05-01T05:34:56.000003-07:00", NOON * SECOND + 3000);
    assert_time("<165>1 2024-05-01T12:34:56Z", NOON * SECOND);
}

static void every_day_is_the_calendars(void **state)
{
    (void)state;
    for (int64_t day = 0; day < 213503; day++) {
        time_t seconds = (time_t)(day * 86400);
        char text[40];
        struct tm tm;

        assert_non_null(gmtime_r(&seconds, &tm));
        strftime(text, sizeof text, "%Y-%m-%d", &tm);
        assert_time(text, (uint64_t)seconds * SECOND);
    }
}

static void the_time_zone_of_the_machine_has_no_say(void **state)
{
    (void)state;
    setenv("TZ", "America/New_York", 1);
    tzset();
    assert_time("2024-05-01T12:34:56", NOON * SECOND);
    unsetenv("TZ");
    tzset();
}

static void what_is_no_time_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        " ",
        "-1",
        "+1",
        "1.",
        ".5",
        "1.5.5",
        "1e9",
        "0x10",
        "now",
        "17145668 96",
        "1714566896s",
        "99999999999",
        "18446744074",
        "18446744073709551616",
        "1969-12-31",
        "1970-01-01T00:00:00+00:01",
        "2554-07-21T23:34:33.709551616Z",
        "2024-5-1",
        "2024-13-01",
        "2024-00-01",
        "2024-02-30",
        "2023-02-29",
        "2100-02-29",
        "2024-05-00",
        "2024-05-01T",
        "2024-05-01T12",
        "2024-05-01T12:3",
        "2024-05-01T24:00:00Z",
        "2024-05-01T12:60:00Z",
        "2024-05-01T12:34:61Z",
        "2024-05-01T12:34:56.Z",
        "2024-05-01T12:34:56X",
        "2024-05-01T12:34:56+",
        "2024-05-01T12:34:56+2",
        "2024-05-01T12:34:56+02:",
        "2024-05-01T12:34:56+02:60",
        "2024-05-01T12:34:56+24:00",
        "2024-05-01T12:34:56Zx",
        "2024-05-01Z",
        "2024-0501",
        "2024-05-01T123456",
        "20240501T12:34:56",
        "2024/05/01",
        "1/May/2024:12:34:56 +0000",
        "01/may/2024:12:34:56 +0000",
        "01/May/24:12:34:56 +0000",
        "31/Apr/2024:12:34:56 +0000",
        "01/May/2024 12:34:56 +0000",
        "01/May/2024:12:34:56 UTC",
        "[01/May/2024:12:34:56",
        "[",
        "[]",
        "May",
        "May 1",
        "May 1 ",
        "May 32 12:34:56",
        "May  0 12:34:56",
        "Feb 30 12:34:56",
        "May   1 12:34:56",
        "May01 12:34:56",
        "Mai  1 12:34:56",
        "May  1 12:34:56 host",
        "<34>",
        "<>May  1 12:34:56",
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t ns = 42;

        if (read_time(&ns, wrong[i]))
            fail_msg("'%s' was taken for a time", wrong[i]);
        assert_int_equal(ns, 42);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_of_a_number_follows_from_its_size),
        cmocka_unit_test(fractions_are_of_that_unit),
        cmocka_unit_test(dates_of_iso_8601_are_read),
        cmocka_unit_test(times_of_web_logs_are_read),
        cmocka_unit_test(syslog_times_are_local_and_of_the_latest_year),
        cmocka_unit_test(syslog_times_of_rfc_5424_are_read),
        cmocka_unit_test(every_day_is_the_calendars),
        cmocka_unit_test(the_time_zone_of_the_machine_has_no_say),
        cmocka_unit_test(what_is_no_time_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
