/*
 * unit.c - shares of memory, single bytes
 */
#include "unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "size.h"

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
