/*
 * ranks.h - draws from a Zipf distribution: rank k of n with a probability
 * proportional to 1 / k^s
 *
 * Ranks are grouped into blocks, each 1/64 as long as all blocks before it
 * together.  A block is drawn as if each of its ranks were as frequent as the
 * first (by Walker's alias method), then one of its ranks uniformly; that rank
 * is accepted with the probability that corrects for it, else all is drawn
 * again.  The result is exact for any s and nearly always needs no logarithm.
 */
#ifndef GEN_RANKS_H
#define GEN_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include "dice.h"
#include "fault.h"
#include "math_tables.h"

enum { RANKS_BLOCKS = 2400 }; /* enough for 2^50 ranks */

struct ranks_block {
    uint64_t first, size;
    uint64_t sure;  /* random numbers below it accept even the last rank */
    uint64_t bound; /* random numbers below it stay in this block, */
    uint64_t alias; /* the others go to this one */
};

struct ranks {
    uint64_t n;
    double s;
    uint64_t blocks;
    struct ranks_block block[RANKS_BLOCKS];
    struct tables tables;
};

/* Returns -1 and sets *why if n or s is out of range. */
int ranks_start(struct ranks *r, uint64_t n, double s, struct fault *why);

/* Returns the expected number of different ranks in a number of draws. */
double ranks_distinct(const struct ranks *r, double draws);

/* Writes the ranks of records first to first + n - 1 for a seed: from 0, the
   most frequent, to r->n - 1. */
void ranks_pick(const struct ranks *r, uint64_t seed, uint64_t first,
                uint64_t *rank, size_t n);

#endif
