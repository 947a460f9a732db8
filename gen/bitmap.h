/*
 * bitmap.h - a bit for each key that came
 */
#ifndef GEN_BITMAP_H
#define GEN_BITMAP_H

#include <stdint.h>

/* Sets a bit.  Returns whether it was set before. */
static inline uint8_t bitmap_mark(uint64_t *bits, uint64_t at)
{
    uint64_t bit = UINT64_C(1) << (at & 63);
    uint8_t before = (bits[at >> 6] & bit) != 0;

    bits[at >> 6] |= bit;
    return before;
}

#endif
