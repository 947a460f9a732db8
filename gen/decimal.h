/*
 * decimal.h - numbers written in decimal
 */
#ifndef GEN_DECIMAL_H
#define GEN_DECIMAL_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern const char decimal_pairs[200]; /* "000102...99" */

/* Writes value with exactly width digits.  It must not have more. */
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

/*
 * Returns the eight digits of a value below 10^8, one per byte, the first in
 * the lowest byte.  Halves, quarters and digits are divided side by side in one
 * word (Paul Khuong's method): each step splits off the higher parts and places
 * them below the remainders by one multiplication.
 */
static inline uint64_t decimal_eight(uint64_t value)
{
    uint64_t four = value * UINT64_C(3518437209) >> 45; /* value / 10000 */
    uint64_t fours = (value << 32) - four * ((UINT64_C(10000) << 32) - 1);
    uint64_t two = fours * 10486 >> 20 & UINT64_C(0x7f0000007f);
    uint64_t twos = (fours << 16) - two * ((UINT64_C(100) << 16) - 1);
    uint64_t ones = twos * 103 >> 10 & UINT64_C(0x000f000f000f000f);

    return (twos << 8) - ones * ((UINT64_C(10) << 8) - 1);
}

#define DECIMAL_ZEROS UINT64_C(0x3030303030303030)

static inline void decimal_store(char *out, uint64_t digits)
{
    digits = htole64(digits);
    memcpy(out, &digits, sizeof digits);
}

enum { DECIMAL = 24 }; /* bytes that decimal_put() may write to */

/*
 * Writes value without leading zeros and returns the number of digits, at most
 * 20.  Below 10^8 no branch depends on that number: it would be mispredicted
 * often.
 */
static inline size_t decimal_put(char *out, uint64_t value)
{
    uint64_t digits;
    unsigned zeros;
    size_t n = 0;

    if (value >= 100000000) {
        n = decimal_put(out, value / 100000000);
        decimal_store(out + n,
                      decimal_eight(value % 100000000) + DECIMAL_ZEROS);
        return n + 8;
    }
    digits = decimal_eight(value);
    zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
    decimal_store(out, (digits + DECIMAL_ZEROS) >> 8 * zeros);
    return 8 - zeros;
}

#endif
