/*
 * extrapolate.h - predicts the errors of a filter if a sample continued for
 * ever
 *
 * The sample is offered again and again, each time with new names for its keys:
 * an endless stream whose repeats have the gaps of the sample.  Repeats of
 * records before the sample look new in it, and in all passes.
 *
 * Large filters would take long to fill.  So keys are divided by a hash into
 * classes, as many as the filter is times larger than a small one of the same
 * kind, and the small one gets one class at a time.  A class has all records of
 * its keys, and proportionally fewer other records between them, so that a
 * small filter has the same errors on it as the large one on all keys.
 * (Waldspurger et al., FAST 2015, do this for caches.)
 */
#ifndef EXTRAPOLATE_H
#define EXTRAPOLATE_H

#include <stdbool.h>

#include "error_count.h"
#include "fault.h"
#include "freshet.h"
#include "input_keys.h"

/* A sample divided into classes, each in the order of the sample. */
struct classes {
    freshet_hash *hash;
    uint8_t *repeat;
    uint64_t *start; /* start of each class, and the end of the last */
    uint64_t n;
    uint64_t records;
};

struct extrapolation {
    struct error_count tally;
    uint64_t scale; /* how many times smaller the filter was */
    bool steady;    /* false: it was still filling */
};

/* Returns the number of classes for a filter of this size. */
uint64_t classes_for(uint64_t memory);

/* Returns false if there is no memory. */
bool classes_make(struct classes *c, const struct input_keys *r, uint64_t n);
void classes_free(struct classes *c);

/*
 * Counts the errors of the filter that options describe, in its steady state;
 * or, if they expect a number of distinct keys, from the first key up to that
 * number.  The number of classes must be that for the memory.  Returns false
 * and sets *why on error.
 */
bool extrapolate(struct extrapolation *out, const struct classes *c,
                 const freshet_options *options, struct fault *why);

#endif
