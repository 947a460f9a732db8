/*
 * rsbf_theory.h - the formulas of the paper that introduced rsbf
 */
#ifndef FR_RSBF_THEORY_H
#define FR_RSBF_THEORY_H

#include "freshet.h"

/* Named as in the paper: bits of a partition, and partitions. */
struct fr_dutta_law {
    double s, k;
};

/* Computes the rates as printed, for a filter without p*. */
void fr_dutta_expect(const struct fr_dutta_law *law, const freshet_workload *w,
                     freshet_rates *rates);

#endif
