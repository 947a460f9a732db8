/*
 * size.c - "64M" to bytes and back
 */
#include "size.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char units[] = "KMGTPE";

/* The step between units that a suffix stands for, or 0 if it is none. */
static uint64_t step_of(const char *after_letter)
{
    if (*after_letter == '\0' || strcmp(after_letter, "iB") == 0)
        return 1024;
    return strcmp(after_letter, "B") == 0 ? 1000 : 0;
}

bool size_read(uint64_t *bytes, const char *text)
{
    uint64_t n = 0, step;
    const char *unit;
    bool fits = isdigit((unsigned char)*text);

    for (; isdigit((unsigned char)*text); text++)
        fits = fits && !__builtin_mul_overflow(n, UINT64_C(10), &n) &&
               !__builtin_add_overflow(n, (uint64_t)(*text - '0'), &n);
    if (*text) {
        unit = strchr(units, toupper((unsigned char)*text));
        step = unit ? step_of(text + 1) : 0;
        if (!step)
            return false;
        for (const char *u = units; u <= unit; u++)
            fits = fits && !__builtin_mul_overflow(n, step, &n);
    }
    if (fits)
        *bytes = n;
    return fits;
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
    /* Four digits before the unit are still exact to the reader. */
    snprintf(out, SIZE_TEXT, "%.*g%c", value >= 1000 ? 4 : 3, value, units[u]);
    return out;
}
