/*
 * decider_wrapper.h - common parts of deciders that contain another one
 */
#ifndef DECIDER_WRAPPER_H
#define DECIDER_WRAPPER_H

#include "decider.h"

struct decider_wrapper {
    struct decider base;
    struct decider *inner;
};

/*
 * Returns zeroed memory of size bytes that begins with a wrapper of the inner
 * decider.  Returns NULL if inner is NULL or there is no memory, and then
 * closes inner.
 */
void *decider_wrap(struct decider *inner, const struct decider_type *type,
                   size_t size);

/* Functions of a type that only call the inner decider. */
void decider_wrapper_submit(struct decider *d, struct decision *b);
bool decider_wrapper_collect(struct decider *d, struct decision *b,
                             struct fault *why);
bool decider_wrapper_undo(struct decider *d, freshet_hash key,
                          enum verdict verdict);
void decider_wrapper_info(struct decider *d, freshet_info *out);
void decider_wrapper_close(struct decider *d);

#endif
