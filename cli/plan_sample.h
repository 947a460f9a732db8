/*
 * plan_sample.h - measures filters on a sample of a stream
 */
#ifndef PLAN_SAMPLE_H
#define PLAN_SAMPLE_H

#include "extrapolate.h"
#include "gap_counts.h"
#include "key_options.h"

struct plan_sample {
    struct input_keys recording;
    struct gap_counts gaps; /* of the recording */
    struct classes classes; /* as many as the last filter made */
};

/* Returns CLI_GO, or the status to exit with; to be closed in any case. */
int plan_sample_open(struct plan_sample *s, const char *name,
                     const struct key_args *key,
                     const struct record_args *record);

bool plan_sample_rates(struct plan_sample *s, const freshet_options *options,
                       struct extrapolation *out, struct fault *why);

void plan_sample_close(struct plan_sample *s);

#endif
