/*
 * ranks.h - the k-th of n as often as 1 / k^s
 *
 * Ranks stand in blocks, a block a 64th as long as what came before it.  A
 * block is drawn as if each of its ranks were as frequent as the first (by
 * Walker's aliases), then one of its ranks, evenly, and this one is taken with
 * the chance that makes up for it; else all is drawn again.  Exact for any s,
 * and nearly always without a logarithm.
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
    uint64_t sure;  /* coins below this take even the last rank */
    uint64_t bound; /* of coins that stay in this block ... */
    uint64_t alias; /* ... and where the others go */
};

struct ranks {
    uint64_t n;
    double s;
    uint64_t blocks;
    struct ranks_block block[RANKS_BLOCKS];
    struct tables tables;
};

/* -1 and a sentence if n or s is out of range. */
int ranks_start(struct ranks *r, uint64_t n, double s, struct fault *why);

/* How many different ones are expected in so many draws. */
double ranks_distinct(const struct ranks *r, double draws);

/* The ranks of records first to first + n, by a seed: from 0, the most
   frequent, to r->n - 1. */
void ranks_pick(const struct ranks *r, uint64_t seed, uint64_t first,
                uint64_t *rank, size_t n);

#endif
