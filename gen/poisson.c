/*
 * poisson.c - frequent keys at independent random positions
 *
 * Deng and Rafiei's first model: a Poisson process of rate lambda on the
 * positions of the stream.  Each position is chosen with probability lambda, so
 * gaps are geometric, the discrete form of the exponential distribution.
 */
#include "frequent.h"

struct poisson {
    struct frequent frequent;
    struct frequent_coin coin;
};

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct poisson *s = state;

    s->coin.seed = dice_seed(p->seed, 0);
    s->coin.bound = dice_bound(p->lambda);
    return frequent_start(&s->frequent, p, p->lambda, about, why);
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    struct poisson *s = state;

    for (size_t i = 0, part; i < n; i += part) {
        part = n - i < FREQUENT_CHUNK ? n - i : FREQUENT_CHUNK;
        frequent_next(&s->frequent, s->coin, first + i, key + i,
                      repeat ? repeat + i : NULL, part);
    }
}

static void stop(void *state)
{
    frequent_stop(&((struct poisson *)state)->frequent);
}

const struct gen_kind gen_poisson = {
    .name = "poisson",
    .summary =
        "frequent keys at random positions among new ones (Deng and Rafiei)",
    .takes = "lambda mean",
    .size = sizeof(struct poisson),
    .start = start,
    .next = next,
    .stop = stop,
};
