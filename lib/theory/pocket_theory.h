/*
 * pocket_theory.h - what theory says of the pocket filter
 */
#ifndef FR_POCKET_THEORY_H
#define FR_POCKET_THEORY_H

#include "freshet.h"

/* Any of so many slots equal to a new key's fingerprint. */
double fr_pocket_false_drop(double slots, double width);

/* fr_algo.expect */
void fr_pocket_expect(const void *state, const freshet_workload *w,
                      freshet_rates *rates);

#endif
