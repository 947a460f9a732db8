/*
 * timestamp.c - reads times in the common formats
 */
#include "timestamp.h"

#include <stddef.h>
#include <string.h>

#include "calendar.h"
#include "number.h"

#define SECOND CALENDAR_SECOND

/* The unread text. */
struct cursor {
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns the next byte, or 0. */
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

/* Reads exactly n digits, as a number up to max. */
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

/* Reads ".25" as a part of the unit, in whole nanoseconds. */
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

/* Sets *dashed if it is written 2024-05-01 rather than 20240501. */
static bool read_date(struct cursor *c, struct calendar *date, bool *dashed)
{
    if (!read_digits(c, 4, 9999, &date->year))
        return false;
    *dashed = skip(c, '-');
    return read_digits(c, 2, 12, &date->month) && skip(c, '-') == *dashed &&
           read_digits(c, 2, 31, &date->day) && calendar_is_day(date);
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

/* Reads Z, +02:00, +0200, +02, or nothing. */
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
    struct calendar date = {.seconds = 0};
    uint64_t part = 0;
    bool dashed;

    if (!read_date(c, &date, &dashed))
        return false;
    if (skip(c, 'T') || skip(c, 't') || skip(c, ' ')) {
        if (!read_clock(c, dashed, &date.seconds, &part) ||
            !read_offset(c, &date.offset))
            return false;
    }
    return calendar_nanoseconds(ns, calendar_seconds(&date), part);
}

/* Reads "Nov", as a number from 1. */
static bool read_month(struct cursor *c, int *month)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    if (c->end - c->at < 3)
        return false;
    for (*month = 1; *month <= 12; ++*month)
        if (memcmp(c->at, names + 3 * (*month - 1), 3) == 0) {
            c->at += 3;
            return true;
        }
    return false;
}

/* Reads the time of a web log: 14/Nov/2023:22:13:20 +0000. */
static bool read_web(struct cursor *c, uint64_t *ns)
{
    struct calendar date = {.seconds = 0};
    uint64_t part = 0;

    return read_digits(c, 2, 31, &date.day) && skip(c, '/') &&
           read_month(c, &date.month) && skip(c, '/') &&
           read_digits(c, 4, 9999, &date.year) && calendar_is_day(&date) &&
           skip(c, ':') && read_clock(c, true, &date.seconds, &part) &&
           read_offset(c, &date.offset) &&
           calendar_nanoseconds(ns, calendar_seconds(&date), part);
}

/* Reads a blank and a day; a day of one digit may have two blanks before it. */
static bool read_day(struct cursor *c, int *day)
{
    if (!skip(c, ' '))
        return false;
    skip(c, ' ');
    if (c->end - c->at > 1 && c->at[1] == ' ')
        return read_digits(c, 1, 9, day);
    return read_digits(c, 2, 31, day);
}

/* Reads the time of RFC 3164, without year and zone: Nov 14 22:13:20. */
static bool read_syslog(struct cursor *c, uint64_t latest, uint64_t *ns)
{
    struct calendar date = {.local = true};
    uint64_t part = 0;

    return read_month(c, &date.month) && read_day(c, &date.day) &&
           skip(c, ' ') && read_clock(c, true, &date.seconds, &part) &&
           calendar_find_year(&date, latest) &&
           calendar_nanoseconds(ns, calendar_seconds(&date), part);
}

/* Digits followed by a dash or T are a year or a day of ISO 8601. */
static bool read_digits_first(struct cursor *c, uint64_t *ns)
{
    ptrdiff_t n = 0;
    char after;

    while (c->end - c->at > n && number_is_digit(c->at[n]))
        n++;
    after = c->end - c->at > n ? c->at[n] : '\0';
    if ((n == 4 && after == '-') || (n == 8 && (after | 0x20) == 't'))
        return read_iso(c, ns);
    return n == 2 && after == '/' ? read_web(c, ns) : read_number(c, ns);
}

/* Skips the priority of a syslog line and the version of RFC 5424: "<34>" or
   "<34>1 ". */
static void skip_priority(struct cursor *c)
{
    struct cursor p = *c;

    if (!skip(&p, '<') || !number_is_digit(peek(&p)))
        return;
    while (number_is_digit(peek(&p)))
        p.at++;
    if (!skip(&p, '>'))
        return;
    *c = p;
    if (p.end - p.at > 2 && number_is_digit(p.at[0]) && p.at[1] == ' ')
        c->at += 2;
}

/* Removes blanks on both sides, and brackets around the text. */
static void trim(struct cursor *c)
{
    while (c->at < c->end && is_blank(*c->at))
        c->at++;
    while (c->at < c->end && is_blank(c->end[-1]))
        c->end--;
    if (c->end - c->at > 1 && *c->at == '[' && c->end[-1] == ']') {
        c->at++;
        c->end--;
    }
}

bool timestamp_read(uint64_t *ns, struct view text, uint64_t latest)
{
    struct cursor c = {text.at, text.at + text.len};
    uint64_t read = 0;

    trim(&c);
    skip_priority(&c);
    if (!(number_is_digit(peek(&c)) ? read_digits_first(&c, &read)
                                    : read_syslog(&c, latest, &read)))
        return false;
    if (c.at < c.end)
        return false;
    *ns = read;
    return true;
}
