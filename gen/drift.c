/*
 * drift.c - Zipf-distributed keys whose popularity moves on
 *
 * The keys are drawn as in zipf, among the latest ones.  At regular intervals a
 * new key gets the first rank, every other key moves down by one rank, and the
 * last key leaves for good.
 */
#include <stdlib.h>

#include "bitmap.h"
#include "kind.h"
#include "ranks.h"

#define MOST (UINT64_C(1) << 33) /* one bit per key is kept */

struct drift {
    struct ranks ranks;
    uint64_t seed, step;
    uint64_t top;   /* the key of the first rank for which seen[] is right */
    uint64_t *seen; /* a bit per popular key, at its number modulo universe */
};

static int start(void *state, const struct gen_params *p,
                 struct gen_about *about, struct fault *why)
{
    struct drift *s = state;

    if (ranks_start(&s->ranks, p->universe, p->exponent, why) < 0)
        return -1;
    if (p->universe > MOST) {
        fault_set(why, "drift has at most 2^33 popular keys at a time");
        return -1;
    }
    s->seen = calloc(p->universe / 64 + 1, 8); /* pages stay untouched */
    if (!s->seen) {
        fault_set(why, "no memory for a bit per popular key: choose a smaller "
                       "universe");
        return -1;
    }
    s->seed = dice_seed(p->seed, 0);
    s->step = p->step;
    s->top = p->universe - 1;
    about->knows_truth = true;
    if (p->records)
        about->universe = p->universe + (p->records - 1) / p->step;
    return 0;
}

static uint8_t mark(struct drift *s, uint64_t top, uint64_t key)
{
    uint64_t at;

    while (s->top < top) { /* a key that left makes room for a new one */
        at = ++s->top % s->ranks.n;
        s->seen[at >> 6] &= ~(UINT64_C(1) << (at & 63));
    }
    return bitmap_mark(s->seen, key % s->ranks.n);
}

static void next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                 size_t n)
{
    struct drift *s = state;

    ranks_pick(&s->ranks, s->seed, first, key, n);
    for (size_t i = 0; i < n; i++) {
        uint64_t top = s->ranks.n - 1 + (first + i) / s->step;

        key[i] = top - key[i];
        if (repeat)
            repeat[i] = mark(s, top, key[i]);
    }
}

static void stop(void *state)
{
    free(((struct drift *)state)->seen);
}

const struct gen_kind gen_drift = {
    .name = "drift",
    .summary = "like zipf, but new keys become the popular ones",
    .takes = "universe exponent step",
    .size = sizeof(struct drift),
    .start = start,
    .next = next,
    .stop = stop,
};
