/*
 * extrapolate.h - what a filter would do if a sample went on for ever
 *
 * The sample is offered again and again, each time under new names: an endless
 * stream whose repeats come at the sample's own gaps.  What came before the
 * sample began, and so looks new in it, looks new for ever.
 *
 * Large filters would take long to fill.  So keys are divided by a hash into as
 * many classes as the filter is larger than a small one of the same kind, and
 * the small one gets a class at a time.  Of a class's keys all records are
 * there, and fewer others between them in the same proportion: a small filter
 * errs on it as the large one does on all.  (Waldspurger et al., FAST 2015,
 * do so for caches.)
 */
#ifndef EXTRAPOLATE_H
#define EXTRAPOLATE_H

#include <stdbool.h>

#include "error_count.h"
#include "fault.h"
#include "freshet.h"
#include "input_keys.h"

/* A sample by classes, one after the other, each in the sample's order. */
struct classes {
    freshet_hash *hash;
    uint8_t *repeat;
    uint64_t *start; /* of each class, and the end of the last */
    uint64_t n;
    uint64_t records;
};

struct extrapolation {
    struct error_count tally;
    uint64_t scale; /* the filter was so much smaller */
    bool steady;    /* false: it was still filling up */
};

/* How many classes a filter of so many bytes makes. */
uint64_t classes_for(uint64_t memory);

/* False if there is no memory. */
bool classes_make(struct classes *c, const struct input_keys *r, uint64_t n);
void classes_free(struct classes *c);

/*
 * The errors of the filter that options describe, in its steady state; or, if
 * they expect so many distinct keys, from the first up to that many.  The
 * memory must be one that classes are for.  False and a sentence.
 */
bool extrapolate(struct extrapolation *out, const struct classes *c,
                 const freshet_options *options, struct fault *why);

#endif
