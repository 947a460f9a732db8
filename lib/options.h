/*
 * options.h - from options of any version to a filter's layout
 */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include "algo.h"
#include "block.h"
#include "planner.h"

/* All decisions about a filter that does not exist yet. */
struct fr_layout {
    const struct fr_algo *algo;
    struct fr_goal goal;
    double param[FR_MAX_PARAMS];
    size_t bytes;                               /* size of the block */
    char reason[FR_REASON];                     /* why this algorithm */
    _Alignas(FR_ALIGN) char state[FR_MAX_BASE]; /* the head; all else is zero */
};

/* Copies a caller's options of any version. */
int fr_read_options(freshet_options *to, const freshet_options *from,
                    freshet_error *err);

/* Returns the key of the hash that is asked for, as far as it is given. */
struct fr_hash_key fr_hash_key_of(const freshet_options *o);

/* Decides on a layout.  It contains pointers into itself: do not copy it. */
int fr_layout_make(struct fr_layout *layout, const freshet_options *options,
                   freshet_error *err);

/* Copies a caller's struct of any version into one of this version.  Fields
   that the caller's version lacks become zero. */
int fr_read_struct(void *to, size_t to_size, const void *from, size_t oldest,
                   const char *what, freshet_error *err);

/* Copies a struct of this version into a caller's struct of any version.  The
   caller's size field stays as it is. */
void fr_write_struct(void *to, const void *from, size_t from_size);

/* Refuses a caller's struct whose size field is not set: nothing would be
   written to it, and the call would still seem to succeed. */
int fr_check_out(const void *to, const char *what, freshet_error *err);

/* Refuses gaps without a share. */
int fr_check_gaps(const freshet_gap *gaps, uint64_t n, freshet_error *err);

/* Formats parameters with their values, such as "k=4,bits=2". */
void fr_params_format(char *out, size_t size, const freshet_parameter *params,
                      const double *value);

/* Returns the algorithm with that name, or NULL. */
const struct fr_algo *fr_algo_named(const char *name);

#endif
