/*
 * calendar.c - converts year, month and day to seconds since 1970
 */
#include "calendar.h"

#include <time.h>

enum { DAY = 86400 };

bool calendar_is_day(const struct calendar *c)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = c->year % 4 == 0 && (c->year % 100 != 0 || c->year % 400 == 0);

    return c->month >= 1 && c->month <= 12 && c->day >= 1 &&
           c->day <= days[c->month - 1] + (c->month == 2 && leap);
}

/* Returns the days since 1970 in the Gregorian calendar.  Years are counted
   from March, so that the leap day comes last. */
static int64_t days_of(int year, int month, int day)
{
    int y = year - (month <= 2), m = (month + 9) % 12;

    return INT64_C(365) * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 +
           day - 719469;
}

static int64_t utc_seconds(const struct calendar *c)
{
    return days_of(c->year, c->month, c->day) * DAY + c->seconds;
}

/* Returns how many seconds local time is ahead of UTC at a time in UTC. */
static int64_t zone_offset(int64_t utc)
{
    time_t at = (time_t)utc;
    struct tm tm;

    return localtime_r(&at, &tm) ? tm.tm_gmtoff : 0;
}

/*
 * The local offset depends on the time that is computed: the first estimate is
 * wrong by at most the difference of two offsets, and the second one is right.
 */
int64_t calendar_seconds(const struct calendar *c)
{
    int64_t as_utc = utc_seconds(c);

    if (!c->local)
        return as_utc - c->offset;
    return as_utc - zone_offset(as_utc - zone_offset(as_utc));
}

bool calendar_find_year(struct calendar *c, uint64_t latest)
{
    int64_t limit = (int64_t)(latest / CALENDAR_SECOND);
    int year = 1970 + (int)(limit / (365 * DAY)) + 1;

    /* The first year is at most 2 too late, and leap years are at most 8 years
       apart. */
    for (c->year = year; c->year > year - 12; c->year--)
        if (calendar_is_day(c) && utc_seconds(c) <= limit + 2 * DAY &&
            calendar_seconds(c) <= limit)
            return true;
    return false;
}

bool calendar_nanoseconds(uint64_t *ns, int64_t seconds, uint64_t fraction)
{
    uint64_t whole = (uint64_t)seconds;

    return seconds >= 0 &&
           !__builtin_mul_overflow(whole, CALENDAR_SECOND, &whole) &&
           !__builtin_add_overflow(whole, fraction, ns);
}
