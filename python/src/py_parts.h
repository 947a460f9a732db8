/*
 * py_parts.h - a filter that is split, so that threads decide side by side
 *
 * Each part has a lock.  A thread sorts its keys by parts and locks one part
 * after the other.  Keys of one thread keep their order; those of several
 * threads come in any order, as they do with one lock.
 */
#ifndef PY_PARTS_H
#define PY_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "freshet.h"

enum {
    PY_PARTS = 8,
    PY_PARTS_BATCH = 4096 /* keys that are decided at once, at most */
};

/* Keys that are decided at once, with room to sort them by parts: more than the
   stack of a thread may hold. */
struct py_batch {
    freshet_hash keys[PY_PARTS_BATCH], sorted[PY_PARTS_BATCH];
    uint32_t at[PY_PARTS_BATCH];
    uint8_t verdict[PY_PARTS_BATCH];
};

struct py_parts {
    freshet_parts *parts; /* NULL: the filter is not split */
    pthread_mutex_t lock[PY_PARTS];
    _Atomic uint64_t records; /* offered and remembered since it was split */
    _Atomic uint64_t now;     /* the clock that parts are told */
};

void py_parts_init(struct py_parts *p);
void py_parts_destroy(struct py_parts *p);

/* ---- While no other thread uses the filter ---------------------------- */

/* Returns false if the algorithm cannot be split. */
bool py_parts_split(struct py_parts *p, freshet *filter);

/* Tells all parts the time and adds up what they counted. */
void py_parts_join(struct py_parts *p);

/* To be called after the filter was reset. */
void py_parts_reset(struct py_parts *p);

/* Frees the parts, if there are any: the filter is whole again. */
void py_parts_free(struct py_parts *p);

/* ---- By any thread ---------------------------------------------------- */

/* Notes the time, for parts to be told before they decide.  Going back is
   ignored. */
void py_parts_tick(struct py_parts *p, uint64_t now);

/* The verbs: the first n keys of a batch, or one. */
void py_parts_offer_batch(struct py_parts *p, struct py_batch *batch, size_t n,
                          uint8_t *seen);
uint8_t py_parts_offer(struct py_parts *p, freshet_hash key);
int py_parts_query(struct py_parts *p, freshet_hash key);
void py_parts_remember(struct py_parts *p, freshet_hash key);
int py_parts_forget(struct py_parts *p, freshet_hash key);

#endif
