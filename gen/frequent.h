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
#include "math_tables.h"

struct frequent {
    uint64_t picks; /* seed */
    double mean;
    uint64_t end;   /* the first key that is not frequent */
    uint64_t *seen; /* a bit for each frequent key */
    struct tables tables;
};

/*
 * Start, when so many of the records are expected to be frequent; about is
 * filled in.  -1 and a sentence if the mean is none.
 */
int frequent_start(struct frequent *s, const struct gen_params *p, double share,
                   struct gen_about *about, struct fault *why);
void frequent_stop(struct frequent *s);

/*
 * The keys of at most FREQUENT_CHUNK records, of which those are frequent whose
 * coin is below the bound.  repeat may be NULL.
 */
enum { FREQUENT_CHUNK = 256 };
struct frequent_coin {
    uint64_t seed, bound;
};
void frequent_next(struct frequent *s, struct frequent_coin coin,
                   uint64_t first, uint64_t *key, uint8_t *repeat, size_t n);

#endif
