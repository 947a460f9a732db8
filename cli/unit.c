/*
 * unit.c - shares of memory, lengths of time, single bytes
 */
#include "unit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "size.h"

static uint64_t machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

bool unit_memory(uint64_t *bytes, const char *text)
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

/* ---- Time ------------------------------------------------------------- */

/* Longest first: that is the order to write them in. */
static const struct {
    const char *name;
    uint64_t ns;
} units[] = {
    {"w", UINT64_C(604800000000000)}, {"d", UINT64_C(86400000000000)},
    {"h", UINT64_C(3600000000000)},   {"m", UINT64_C(60000000000)},
    {"s", UINT64_C(1000000000)},      {"ms", UINT64_C(1000000)},
    {"us", UINT64_C(1000)},           {"ns", UINT64_C(1)},
};
enum { UNITS = sizeof units / sizeof *units, SECONDS = 4 };

static size_t unit_named(const char *name, size_t len)
{
    size_t u = 0;

    if (len == 0)
        return SECONDS;
    while (u < UNITS && (strlen(units[u].name) != len ||
                         memcmp(units[u].name, name, len) != 0))
        u++;
    return u;
}

bool unit_duration(uint64_t *ns, const char *text)
{
    double sum = 0;

    do {
        char *end;
        double value;
        size_t len, u;

        if (!isdigit((unsigned char)*text))
            return false;
        value = strtod(text, &end);
        len = strspn(end, "wdhmsun");
        u = unit_named(end, len);
        if (u == UNITS)
            return false;
        sum += value * (double)units[u].ns;
        text = end + len;
    } while (*text);
    if (!(sum >= 1 && sum < 0x1p62)) /* 146 years leave room to add clocks */
        return false;
    *ns = (uint64_t)sum;
    return true;
}

const char *unit_duration_text(char out[UNIT_TEXT], uint64_t ns)
{
    size_t n = 0;

    for (size_t u = 1; u < UNITS && ns; u++) { /* nobody reads weeks */
        if (ns < units[u].ns)
            continue;
        n += (size_t)snprintf(out + n, UNIT_TEXT - n, "%" PRIu64 "%s",
                              ns / units[u].ns, units[u].name);
        ns %= units[u].ns;
    }
    return out;
}

/* ---- Bytes ------------------------------------------------------------ */

bool unit_byte(int *byte, const char *text)
{
    static const char names[] = "tnr0\\", bytes[] = "\t\n\r\0\\";
    const char *name;

    if (text[0] && !text[1]) {
        *byte = (unsigned char)text[0];
        return true;
    }
    if (text[0] != '\\')
        return false;
    if (text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
        isxdigit((unsigned char)text[3]) && !text[4]) {
        *byte = (int)strtol(text + 2, NULL, 16);
        return true;
    }
    name = text[1] && !text[2] ? strchr(names, text[1]) : NULL;
    if (!name)
        return false;
    *byte = (unsigned char)bytes[name - names];
    return true;
}
