/*
 * pocket_plain.h - one key, without a window
 */
#ifndef FR_POCKET_PLAIN_H
#define FR_POCKET_PLAIN_H

#include "pocket_choice.h"

/* Increments the count of pushes if this was a push. */
FR_INLINE void count_push(uint64_t *line, unsigned before, unsigned push)
{
    uint16_t n = (uint16_t)((before + push) | (before & 0x8000));

    memcpy((char *)line + 62, &n, sizeof n);
}

/* Returns whether the second line has fewer pushes, by the difference modulo
   2^15. */
FR_INLINE unsigned fewer_pushes(struct fr_pair p)
{
    return (fr_line_pushes(p.line[1]) - fr_line_pushes(p.line[0])) >> 14 & 1;
}

/* Moves the key to the front of the line it was found in, or pushes it. */
FR_INLINE void put(struct choice c, uint64_t lo, unsigned width, unsigned slots,
                   unsigned push)
{
    unsigned before = fr_line_pushes(c.line);
    uint64_t last = UINT64_C(1) << (slots - 1); /* a push rotates all slots */

    line_rotate(c.line, fr_print(lo, width),
                ((unsigned)__builtin_ctzll(c.found | last) + 1) * width, width);
    count_push(c.line, before, push);
}

/* Both lines have the same width, and either room for a push or the last
   width. */
FR_INLINE uint8_t even_step(const struct pocket *s, const struct finder *f,
                            struct fr_pair p, uint64_t lo, unsigned width,
                            unsigned slots, unsigned choices)
{
    uint64_t print = fr_print(lo, width), in_b = 0;
    uint64_t in_a = line_find(f, p.line[0], print, width, slots);
    struct choice c;

    if (choices == 2)
        in_b = line_find(f, p.line[1], print, width, slots);
    c = choose(p, in_a, in_b, choices == 2 ? fewer_pushes(p) : 0);
    if (s->refresh || !c.hit)
        put(c, lo, width, slots, c.hit ^ 1);
    return (uint8_t)c.hit;
}

/* Returns the slots that hold the key in a line of its own width. */
static inline uint64_t young_find(const struct pocket *s,
                                  const struct finder *f, const uint64_t *line,
                                  unsigned level, uint64_t lo)
{
    unsigned width = s->width[level];

    return line_find(f, line, fr_print(lo, width), width, s->slots[level]);
}

FR_INLINE uint8_t plain_probe(const struct pocket *s,
                              const struct fr_pocket_live *live,
                              const struct finder *f, struct fr_pair p,
                              uint64_t lo, unsigned width, unsigned slots,
                              unsigned choices)
{
    (void)live;
    for (unsigned i = 0; i < choices; i++) {
        const uint64_t *line = p.line[i];

        if (likely(fr_line_pushes(line) >= s->settled)
                ? line_find(f, line, fr_print(lo, width), width, slots) != 0
                : young_find(s, f, line, fr_line_level(s, fr_line_pushes(line)),
                             lo) != 0)
            return FRESHET_SEEN;
    }
    return FRESHET_NEW;
}

#endif
