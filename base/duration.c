/*
 * duration.c - "24h" to nanoseconds and back
 */
#include "duration.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Longest first: that is the order to write them in. */
static const struct unit {
    const char *name;
    uint64_t ns;
} units[] = {
    {"w", UINT64_C(604800000000000)}, {"d", UINT64_C(86400000000000)},
    {"h", UINT64_C(3600000000000)},   {"m", UINT64_C(60000000000)},
    {"s", UINT64_C(1000000000)},      {"ms", UINT64_C(1000000)},
    {"us", UINT64_C(1000)},           {"ns", UINT64_C(1)},
};
enum { UNITS = sizeof units / sizeof *units };

/* The unit whose name is all the letters at text, or NULL. */
static const struct unit *unit_at(const char *text)
{
    size_t len = 0;

    while (isalpha((unsigned char)text[len]))
        len++;
    for (size_t i = 0; i < UNITS; i++)
        if (strlen(units[i].name) == len &&
            memcmp(units[i].name, text, len) == 0)
            return &units[i];
    return NULL;
}

/* Digits as a number; past 2^64 - 1, false. */
static bool read_whole(uint64_t *n, const char **text)
{
    bool fits = true;

    for (*n = 0; isdigit((unsigned char)**text); ++*text)
        fits = fits && !__builtin_mul_overflow(*n, UINT64_C(10), n) &&
               !__builtin_add_overflow(*n, (uint64_t)(**text - '0'), n);
    return fits;
}

/* The share of a unit that ".25" stands for, cut to whole nanoseconds. */
static uint64_t read_fraction(const char **text, const char *end, uint64_t ns)
{
    uint64_t part = 0;

    /* A tenth at a time, from the last digit: nothing can overflow. */
    for (const char *digit = end; digit-- > *text;)
        part = ((uint64_t)(*digit - '0') * ns + part) / 10;
    *text = end;
    return part;
}

static const char too_long[] = "is longer than 146 years";

/* One number with its unit; what is wrong with it, or NULL. */
static const char *read_term(uint64_t *ns, const char **text)
{
    const char *start = *text, *fraction, *end;
    const struct unit *unit;
    uint64_t whole;
    bool fits = read_whole(&whole, text);

    fraction = *text + (**text == '.');
    for (end = fraction; isdigit((unsigned char)*end); end++)
        ;
    if (!isdigit((unsigned char)*start) || (**text == '.' && end == fraction))
        return "wants a number and a unit, such as 30s, 5m, 24h or 7d";
    unit = unit_at(end);
    if (!*end)
        return "has no unit; use ms, s, m, h, d or w";
    if (!unit)
        return "has no such unit; use ms, s, m, h, d or w";
    *ns = read_fraction(&fraction, end, unit->ns);
    *text = end + strlen(unit->name);
    if (!fits || __builtin_mul_overflow(whole, unit->ns, &whole) ||
        __builtin_add_overflow(*ns, whole, ns))
        return too_long;
    return NULL;
}

bool duration_read(uint64_t *ns, const char *text, struct fault *why)
{
    const char *rest = text, *wrong = NULL;
    uint64_t sum = 0;

    do {
        uint64_t term = 0;

        wrong = read_term(&term, &rest);
        if (!wrong && (__builtin_add_overflow(sum, term, &sum) || sum >> 62))
            wrong = too_long;
    } while (!wrong && *rest);
    if (!wrong && sum == 0)
        wrong = "is no time at all";
    if (wrong)
        fault_set(why, "'%s' %s", text, wrong);
    else
        *ns = sum;
    return !wrong;
}

const char *duration_text(char out[DURATION_TEXT], uint64_t ns)
{
    size_t n = 0;

    for (size_t u = 1; u < UNITS && ns; u++) { /* nobody reads weeks */
        if (ns < units[u].ns)
            continue;
        n += (size_t)snprintf(out + n, DURATION_TEXT - n, "%" PRIu64 "%s",
                              ns / units[u].ns, units[u].name);
        ns %= units[u].ns;
    }
    return out;
}
