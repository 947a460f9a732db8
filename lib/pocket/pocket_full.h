/*
 * pocket_full.h - one key whose line is full and narrows
 */
#ifndef FR_POCKET_FULL_H
#define FR_POCKET_FULL_H

#include "pocket_plain.h"

/* Pushes onto a line that is full and not yet at the last width: the line is
   narrowed to the next width. */
static __attribute__((noinline)) void push_full(const struct pocket *s,
                                                uint64_t *line, uint64_t lo)
{
    unsigned before = fr_line_pushes(line), level = fr_line_level(s, before);

    if (fr_line_get(line, s->slots[level] - 1u, s->width[level])) {
        line_narrow(line, lo, s->slots[level], s->width[level],
                    s->width[level + 1]);
        count_push(line, before, 1);
    } else { /* forget() left room, which the line still counts */
        put((struct choice){.line = line}, lo, s->width[level], s->slots[level],
            0);
    }
}

/* The lines have different widths, or the one that will get the key is full. */
static __attribute__((noinline)) uint8_t young_step(const struct pocket *s,
                                                    const struct finder *f,
                                                    struct fr_pair p,
                                                    uint64_t lo)
{
    unsigned level[2], at;
    struct choice c;

    for (unsigned i = 0; i < 2; i++)
        level[i] = fr_line_level(s, fr_line_pushes(p.line[i]));
    c = choose(p, young_find(s, f, p.line[0], level[0], lo),
               young_find(s, f, p.line[1], level[1], lo), fewer_pushes(p));
    at = level[c.second];
    if (!c.hit && at + 1 < s->levels && fr_line_pushes(c.line) == s->slots[at])
        push_full(s, c.line, lo);
    else if (s->refresh || !c.hit)
        put(c, lo, s->width[at], s->slots[at], c.hit ^ 1);
    return (uint8_t)c.hit;
}

#endif
