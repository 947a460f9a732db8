/*
 * forgetting.h - how far back a filter finds its keys, and what is passed
 */
#ifndef FORGETTING_H
#define FORGETTING_H

#include <stdbool.h>

#include "freshet.h"

/*
 * Returns the gap, in new keys of an endless stream, up to which this share of
 * keys is found; infinite if none is forgotten, NaN if no theory tells.
 */
double found_until(const freshet_options *options, double share);

/*
 * Returns the share of repeats that are passed in the worst order of the keys
 * expected, which has all of them, or those of a window, between a key and its
 * repeat: right after each came once, or later.  NaN if no theory tells.
 */
double worst_passes(const freshet_options *options);

/* Does a filter of this reach (see freshet_rates) still find half of its keys
   at twice the gap? */
bool forgets_gradually(const freshet_options *options, double reach);

#endif
