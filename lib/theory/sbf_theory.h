/*
 * sbf_theory.h - what theory says of the stable Bloom filter
 */
#ifndef FR_SBF_THEORY_H
#define FR_SBF_THEORY_H

#include "freshet.h"

/* As the paper names them: cells, set and decremented per record, and Max. */
struct fr_sbf_law {
    double m, k, p, max;
};

/* The P that keeps false drops at fps, for the K given. */
double fr_sbf_wanted_p(struct fr_sbf_law law, double fps);

/* The K with the fewest false passes at that rate. */
double fr_sbf_best_k(struct fr_sbf_law law, double fps);

void fr_sbf_expect(const struct fr_sbf_law *law, const freshet_workload *w,
                   freshet_rates *rates);

#endif
