/*
 * pocket_theory.h - what theory says of the pocket filter
 */
#ifndef FR_POCKET_THEORY_H
#define FR_POCKET_THEORY_H

#include "pocket/pocket.h"

/* The chance that a new key is called seen, if one of its lines holds its
   fingerprint with the chance given. */
double fr_pocket_false_drop(const struct pocket *s, double one);

/* A bound of that for full lines, of fingerprints of the width given. */
double fr_pocket_drop_bound(unsigned choices, unsigned slots, unsigned width);

/* fr_algo.expect */
void fr_pocket_expect(const void *state, const freshet_workload *w,
                      freshet_rates *rates);

#endif
