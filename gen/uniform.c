/*
 * uniform.c - every key as likely as any other
 *
 * N draws from U keys.  Of them U (1 - (1 - 1/U)^N) are expected to be
 * different, and U is solved from that if the share of different keys is given
 * instead.  The published tables were made with another stream: shuffled.c.
 *
 * Keys are numbered in the order in which they first come.  After d of them, a
 * number drawn from 0 to U - 1 is one of theirs, and that key again, or not:
 * then it stands for a new key, as likely as in draws of keys themselves.  So
 * the truth about each record comes with it, and d is all that is kept.
 */
#include <math.h>

#include "dice.h"
#include "exact_math.h"
#include "key_order.h"
#include "kind.h"

#define MOST (UINT64_C(1) << 60) /* keys */

struct uniform {
    uint64_t seed, universe;
    uint64_t known; /* keys that came */
    struct key_order order;
};

static double distinct_of(uint64_t universe, uint64_t records)
{
    double u = (double)universe;

    if (universe == 1)
        return 1;
    return -u * real_expm1((double)records * real_log1p(-1 / u));
}

/* The smallest universe that gives as many different keys. */
static uint64_t solve(double distinct, uint64_t records)
{
    uint64_t low = 1, high = MOST;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (distinct_of(middle, records) < distinct)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The universe as said, or 0 and a sentence. */
static uint64_t universe_of(const struct gen_params *p, struct fault *why)
{
    double distinct = p->distinct * (double)p->records;
    uint64_t universe;

    if (isnan(p->distinct)) {
        if (p->universe >= 1 && p->universe <= MOST)
            return p->universe;
        fault_set(why, p->universe ? "universe must be at most 2^60"
                                   : "uniform needs distinct=P, as in 15%%, or "
                                     "universe=N");
        return 0;
    }
    if (p->universe) {
        fault_set(why, "uniform takes distinct or universe, not both");
        return 0;
    }
    if (p->records == 0) {
        fault_set(why,
                  "uniform needs records=N to know how many keys make "
                  "distinct=%g%%",
                  100 * p->distinct);
        return 0;
    }
    if (distinct < 1) {
        fault_set(why, "distinct=%g%% of %llu records is less than one key",
                  100 * p->distinct, (unsigned long long)p->records);
        return 0;
    }
    universe = solve(distinct, p->records);
    if (universe < MOST)
        return universe;
    fault_set(why, "distinct is so near to 100%% that it takes more than 2^60 "
                   "keys; choose universe=N instead");
    return 0;
}

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct uniform *s = state;

    s->seed = dice_seed(p->seed, 0);
    s->universe = universe_of(p, why);
    if (!s->universe)
        return -1;
    key_order_start(&s->order, s->universe, p->seed);
    about->knows_truth = true;
    about->universe = s->universe;
    if (p->records)
        about->distinct = distinct_of(s->universe, p->records);
    return 0;
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    struct uniform s = *(struct uniform *)state;

    for (size_t i = 0; i < n; i++) {
        uint64_t drawn = dice_below(dice_at(s.seed, first + i), s.universe);
        bool again = drawn < s.known;

        key[i] = key_order_at(&s.order, again ? drawn : s.known);
        s.known += !again;
        if (repeat)
            repeat[i] = again;
    }
    ((struct uniform *)state)->known = s.known;
}

const struct gen_kind gen_uniform = {
    .name = "uniform",
    .summary = "every key as likely as any other",
    .takes = "universe distinct",
    .size = sizeof(struct uniform),
    .start = start,
    .next = next,
};
