/*
 * bmodel.c - frequent keys come in bursts within bursts
 *
 * Deng and Rafiei's second model (Wang et al.'s b-model).  The volume v is the
 * share of frequent keys.  A part b of it falls into one half of the time and 1
 * - b into the other; each half is divided in the same way, l times.  In the
 * fullest of the 2^l intervals the share is v (2b)^l, which cannot be more than
 * 1: their constraint l <= ln v / ln(1 / 2b).
 */
#include "frequent.h"

enum { DEEPEST = 40 };

struct bmodel {
    struct frequent frequent;
    struct frequent_coin coin; /* the probability in the current interval */
    uint64_t end;              /* the first record after the current interval */
    uint64_t turns;            /* a seed */
    uint64_t records, level;
    double bias, volume;
    bool turned; /* the larger part falls into a random half */
};

static double fullest(const struct gen_params *p, uint64_t level)
{
    double share = p->volume;

    while (level--)
        share *= 2 * p->bias;
    return share;
}

static int check(const struct gen_params *p, struct fault *why)
{
    uint64_t most = 0;

    if (p->records == 0) {
        fault_set(why, "bmodel needs records=N: it divides the whole stream");
        return -1;
    }
    if (!(p->bias >= 0.5 && p->bias < 1)) {
        fault_set(why, "bias must be 0.5 or more and below 1, not %g", p->bias);
        return -1;
    }
    if (p->level > DEEPEST || p->records >> p->level == 0) {
        fault_set(why,
                  "%llu records cannot be halved %llu times; choose a "
                  "smaller level",
                  (unsigned long long)p->records, (unsigned long long)p->level);
        return -1;
    }
    if (fullest(p, p->level) <= 1)
        return 0;
    while (fullest(p, most + 1) <= 1)
        most++;
    fault_set(why,
              "volume=%g with bias=%g allows level=%llu at most, not "
              "%llu: volume (2 bias)^level, the share of frequent keys in "
              "the fullest interval, cannot be above 1",
              p->volume, p->bias, (unsigned long long)most,
              (unsigned long long)p->level);
    return -1;
}

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct bmodel *s = state;

    if (check(p, why) < 0)
        return -1;
    s->coin.seed = dice_seed(p->seed, 0);
    s->turns = dice_seed(p->seed, 2);
    s->records = p->records;
    s->level = p->level;
    s->bias = p->bias;
    s->volume = p->volume;
    s->turned = p->order == GEN_RANDOM;
    return frequent_start(&s->frequent, p, p->volume, about, why);
}

/* Computes the share and the end of the interval that holds record i. */
static void enter_interval(struct bmodel *s, uint64_t i)
{
    uint64_t parts = UINT64_C(1) << s->level;
    uint64_t part = (uint64_t)((dice_u128)i * parts / s->records);
    double share = s->volume;

    for (uint64_t l = 1; l <= s->level; l++) {
        uint64_t half = part >> (s->level - l);        /* at this level */
        uint64_t node = (UINT64_C(1) << l) + half / 2; /* its parent */
        uint64_t turn = s->turned ? dice_at(s->turns, node) >> 63 : 0;

        share *= 2 * ((half & 1) == turn ? s->bias : 1 - s->bias);
    }
    s->coin.bound = dice_bound(share);
    /* The first record of the next interval, rounded up. */
    s->end =
        (uint64_t)(((dice_u128)(part + 1) * s->records + parts - 1) / parts);
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    struct bmodel *s = state;

    for (size_t i = 0, part; i < n; i += part) {
        if (first + i >= s->end)
            enter_interval(s, first + i);
        part = n - i < FREQUENT_CHUNK ? n - i : FREQUENT_CHUNK;
        if (s->end - (first + i) < part)
            part = (size_t)(s->end - (first + i));
        frequent_next(&s->frequent, s->coin, first + i, key + i,
                      repeat ? repeat + i : NULL, part);
    }
}

static void stop(void *state)
{
    frequent_stop(&((struct bmodel *)state)->frequent);
}

const struct gen_kind gen_bmodel = {
    .name = "bmodel",
    .summary = "like poisson, in bursts within bursts (Deng and Rafiei)",
    .takes = "volume bias level order mean",
    .size = sizeof(struct bmodel),
    .start = start,
    .next = next,
    .stop = stop,
};
