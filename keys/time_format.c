/*
 * time_format.c - reads times in a format of strptime()
 */
#define _GNU_SOURCE /* strptime */
#include "time_format.h"

#include <limits.h>
#include <string.h>
#include <time.h>

#include "blank.h"
#include "calendar.h"
#include "number.h"

enum { TEXT = 256 }; /* most bytes of a time */

/* What strptime() has not set; no valid year, month or day. */
enum { UNSET = -3000 };

static const struct tm nothing = {.tm_year = UNSET,
                                  .tm_mon = UNSET,
                                  .tm_mday = UNSET,
                                  .tm_gmtoff = LONG_MIN};

/* The format is the user's; no format makes strftime() unsafe. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static size_t write_example(char out[TEXT], const char *format)
{
    struct tm noon = {.tm_year = 123,
                      .tm_mon = 10,
                      .tm_mday = 14,
                      .tm_hour = 12,
                      .tm_yday = 317,
                      .tm_wday = 2};

    return strftime(out, TEXT, format, &noon);
}
#pragma GCC diagnostic pop

bool time_format_check(const char *format, struct fault *why)
{
    struct tm tm = nothing;
    char text[TEXT];

    if (!write_example(text, format) || !strptime(text, format, &tm))
        return fault_set(why, "strptime() cannot read '%s'", format);
    if (tm.tm_mon == UNSET || tm.tm_mday == UNSET)
        return fault_set(why,
                         "'%s' does not determine the day; use %%m and %%d, or "
                         "%%s",
                         format);
    return true;
}

/* Reads a fraction such as ".25", in nanoseconds, and blanks.  Returns false if
   anything else follows. */
static bool read_rest(const char *p, uint64_t *fraction)
{
    uint64_t unit = CALENDAR_SECOND;

    *fraction = 0;
    if ((*p == '.' || *p == ',') && number_is_digit(p[1]))
        for (p++; number_is_digit(*p); p++)
            *fraction += (uint64_t)(*p - '0') * (unit /= 10);
    while (is_blank(*p) || *p == '\r')
        p++;
    return !*p;
}

static bool seconds_of(const struct tm *tm, uint64_t latest, int64_t *seconds)
{
    bool local = tm->tm_gmtoff == LONG_MIN;
    struct calendar c = {.year = tm->tm_year + 1900,
                         .month = tm->tm_mon + 1,
                         .day = tm->tm_mday,
                         .seconds = INT64_C(3600) * tm->tm_hour +
                                    INT64_C(60) * tm->tm_min + tm->tm_sec,
                         .local = local,
                         .offset = local ? 0 : tm->tm_gmtoff};

    if (tm->tm_year == UNSET ? !calendar_find_year(&c, latest)
                             : !calendar_is_day(&c))
        return false;
    *seconds = calendar_seconds(&c);
    return true;
}

bool time_format_read(uint64_t *ns, struct view text, const char *format,
                      uint64_t latest)
{
    struct tm tm = nothing;
    char copy[TEXT];
    const char *rest;
    uint64_t fraction;
    int64_t seconds;

    if (text.len >= sizeof copy || memchr(text.at, '\0', text.len))
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    rest = strptime(copy, format, &tm);
    return rest && read_rest(rest, &fraction) &&
           seconds_of(&tm, latest, &seconds) &&
           calendar_nanoseconds(ns, seconds, fraction);
}
