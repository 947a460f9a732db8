/*
 * planted.h - new records with repeats planted at chosen gaps
 *
 * A random number that depends on i alone decides whether record i is a repeat,
 * and another one decides its gap: the record repeats record i - gap.  That one
 * may be a repeat itself; the chain ends at a record that was new, whose number
 * is the key.  So gaps may be of any length and no history is kept.
 *
 * A gap counts from the record that is repeated.  A few random gaps lead to the
 * same record; the later repeat then has a nearer one than its gap says.
 */
#ifndef GEN_PLANTED_H
#define GEN_PLANTED_H

#include "kind.h"
#include "math_tables.h"

struct planted {
    uint64_t coins, gaps; /* seeds */
    uint64_t bound;       /* random numbers below it make a repeat */
    int shape;
    uint64_t gap, least;
    double scale; /* loguniform: ln of (gap + 1) / least; exponential: mean
                     of the distribution that is rounded down */
    struct tables tables;
};

/* The same as gen_kind.start() and next(), on a state that begins with this
   struct. */
int planted_start(void *state, const struct gen_params *p,
                  struct gen_about *about, struct fault *why);
void planted_next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                  size_t n);

#endif
