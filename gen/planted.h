/*
 * planted.h - new records with repeats planted at chosen gaps
 *
 * Record i is a repeat by a coin that depends on i alone, and then it repeats
 * record i - gap, whose gap depends on i alone, too: whatever that one is
 * leads back to the record that was new, whose number is the key.  So gaps may
 * be of any length and nothing is kept.
 *
 * A gap counts from the record that is repeated.  Of random gaps some few find
 * the same record: then the later one has a repeat nearer than its gap.
 */
#ifndef GEN_PLANTED_H
#define GEN_PLANTED_H

#include "kind.h"
#include "math_tables.h"

struct planted {
    uint64_t coins, gaps; /* seeds */
    uint64_t bound;       /* of a coin that says repeat */
    int shape;
    uint64_t gap, least;
    double scale; /* loguniform: ln of (gap + 1) / least; exponential: mean
                     of the distribution that is rounded down */
    struct tables tables;
};

/* As gen_kind.start() and next(), on a state that begins with this struct. */
int planted_start(void *state, const struct gen_params *p,
                  struct gen_about *about, struct fault *why);
void planted_next(void *state, uint64_t first, uint64_t *key, uint8_t *repeat,
                  size_t n);

#endif
