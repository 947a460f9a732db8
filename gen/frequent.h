/*
 * frequent.h - frequent keys among new ones, as Deng and Rafiei made streams
 *
 * Their section 5.1: at some positions, which poisson.c and bmodel.c choose,
 * stands a frequent key, at all others a new one.  Which frequent key is drawn
 * from an exponential distribution of mean u, rounded down.  Frequent keys are
 * 0, 1, 2 ..., new ones follow on the last that can be drawn.
 */
#ifndef GEN_FREQUENT_H
#define GEN_FREQUENT_H

#include "dice.h"
#include "kind.h"
#include "real.h"

struct frequent {
    uint64_t picks; /* seed */
    double mean;
    uint64_t end;   /* the first key that is not frequent */
    uint64_t *seen; /* a bit for each frequent key */
};

/*
 * Start, when so many of the records are expected to be frequent; about is
 * filled in.  -1 and a sentence if the mean is none.
 */
int frequent_start(struct frequent *s, const struct gen_params *p, double share,
                   struct gen_about *about, struct fault *why);
void frequent_stop(struct frequent *s);

/* Has a frequent key come before?  It has now. */
static inline uint8_t frequent_mark(struct frequent *s, uint64_t key)
{
    uint64_t bit = UINT64_C(1) << (key & 63);
    uint8_t before = (s->seen[key >> 6] & bit) != 0;

    s->seen[key >> 6] |= bit;
    return before;
}

/* The key of record i; repeat may be NULL. */
static inline uint64_t frequent_key(struct frequent *s, uint64_t i,
                                    bool is_frequent, uint8_t *repeat)
{
    uint64_t key;

    if (!is_frequent) {
        if (repeat)
            *repeat = 0;
        return s->end + i;
    }
    key = (uint64_t)(-real_log(dice_real(dice_at(s->picks, i))) * s->mean);
    if (repeat)
        *repeat = frequent_mark(s, key);
    return key;
}

#endif
