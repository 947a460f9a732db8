/*
 * forgetting.h - computes at which distances a filter finds its keys
 */
#ifndef FORGETTING_H
#define FORGETTING_H

#include <stdbool.h>

#include "freshet.h"

/*
 * Returns the gap, in new keys of an endless stream, up to which this share of
 * keys is found; infinite if none is forgotten, NaN if unknown.
 */
double found_until(const freshet_options *options, double share);

/*
 * Returns the share of repeats that pass in the worst order of the expected
 * keys, in which all of them, or those of a window, come between a key and its
 * repeat: right after each came once, or later.  NaN if unknown.
 */
double worst_passes(const freshet_options *options);

/* Returns whether a filter of this reach (see freshet_rates) still finds half
   of its keys at twice the gap. */
bool forgets_gradually(const freshet_options *options, double reach);

#endif
