/*
 * fpsbf_theory.h - predicted error rates of the fingerprint stable Bloom filter
 */
#ifndef FR_FPSBF_THEORY_H
#define FR_FPSBF_THEORY_H

#include <stdbool.h>

#include "freshet.h"

struct fr_fpsbf_law {
    double k, max;
    double equal; /* chance that two fingerprints are equal */
    double rate;  /* rate at which a cell is set, per stored key */
    double evict; /* decrements of a cell for each time it is set: xi L/k */
    bool any, xor;
};

/* Eq. 21: returns L, the counters to decrement for each new key so that false
   drops stay at this rate without fingerprints. */
double fr_fpsbf_victims(const struct fr_fpsbf_law *l, double false_drop);

/* Returns the chance that enough of k cells are above zero and agree, with
   these chances for each. */
double fr_fpsbf_matches(const struct fr_fpsbf_law *l, double above,
                        double agreeing);

/* Returns the chance of a false drop after n keys were stored.  The law is a
   void pointer, as in struct fr_course. */
double fr_fpsbf_false_drop(const void *law, double n);

/* Returns the chance of a false pass for a key that was stored "since" keys
   ago. */
double fr_fpsbf_false_pass(const void *law, double n, double since);

void fr_fpsbf_expect(const struct fr_fpsbf_law *l, const freshet_workload *w,
                     freshet_rates *rates);

#endif
