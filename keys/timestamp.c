/*
 * timestamp.c - when something happened, from a field's text
 */
#include "timestamp.h"

#include <stddef.h>

#include "number.h"

#define SECOND UINT64_C(1000000000)

/* What is left of the text. */
struct cursor {
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next byte, or 0. */
static char peek(const struct cursor *c)
{
    return c->at < c->end ? *c->at : '\0';
}

static bool skip(struct cursor *c, char wanted)
{
    bool is = c->at < c->end && *c->at == wanted;

    c->at += is;
    return is;
}

/* Exactly n digits, as a number up to max. */
static bool read_digits(struct cursor *c, int n, int max, int *value)
{
    *value = 0;
    for (; n; n--, c->at++) {
        if (!number_is_digit(peek(c)))
            return false;
        *value = *value * 10 + (*c->at - '0');
    }
    return *value <= max;
}

/* What ".25" is of a unit, cut to whole nanoseconds. */
static uint64_t read_fraction(struct cursor *c, uint64_t unit)
{
    uint64_t part = 0;

    for (; number_is_digit(peek(c)); c->at++)
        part += (uint64_t)(*c->at - '0') * (unit /= 10);
    return part;
}

static uint64_t unit_of(uint64_t number)
{
    if (number < UINT64_C(100000000000))
        return SECOND;
    if (number < UINT64_C(100000000000000))
        return 1000000;
    return number < UINT64_C(100000000000000000) ? 1000 : 1;
}

static bool read_number(struct cursor *c, uint64_t *ns)
{
    uint64_t n = 0, unit, part = 0;

    for (; number_is_digit(peek(c)); c->at++)
        if (!number_append(&n, *c->at))
            return false;
    unit = unit_of(n);
    if (skip(c, '.')) {
        if (!number_is_digit(peek(c)))
            return false;
        part = read_fraction(c, unit);
    }
    return !__builtin_mul_overflow(n, unit, &n) &&
           !__builtin_add_overflow(n, part, ns);
}

/* Days since 1970 of a day in the Gregorian calendar, counted from March so
   that the leap day comes last. */
static int64_t days_of(int year, int month, int day)
{
    int y = year - (month <= 2), m = (month + 9) % 12;

    return INT64_C(365) * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 +
           day - 719469;
}

static bool is_day(int year, int month, int day)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return month >= 1 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap);
}

/* *dashed: it is written 2024-05-01 rather than 20240501. */
static bool read_date(struct cursor *c, int64_t *days, bool *dashed)
{
    int year, month, day;

    if (!read_digits(c, 4, 9999, &year))
        return false;
    *dashed = skip(c, '-');
    if (!read_digits(c, 2, 12, &month) || skip(c, '-') != *dashed ||
        !read_digits(c, 2, 31, &day) || !is_day(year, month, day))
        return false;
    *days = days_of(year, month, day);
    return true;
}

static bool read_clock(struct cursor *c, bool colons, int64_t *seconds,
                       uint64_t *part)
{
    int hour, minute, second = 0;

    if (!read_digits(c, 2, 23, &hour) || (colons && !skip(c, ':')) ||
        !read_digits(c, 2, 59, &minute))
        return false;
    if (colons ? skip(c, ':') : number_is_digit(peek(c))) {
        if (!read_digits(c, 2, 60, &second))
            return false;
        if (skip(c, '.') || skip(c, ',')) {
            if (!number_is_digit(peek(c)))
                return false;
            *part = read_fraction(c, SECOND);
        }
    }
    *seconds = INT64_C(3600) * hour + INT64_C(60) * minute + second;
    return true;
}

/* Z, +02:00, +0200, +02, or nothing. */
static bool read_offset(struct cursor *c, int64_t *seconds)
{
    int hours, minutes = 0;
    char sign;

    *seconds = 0;
    if (c->at == c->end || skip(c, 'Z') || skip(c, 'z'))
        return true;
    skip(c, ' ');
    sign = peek(c);
    if (!skip(c, '+') && !skip(c, '-'))
        return false;
    if (!read_digits(c, 2, 23, &hours))
        return false;
    if ((skip(c, ':') || number_is_digit(peek(c))) &&
        !read_digits(c, 2, 59, &minutes))
        return false;
    *seconds = INT64_C(3600) * hours + INT64_C(60) * minutes;
    *seconds = sign == '-' ? -*seconds : *seconds;
    return true;
}

static bool read_iso(struct cursor *c, uint64_t *ns)
{
    int64_t days, clock = 0, offset = 0;
    uint64_t part = 0, seconds;
    bool dashed;

    if (!read_date(c, &days, &dashed))
        return false;
    if (skip(c, 'T') || skip(c, 't') || skip(c, ' ')) {
        if (!read_clock(c, dashed, &clock, &part) || !read_offset(c, &offset))
            return false;
    }
    days = days * 86400 + clock - offset;
    if (days < 0)
        return false;
    seconds = (uint64_t)days;
    return !__builtin_mul_overflow(seconds, SECOND, &seconds) &&
           !__builtin_add_overflow(seconds, part, ns);
}

/* A dash or T after the digits of a year or a day makes it a date. */
static bool is_date(const struct cursor *c)
{
    ptrdiff_t n = 0;

    while (c->end - c->at > n && number_is_digit(c->at[n]))
        n++;
    return c->end - c->at > n && ((n == 4 && c->at[n] == '-') ||
                                  (n == 8 && (c->at[n] | 0x20) == 't'));
}

bool timestamp_read(uint64_t *ns, struct view text)
{
    struct cursor c = {text.at, text.at + text.len};
    uint64_t read = 0;

    while (c.at < c.end && is_blank(*c.at))
        c.at++;
    while (c.at < c.end && is_blank(c.end[-1]))
        c.end--;
    if (!number_is_digit(peek(&c)))
        return false;
    if (!(is_date(&c) ? read_iso(&c, &read) : read_number(&c, &read)))
        return false;
    if (c.at < c.end)
        return false;
    *ns = read;
    return true;
}
