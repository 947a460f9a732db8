/*
 * blank.h - the bytes that separate fields where no separator is given
 */
#ifndef BLANK_H
#define BLANK_H

#include <stdbool.h>

/* Returns whether uniq takes a byte for a blank, in any locale. */
static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

#endif
