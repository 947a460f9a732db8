/*
 * sbf_theory.h - predicted error rates of the stable Bloom filter
 */
#ifndef FR_SBF_THEORY_H
#define FR_SBF_THEORY_H

#include "freshet.h"

/* Named as in the paper: cells, cells set and decremented per record, and
   Max. */
struct fr_sbf_law {
    double m, k, p, max;
    double set; /* of m cells, set per record as Eq. 18 has it; 0: k */
};

/* Eq. 17: returns the P that keeps false drops at this rate, at least 1. */
double fr_sbf_wanted_p(const struct fr_sbf_law *law, double false_drop);

/* Eq. 14: returns the chance that a repeat at a gap is called new. */
double fr_sbf_lost(const struct fr_sbf_law *law, double gap);

void fr_sbf_expect(const struct fr_sbf_law *law, const freshet_workload *w,
                   freshet_rates *rates);

#endif
