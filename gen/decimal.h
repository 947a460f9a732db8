/*
 * decimal.h - numbers as digits, two at a time
 */
#ifndef GEN_DECIMAL_H
#define GEN_DECIMAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern const char decimal_pairs[200]; /* "000102...99" */

/* Exactly width digits of value, which has no more; to out. */
static inline void decimal_fixed(char *out, uint64_t value, unsigned width)
{
    while (width >= 2) {
        width -= 2;
        memcpy(out + width, decimal_pairs + value % 100 * 2, 2);
        value /= 100;
    }
    if (width)
        *out = (char)('0' + value % 10);
}

extern const uint64_t decimal_powers[20]; /* 1, 10, 100, ... */

static inline unsigned decimal_width(uint64_t value)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    unsigned width = bits * 1233 >> 12; /* log10(2) of them: right or 1 less */

    return width + (width == 0 || value >= decimal_powers[width]);
}

/* As few digits as it takes, at most 20; how many. */
static inline size_t decimal_put(char *out, uint64_t value)
{
    unsigned width = decimal_width(value);

    decimal_fixed(out, value, width);
    return width;
}

#endif
