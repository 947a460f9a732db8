/*
 * frequent.h - frequent keys among new ones, as in Deng and Rafiei's streams
 *
 * Their section 5.1: poisson.c and bmodel.c choose the positions of frequent
 * keys; every other position gets a new key.  The frequent key is drawn from an
 * exponential distribution of mean u, rounded down.  Frequent keys are 0, 1, 2
 * ...; new keys begin after the last one that can be drawn.
 */
#ifndef GEN_FREQUENT_H
#define GEN_FREQUENT_H

#include "dice.h"
#include "kind.h"
#include "math_tables.h"

struct frequent {
    uint64_t picks; /* a seed */
    double mean;
    uint64_t end;   /* the first key that is not frequent */
    uint64_t *seen; /* a bit for each frequent key */
    struct tables tables;
};

/*
 * Starts a stream in which the given share of the records is expected to be
 * frequent, and fills in *about.  Returns -1 and sets *why if the mean is out
 * of range.
 */
int frequent_start(struct frequent *s, const struct gen_params *p, double share,
                   struct gen_about *about, struct fault *why);
void frequent_stop(struct frequent *s);

/*
 * Writes the keys of at most FREQUENT_CHUNK records.  A record is frequent if
 * its random number is below the bound of coin.  repeat may be NULL.
 */
enum { FREQUENT_CHUNK = 256 };
struct frequent_coin {
    uint64_t seed, bound;
};
void frequent_next(struct frequent *s, struct frequent_coin coin,
                   uint64_t first, uint64_t *key, uint8_t *repeat, size_t n);

#endif
