/*
 * published.c - the rates that papers print
 */
#include "published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* source,table,algorithm,records,distinct,memory,k,fpr,fnr,note */
enum { FIELDS = 9, LINE_CHARS = 256 };

static const char *const line[] = {
#include "published_lines.h"
};
enum { LINES = sizeof line / sizeof *line };

static double percent(const char *text)
{
    return *text ? strtod(text, NULL) : (double)NAN;
}

/* Returns 0.005 for "8.40" and 5e-06 for "2e-05". */
static double half_digit(const char *text)
{
    const char *point = strchr(text, '.'), *e = strchr(text, 'e');
    size_t digits = point ? strspn(point + 1, "0123456789") : 0;
    double unit = pow(10, -(double)digits);

    return unit / 2 * (e ? pow(10, strtod(e + 1, NULL)) : 1);
}

bool published_at(size_t i, struct published *out)
{
    char copy[LINE_CHARS], *rest = copy, *field[FIELDS];

    if (i + 1 >= LINES) /* the first line is the head */
        return false;
    snprintf(copy, sizeof copy, "%s", line[i + 1]);
    for (int f = 0; f < FIELDS; f++)
        field[f] = strsep(&rest, ",");
    *out = (struct published){.table = (unsigned)strtoul(field[1], NULL, 10),
                              .records = strtoull(field[3], NULL, 10),
                              .distinct = strtod(field[4], NULL),
                              .memory = strtoull(field[5], NULL, 10),
                              .k = (unsigned)strtoul(field[6], NULL, 10),
                              .fpr = percent(field[7]),
                              .fnr = percent(field[8]),
                              .fpr_half = half_digit(field[7]),
                              .fnr_half = half_digit(field[8])};
    snprintf(out->source, sizeof out->source, "%s", field[0]);
    snprintf(out->algorithm, sizeof out->algorithm, "%s", field[2]);
    return true;
}

const char *published_name(char out[PUBLISHED_NAME], const struct published *p)
{
    snprintf(out, PUBLISHED_NAME, "%s%u", p->source, p->table % 100);
    return out;
}

const char *published_filter(char out[PUBLISHED_FILTER],
                             const struct published *p)
{
    char parameter = strcmp(p->algorithm, "isqf") == 0 ? 'm' : 'k';

    if (strcmp(p->algorithm, "sqf") == 0)
        snprintf(out, PUBLISHED_FILTER, "sqf");
    else
        snprintf(out, PUBLISHED_FILTER, "%s %c=%u", p->algorithm, parameter,
                 p->k);
    return out;
}
