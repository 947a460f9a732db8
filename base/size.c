/*
 * size.c - converts "64M" to bytes and back
 */
#include "size.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "number.h"

static const char units[] = "KMGTPE";

/* Reads "K", "KiB", "KB" or nothing, as a factor.  Returns false for anything
   else. */
static bool read_unit(uint64_t *unit, const char *text)
{
    const char *letter;
    uint64_t step;

    *unit = 1;
    if (!*text)
        return true;
    letter = strchr(units, toupper((unsigned char)*text));
    if (!letter)
        return false;
    if (!text[1] || strcmp(text + 1, "iB") == 0)
        step = 1024;
    else if (strcmp(text + 1, "B") == 0)
        step = 1000;
    else
        return false;
    for (const char *u = units; u <= letter; u++)
        *unit *= step;
    return true;
}

bool size_read(uint64_t *bytes, const char *text)
{
    struct number_decimal d;
    uint64_t unit, product;

    if (!number_scan(&d, &text) || !read_unit(&unit, text))
        return false;
    if ((unit == 1 && d.fraction != d.end) || !number_times(&d, unit, &product))
        return false;
    *bytes = product;
    return true;
}

bool size_read_memory(uint64_t *bytes, const char *text)
{
    uint64_t size;
    double share;
    char *end;

    if (size_read(&size, text) && size > 0) {
        *bytes = size;
        return true;
    }
    if (!isdigit((unsigned char)*text))
        return false;
    share = strtod(text, &end);
    if (strcmp(end, "%") != 0 || !(share > 0 && share <= 100))
        return false;
    *bytes = (uint64_t)((double)machine_memory() * (share / 100));
    return *bytes > 0;
}

const char *size_text(char out[SIZE_TEXT], uint64_t bytes)
{
    double value = (double)bytes;
    size_t u = 0;

    if (bytes < 1024) {
        snprintf(out, SIZE_TEXT, "%u", (unsigned)bytes);
        return out;
    }
    for (value /= 1024; value >= 1024 && units[u + 1]; u++)
        value /= 1024;
    /* Four digits before the unit are shown exactly. */
    snprintf(out, SIZE_TEXT, "%.*g%c", value >= 1000 ? 4 : 3, value, units[u]);
    return out;
}
