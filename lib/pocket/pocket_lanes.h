/*
 * pocket_lanes.h - the rest of a path that only has comparisons of 16 and 32
 * bits
 *
 * The including file defines find_16() and find_32(), which return the slots of
 * that width that hold a fingerprint.  Other widths and all rotations are plain
 * C.
 */
#ifndef FR_POCKET_LANES_H
#define FR_POCKET_LANES_H

#include "pocket_line.h"
#include "pocket_narrow.h"

enum { SEARCH_IS_CHEAP = 0 }; /* for pocket_filling.h */

struct finder { /* nothing to prepare */
    char none;
};

FR_INLINE void finder_init(struct finder *f, unsigned width, size_t n)
{
    (void)f, (void)width, (void)n;
}

FR_INLINE uint64_t line_find(const struct finder *f, const uint64_t *line,
                             uint64_t print, unsigned width, unsigned slots)
{
    (void)f;
    if (width == 16)
        return find_16(line, print, slots);
    if (width == 32)
        return find_32(line, print, slots);
    return fr_line_find_plain(line, print, width, slots);
}

FR_INLINE void line_rotate(uint64_t *line, uint64_t print, unsigned n,
                           unsigned width)
{
    fr_line_rotate_plain(line, print, n, width);
}

#endif
