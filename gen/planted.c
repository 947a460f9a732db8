/*
 * planted.c - new records with repeats planted at chosen gaps
 */
#include "planted.h"

#define MOST (UINT64_C(1) << 48) /* records back */

static double scale_of(const struct planted *s)
{
    if (s->shape == GEN_LOGUNIFORM)
        return real_log((double)(s->gap + 1) / (double)s->least);
    /* Rounded down and one more, its mean is the gap. */
    return s->gap > 1 ? -1 / real_log1p(-1 / (double)s->gap) : 0;
}

int planted_start(struct planted *s, const struct gen_params *p,
                  struct fault *why)
{
    bool ranges = p->shape == GEN_UNIFORM || p->shape == GEN_LOGUNIFORM;

    if (p->repeats >= 1) {
        fault_set(why, "repeats must leave some records new: below 1, not %g",
                  p->repeats);
        return -1;
    }
    if (p->gap > MOST) {
        fault_set(why, "gap must be at most 2^48");
        return -1;
    }
    if (p->least > (ranges ? p->gap : 1)) {
        fault_set(why, ranges ? "least must not be above gap"
                              : "least is for uniform and loguniform gaps");
        return -1;
    }
    *s = (struct planted){
        .coins = dice_seed(p->seed, 0),
        .gaps = dice_seed(p->seed, 1),
        .bound = dice_bound(p->repeats),
        .shape = p->shape,
        .gap = p->gap,
        .least = p->least,
    };
    s->scale = scale_of(s);
    return 0;
}

/* A gap has its chance in the records after as many: the mean over gaps, each
   as likely as the others. */
double planted_distinct(const struct planted *s, uint64_t records,
                        double repeats)
{
    enum { STEPS = 4096 };
    double chances = 0;

    for (uint64_t i = 0; i < STEPS; i++) {
        uint64_t gap = planted_gap(s, (2 * i + 1) << 51); /* (i + 1/2) / 4096 */

        if (gap < records)
            chances += (double)(records - gap) / STEPS;
    }
    return (double)records - repeats * chances;
}

void planted_next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                  size_t n)
{
    const struct planted *s = state;
    uint8_t ignored;

    for (size_t i = 0; i < n; i++)
        key[i] = planted_key(s, first + i, repeat ? &repeat[i] : &ignored);
}
