/*
 * pocket_theory.h - predicted error rates of the pocket filter
 */
#ifndef FR_POCKET_THEORY_H
#define FR_POCKET_THEORY_H

#include "pocket/pocket.h"

/* Returns the chance that a new key is called seen, if each of its lines holds
   its fingerprint with chance one. */
double fr_pocket_false_drop(const struct pocket *s, double one);

/* Returns an upper bound of that chance for full lines of that width. */
double fr_pocket_drop_bound(unsigned choices, unsigned slots, unsigned width);

/* This is fr_algo.expect of pocket. */
void fr_pocket_expect(const void *state, const freshet_workload *w,
                      freshet_rates *rates);

#endif
