/*
 * measure.h - one filter on one stream, against the truth
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdatomic.h>

#include "error_count.h"
#include "key_stream.h"

/* The state of affairs after so many records. */
struct measure_point {
    struct error_count tally;
    double fill; /* the share of slots in use, NaN if unknown */
};

/* Nanoseconds per record. */
struct measure_time {
    double filter; /* deciding alone */
    double hash;   /* NaN for a recording, whose keys are hashed */
    double total;  /* with making the keys, telling the truth, comparing */
};

struct measure {
    /* What to do. */
    const struct stream *stream;
    freshet_options options;
    unsigned random31; /* scale of its variation by random31.h; 0: none */
    uint64_t points;   /* along the stream; 0: none */
    _Atomic uint64_t *progress; /* gets the records done added, or NULL */

    /* What came out. */
    freshet_info info;
    struct measure_point *point; /* points of them, to be freed */
    struct measure_point end;
    struct error_count steady; /* the second half */
    uint64_t keys_by_half;     /* distinct, of the first */
    struct measure_time time;
    freshet_rates theory, published;  /* NaN where there is none */
    double stable_fill, stable_after; /* as in freshet_rates */
};

/* False and a sentence, with nothing left to free. */
bool measure_run(struct measure *m, struct fault *why);

#endif
