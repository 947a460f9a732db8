/*
 * pocket_portable.c - the pocket filter's loops in plain C
 */
#include "pocket_line.h"

FR_INLINE uint64_t find_16(const uint64_t *line, uint64_t print, unsigned slots)
{
    return fr_line_find_plain(line, print, 16, slots);
}

FR_INLINE uint64_t find_32(const uint64_t *line, uint64_t print, unsigned slots)
{
    return fr_line_find_plain(line, print, 32, slots);
}

/* In this order: each uses the one before. */
#include "pocket_lanes.h"

#include "pocket_kernel.h"

FR_POCKET_PATH(portable);
