/*
 * duration.c - converts "24h" to nanoseconds and back
 */
#include "duration.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

/* Longest first, which is the order of output. */
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

/* Returns the unit whose name is all the letters at text, or NULL. */
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

static const char too_long[] = "is longer than 146 years";

/* Reads one number with its unit.  Returns what is wrong with it, or NULL. */
static const char *read_term(uint64_t *ns, const char **text)
{
    struct number_decimal d;
    const struct unit *unit;

    if (!number_scan(&d, text))
        return "needs a number and a unit, such as 30s, 5m, 24h or 7d";
    if (!**text)
        return "has no unit; use ms, s, m, h, d or w";
    unit = unit_at(*text);
    if (!unit)
        return "has no such unit; use ms, s, m, h, d or w";
    *text += strlen(unit->name);
    return number_times(&d, unit->ns, ns) ? NULL : too_long;
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
        wrong = "must be more than 0";
    if (wrong)
        fault_set(why, "'%s' %s", text, wrong);
    else
        *ns = sum;
    return !wrong;
}

const char *duration_text(char out[DURATION_TEXT], uint64_t ns)
{
    size_t n = 0;

    for (size_t u = 1; u < UNITS && ns; u++) { /* weeks are read, not written */
        uint64_t count;

        if (ns < units[u].ns)
            continue;
        /* cppcheck-suppress zerodivcond ; no unit has 0 nanoseconds */
        count = ns / units[u].ns;
        n += (size_t)snprintf(out + n, DURATION_TEXT - n, "%" PRIu64 "%s",
                              count, units[u].name);
        ns %= units[u].ns;
    }
    return out;
}
