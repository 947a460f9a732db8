/*
 * pocket_even.h - with AVX-512: a group of keys whose lines all have one width
 */
#ifndef FR_POCKET_EVEN_H
#define FR_POCKET_EVEN_H

#include "pocket_groups.h"

/* Returns whether line_find() takes less time than guide_find(), or the latter
   would compare too few bits. */
FR_INLINE bool is_exact(unsigned width)
{
    return !has_whole_bytes(width) || width == 16 || width == 32 || width == 64;
}

FR_INLINE void even_search(const struct batch *b, size_t at,
                           struct found *found, unsigned width,
                           unsigned choices, bool many)
{
    const struct guide g = b->last; /* in registers */

#pragma GCC unroll 2
    for (unsigned i = 0; i < GROUP; i++) {
        uint64_t lo = b->lo[(at + i) % RING];
        uint64_t print = lo & (~UINT64_C(0) >> (64 - width));
        __m512i wanted = guide_wanted(&g, lo, 0);

#pragma GCC unroll 2
        for (unsigned j = 0; j < choices; j++) {
            const uint64_t *line = line_of(b, at + i, j);
            uint64_t in = is_exact(width) ? line_find(&b->f, line, print, width,
                                                      FR_PLAIN_STACK / width)
                                          : guide_find_whole(&g, line, wanted);

            found->pushes[j][i] = (uint16_t)fr_line_pushes(line);
            found->low[j][i] = (uint32_t)in;
            if (many)
                found->high[j][i] = (uint32_t)(in >> 32);
        }
        fetch_some(b, at + i, choices);
    }
}

/* Processes a group if its lines have the last width, or the first one and room
   for a push.  Returns false otherwise. */
FR_INLINE bool even_group(struct batch *b, size_t at, enum lines lines,
                          unsigned width, unsigned choices)
{
    const bool many = width < 16;
    struct shapes is = {in_all_lanes(width), in_all_lanes(width),
                        _mm512_setzero_si512(),
                        in_all_lanes(FR_PLAIN_STACK / width * width),
                        in_all_lanes(~0u)};
    uint64_t ones = ~UINT64_C(0) >> (64 - FR_PLAIN_STACK / width);
    struct slots all = {in_all_lanes((uint32_t)ones),
                        in_all_lanes((uint32_t)(ones >> 32))};
    unsigned push, doubt;
    struct sixteen c;
    struct found found;
    struct writes w;

    even_search(b, at, &found, width, choices, many);
    if (lines_of(b->s, &found, choices) != lines)
        return false;
    look_ahead(b, at, choices);
    c = choose_sixteen(b, at, &found, slots_of(&found, 0, all, many),
                       slots_of(&found, choices - 1, all, many), choices, many);
    (void)prepare(b, at, &c, is, is_exact(width), &w, &push, &doubt);
    write_lines(&w, b->s->refresh, push, width);
    search_again(b, at, doubt);
    return true;
}

#endif
