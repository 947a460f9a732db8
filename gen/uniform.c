/*
 * uniform.c - every key has the same probability
 *
 * N draws from U keys.  The expected number of different keys is U (1 - (1 -
 * 1/U)^N); if the share of different keys is given instead of U, U is solved
 * from that.  The published tables were made with another stream: shuffled.c.
 *
 * Keys are numbered in the order in which they first come.  After d different
 * keys, a number is drawn from 0 to U - 1: below d it is the key of that number
 * again, otherwise a new key.  The probabilities are those of drawing keys
 * themselves.  So each record is known to be new or a repeat, and only d is
 * kept.
 */
#include <math.h>

#include "dice.h"
#include "exact_math.h"
#include "key_order.h"
#include "kind.h"

#define MOST (UINT64_C(1) << 60) /* keys; the largest universe */

struct uniform {
    uint64_t seed, universe;
    uint64_t known; /* different keys so far */
    struct key_order order;
};

static double distinct_of(uint64_t universe, uint64_t records)
{
    double u = (double)universe;

    if (universe == 1)
        return 1;
    return -u * real_expm1((double)records * real_log1p(-1 / u));
}

/* Returns the smallest universe that gives at least this many different
   keys. */
static uint64_t solve_universe(double distinct, uint64_t records)
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

/* Returns the universe, or 0 and sets *why. */
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
    universe = solve_universe(distinct, p->records);
    if (universe < MOST)
        return universe;
    fault_set(why, "distinct is too near to 100%%: it needs more than 2^60 "
                   "keys; give universe=N instead");
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
    .summary = "all keys equally likely",
    .takes = "universe distinct",
    .size = sizeof(struct uniform),
    .start = start,
    .next = next,
};
