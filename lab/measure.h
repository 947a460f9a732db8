/*
 * measure.h - measures one filter on one stream
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdatomic.h>

#include "error_count.h"
#include "key_stream.h"

/* The state after a number of records. */
struct measure_point {
    struct error_count tally;
    double fill; /* the share of slots in use, NaN if unknown */
};

/* Nanoseconds per record. */
struct measure_time {
    double filter; /* of the decisions alone */
    double hash;   /* NaN for a recording, whose keys are already hashed */
    double total;  /* including making keys, finding repeats and comparing */
};

struct measure {
    /* Input. */
    const struct stream *stream;
    freshet_options options;
    unsigned random31; /* scale of its variation by random31.h; 0: none */
    uint64_t points;   /* points along the stream; 0: none */
    _Atomic uint64_t *progress; /* the number of records done is added to it, or
                                   NULL */

    /* Results. */
    freshet_info info;
    struct measure_point *point; /* one for each point, to be freed */
    struct measure_point end;
    struct error_count steady; /* errors in the second half */
    uint64_t keys_by_half;     /* distinct keys of the first half */
    struct measure_time time;
    freshet_rates theory, published;  /* NaN if unknown */
    double stable_fill, stable_after; /* as in freshet_rates */
};

/* Returns false and sets *why on error, with nothing left to free. */
bool measure_run(struct measure *m, struct fault *why);

/* Computes what theory says of the filter on the stream, and measures
   nothing. */
void measure_expect(struct measure *m);

#endif
