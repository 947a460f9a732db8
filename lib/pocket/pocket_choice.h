/*
 * pocket_choice.h - which of a key's two lines gets it
 */
#ifndef FR_POCKET_CHOICE_H
#define FR_POCKET_CHOICE_H

#include "parts/batched.h"
#include "pocket_line.h"

#define likely(x) __builtin_expect(!!(x), 1)

FR_INLINE void touch(struct fr_place at, freshet_hash key, unsigned choices)
{
    struct fr_pair p = fr_pair_at(at, key, choices);

    FR_PREFETCH(p.line[0]);
    if (choices == 2)
        FR_PREFETCH(p.line[1]);
}

/* The result of a search in a key's two lines. */
struct choice {
    uint64_t *line; /* holds the key, or else will get it */
    uint64_t found; /* its slots that hold the key */
    unsigned hit, second;
};

/*
 * Returns the line that holds the key, or else the lighter one, which has fewer
 * pushes or, with a window, the smaller age string.  The choice is computed
 * with masks: a branch that depends on the key would be mispredicted every
 * other time, which would cost more than everything else.
 */
FR_INLINE struct choice choose(struct fr_pair p, uint64_t in_a, uint64_t in_b,
                               unsigned second_is_lighter)
{
    struct choice c = {.hit = (in_a | in_b) != 0};

    c.second = (in_b != 0) & (in_a == 0);
    c.second |= second_is_lighter & (c.hit ^ 1);
    c.found = in_a ^ ((in_a ^ in_b) & -(uint64_t)c.second);
    c.line = fr_second_if(p, c.second);
    return c;
}

#endif
