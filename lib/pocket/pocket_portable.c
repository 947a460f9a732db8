/*
 * pocket_portable.c - the pocket filter's loops in plain C
 */
#include "pocket_line.h"

struct finder {
    char none;
};

FR_INLINE void finder_init(struct finder *f, unsigned width, unsigned slots,
                           size_t n)
{
    (void)f, (void)width, (void)slots, (void)n;
}

FR_INLINE uint64_t line_find(const struct finder *f, const uint64_t *line,
                             uint64_t print, unsigned width, unsigned slots)
{
    (void)f;
    return fr_line_find_plain(line, print, width, slots);
}

FR_INLINE void line_rotate(uint64_t *line, uint64_t print, unsigned q,
                           unsigned width)
{
    fr_line_rotate_plain(line, print, q, width);
}

#include "pocket_kernel.h"

FR_POCKET_PATH(portable);
