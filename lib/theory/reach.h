/*
 * reach.h - how far back a filter remembers, from its false-pass formula
 */
#ifndef FR_REACH_H
#define FR_REACH_H

#include <math.h>

#include "theory.h"

/*
 * Returns the gap up to which a false pass is rarer than 1 in 1000 late in an
 * endless stream, for a formula that grows with the gap; infinity if the
 * formula stays below that.
 */
static inline double fr_reach(const struct fr_course *c)
{
    double low = 0, high = 1, late = (double)INFINITY;

    while (!(c->false_pass(c->filter, late, high) > 0.001)) {
        low = high;
        high *= 2;
        if (high > 0x1p62)
            return (double)INFINITY;
    }
    while (high - low > (1 + low) * 1e-6) {
        double middle = (low + high) / 2;

        if (c->false_pass(c->filter, late, middle) > 0.001)
            high = middle;
        else
            low = middle;
    }
    return low;
}

#endif
