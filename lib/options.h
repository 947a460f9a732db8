/*
 * options.h - from options of any age to a filter's layout
 */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include "algo.h"
#include "block.h"

/* Everything decided, nothing made. */
struct fr_layout {
    const struct fr_algo *algo;
    struct fr_goal goal;
    double param[FR_MAX_PARAMS];
    size_t bytes;                               /* of the block */
    char reason[256];                           /* why this algorithm */
    _Alignas(FR_ALIGN) char state[FR_MAX_BASE]; /* head, and zeroes */
};

/* A caller's options of any age. */
int fr_read_options(freshet_options *to, const freshet_options *from,
                    freshet_error *err);

/* The key of the hash that is asked for, as far as it is given. */
struct fr_hash_key fr_hash_key_of(const freshet_options *o);

/* Decide on a layout.  It refers to itself: do not copy it. */
int fr_layout_make(struct fr_layout *layout, const freshet_options *options,
                   freshet_error *err);

/* A caller's struct of any age, as ours: missing fields zero. */
int fr_read_struct(void *to, size_t to_size, const void *from, size_t oldest,
                   const char *what, freshet_error *err);

/* Write ours into a caller's struct of any age; its size is left alone. */
void fr_write_struct(void *to, const void *from, size_t from_size);

/* A size left unset would look like success, with nothing written. */
int fr_check_out(const void *to, const char *what, freshet_error *err);

/* "k=4,bits=2" from values. */
void fr_params_format(char *out, size_t size, const freshet_parameter *params,
                      const double *value);

/* The algorithm of that name, or NULL. */
const struct fr_algo *fr_algo_named(const char *name);

#endif
