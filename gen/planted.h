/*
 * planted.h - new records with repeats planted at chosen gaps
 *
 * Record i is a repeat by a coin that depends on i alone, and then it repeats
 * record i - gap, whose gap depends on i alone, too: whatever that one is
 * leads back to the record that was new, whose number is the key.  So gaps may
 * be of any length and nothing is kept.
 *
 * A gap counts from the record that is repeated.  Of random gaps some few find
 * the same record: then the later one has a repeat nearer than its gap.
 */
#ifndef GEN_PLANTED_H
#define GEN_PLANTED_H

#include "dice.h"
#include "params.h"
#include "real.h"

struct planted {
    uint64_t coins, gaps; /* seeds */
    uint64_t bound;       /* of a coin that says repeat */
    int shape;
    uint64_t gap, least;
    double scale; /* loguniform: ln of (gap + 1) / least; exponential: mean
                     of the distribution that is rounded down */
};

/* -1 and a sentence if there are no such gaps. */
int planted_start(struct planted *s, const struct gen_params *p,
                  struct fault *why);

/* The expected number of different keys among so many records. */
double planted_distinct(const struct planted *s, uint64_t records,
                        double repeats);

/* At least 1. */
static inline uint64_t planted_gap(const struct planted *s, uint64_t random)
{
    uint64_t gap;

    switch (s->shape) {
    case GEN_FIXED:
        return s->gap;
    case GEN_UNIFORM:
        return s->least + dice_below(random, s->gap - s->least + 1);
    case GEN_LOGUNIFORM:
        gap = (uint64_t)((double)s->least *
                         real_exp((1 - dice_real(random)) * s->scale));
        return gap < s->gap ? gap : s->gap;
    default:
        return 1 + (uint64_t)(-real_log(dice_real(random)) * s->scale);
    }
}

/* Record i's key; *repeat if it is not its own. */
static inline uint64_t planted_key(const struct planted *s, uint64_t i,
                                   uint8_t *repeat)
{
    uint64_t first = i;

    while (dice_at(s->coins, first) < s->bound) {
        uint64_t gap = planted_gap(s, dice_at(s->gaps, first));

        if (gap > first)
            break;
        first -= gap;
    }
    *repeat = first != i;
    return first;
}

/* As gen_kind.next(), on a state that begins with a struct planted. */
void planted_next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                  size_t n);

#endif
