/*
 * zipf.c - few keys are frequent, many are rare: the probability of rank k is
 * proportional to 1 / k^s
 */
#include "kind.h"
#include "ranks.h"

struct zipf {
    struct ranks ranks;
    uint64_t seed;
};

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct zipf *s = state;

    if (ranks_start(&s->ranks, p->universe, p->exponent, why) < 0)
        return -1;
    s->seed = dice_seed(p->seed, 0);
    about->universe = p->universe;
    if (p->records)
        about->distinct = ranks_distinct(&s->ranks, (double)p->records);
    return 0;
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    const struct zipf *s = state;

    (void)repeat;
    ranks_pick(&s->ranks, s->seed, first, key, n);
}

const struct gen_kind gen_zipf = {
    .name = "zipf",
    .summary = "key k with a frequency proportional to 1/k^s",
    .takes = "universe exponent",
    .size = sizeof(struct zipf),
    .start = start,
    .next = next,
};
