/*
 * pocket_window.h - one key, with a window
 */
#ifndef FR_POCKET_WINDOW_H
#define FR_POCKET_WINDOW_H

#include "pocket_age.h"
#include "pocket_choice.h"

/* Returns the live slots that hold the key. */
FR_INLINE uint64_t window_find(const struct finder *f, const uint64_t *line,
                               const struct fr_age *age, uint64_t lo,
                               unsigned width, unsigned slots)
{
    uint64_t alive = (UINT64_C(1) << age->alive) - 1;

    return line_find(f, line, fr_print(lo, width), width, slots) & alive;
}

/* Pushes onto a line that is full, or that is empty and may be wide again. */
static __attribute__((noinline)) void window_remake(const struct pocket *s,
                                                    uint64_t *line,
                                                    struct fr_age *age,
                                                    uint64_t lo)
{
    unsigned from = age->level, to = age->alive ? from + 1 : 0;

    fr_line_narrow(line, fr_print(lo, s->width[to]),
                   age->alive ? s->slots[from] : 0, s->width[from],
                   s->width[to], FR_AGE_STACK);
    age->level = to;
}

FR_INLINE void window_put(const struct pocket *s, struct fr_pocket_live *live,
                          struct choice c, struct fr_age age, uint64_t lo,
                          unsigned width, unsigned slots)
{
    bool full = age.alive >= slots && age.level + 1 < s->levels;
    bool wide = age.alive == 0 && age.level != 0;
    uint64_t last = UINT64_C(1) << (slots - 1); /* a push rotates all slots */

    if (!c.hit && (full || wide))
        window_remake(s, c.line, &age, lo);
    else
        line_rotate(c.line, fr_print(lo, width),
                    ((unsigned)__builtin_ctzll(c.found | last) + 1) * width,
                    width);
    live->forgotten += (c.hit ^ 1) & (age.alive >= slots && !full);
    fr_age_front(&age, c.found);
    c.line[FR_AGE_WORD] = fr_age_write(&age, live->generation);
}

/* Both lines have the same width. */
FR_INLINE uint8_t window_even(const struct pocket *s,
                              struct fr_pocket_live *live,
                              const struct finder *f, struct fr_pair p,
                              const struct fr_age age[2], uint64_t lo,
                              unsigned width, unsigned slots, unsigned choices)
{
    uint64_t in_b = 0;
    uint64_t in_a = window_find(f, p.line[0], &age[0], lo, width, slots);
    struct choice c;

    if (choices == 2)
        in_b = window_find(f, p.line[1], &age[1], lo, width, slots);
    c = choose(p, in_a, in_b, age[1].string < age[0].string);
    if (s->refresh || !c.hit)
        window_put(s, live, c, age[c.second], lo, width, slots);
    return (uint8_t)c.hit;
}

static __attribute__((noinline)) uint8_t window_uneven(
    const struct pocket *s, struct fr_pocket_live *live, const struct finder *f,
    struct fr_pair p, const struct fr_age *age, uint64_t lo)
{
    uint64_t in[2];
    struct choice c;
    unsigned at;

    for (unsigned i = 0; i < 2; i++)
        in[i] = window_find(f, p.line[i], &age[i], lo, s->width[age[i].level],
                            s->slots[age[i].level]);
    c = choose(p, in[0], in[1], age[1].string < age[0].string);
    at = age[c.second].level;
    if (s->refresh || !c.hit)
        window_put(s, live, c, age[c.second], lo, s->width[at], s->slots[at]);
    return (uint8_t)c.hit;
}

FR_INLINE struct fr_age window_age(const struct pocket *s,
                                   const struct fr_pocket_live *live,
                                   const uint64_t *line)
{
    struct fr_age age = fr_age_read(line[FR_AGE_WORD], live->generation);

    if (age.level >= s->levels)
        age.level = s->levels - 1; /* a damaged line: any level will do */
    return age;
}

FR_INLINE uint8_t window_step(const struct pocket *s,
                              struct fr_pocket_live *live,
                              const struct finder *f, struct fr_pair p,
                              uint64_t lo, unsigned width, unsigned slots,
                              unsigned choices)
{
    struct fr_age age[2];
    unsigned level;

    age[1] = age[0] = window_age(s, live, p.line[0]);
    if (choices == 2)
        age[1] = window_age(s, live, p.line[1]);
    level = age[0].level;
    if (level != age[1].level)
        return window_uneven(s, live, f, p, age, lo);
    if (likely(level == s->levels - 1))
        return window_even(s, live, f, p, age, lo, width, slots, choices);
    if (level == 0)
        return window_even(s, live, f, p, age, lo, FR_FIRST_WIDTH, s->slots[0],
                           choices);
    return window_even(s, live, f, p, age, lo, s->width[level], s->slots[level],
                       choices);
}

FR_INLINE uint8_t window_probe(const struct pocket *s,
                               const struct fr_pocket_live *live,
                               const struct finder *f, struct fr_pair p,
                               uint64_t lo, unsigned width, unsigned slots,
                               unsigned choices)
{
    for (unsigned i = 0; i < choices; i++) {
        struct fr_age age = window_age(s, live, p.line[i]);
        bool last = likely(age.level == s->levels - 1);

        if (window_find(f, p.line[i], &age, lo,
                        last ? width : s->width[age.level],
                        last ? slots : s->slots[age.level]))
            return FRESHET_SEEN;
    }
    return FRESHET_NEW;
}

#endif
