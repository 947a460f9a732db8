/*
 * py_filter.h - a filter that threads of the interpreter share
 *
 * At first a thread locks the whole filter while it decides.  When a second
 * thread has to wait for it, the filter is split into parts if the algorithm
 * can be (py_parts.h); from then on threads decide side by side, and only
 * methods that need the whole filter, such as save(), stop them.
 *
 * The interpreter's lock is given up where a method waits, and where it decides
 * many keys.  It is held wherever a filter is split.
 */
#ifndef PY_FILTER_H
#define PY_FILTER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pthread.h>

#include "audit.h"
#include "freshet.h"
#include "py_parts.h"
#include "snapshot.h"

struct py_filter {
    PyObject_HEAD pthread_rwlock_t lock; /* shared by threads that use parts */
    unsigned forks;  /* of this process and its parents at the last use */
    freshet *filter; /* NULL: closed */

    /* What the filter's block lies in, if it is not the library's own memory;
       at most one of these. */
    struct snapshot *snapshot; /* a state file that was loaded */
    void *copy;                /* of saved bytes */
    Py_buffer shared; /* of another object; shared.obj is NULL if not */

    struct audit *audit; /* or NULL */
    uint64_t decided;    /* keys that the audit was told of */
    bool timed;          /* the window is one of time */
    bool ticked;         /* tick() moves the clock; else the machine's does */

    struct py_parts parts; /* in use if the filter is split */
    bool is_whole;         /* it cannot be split */
};

/* Returns an object of the type that is closed, or NULL with an exception
   set. */
struct py_filter *py_filter_alloc(PyTypeObject *type);

/* Frees the filter and its memory: the object is closed. */
void py_filter_free(struct py_filter *self);
void py_filter_dealloc(struct py_filter *self);

/* Returns whether threads decide by parts. */
static inline bool py_filter_is_split(const struct py_filter *self)
{
    return self->parts.parts;
}

/* ---- The whole filter ------------------------------------------------- */

/*
 * Locks the whole filter; its parts are joined.  Returns false with an
 * exception set if it is closed, or if a fork left it locked by a thread that
 * this process does not have.
 */
bool py_filter_lock(struct py_filter *self);
void py_filter_unlock(struct py_filter *self);

/* The same for a filter that may be closed. */
bool py_filter_lock_closed(struct py_filter *self);

/* The same for a method that changes the filter: also false if the block is
   shared memory. */
bool py_filter_lock_to_write(struct py_filter *self);

/* ---- Keys ------------------------------------------------------------- */

/*
 * Locks what keys need: the whole filter, or, if it is split, nothing but its
 * being whole.  Returns false as the functions above do; to be unlocked by
 * py_filter_unlock().
 */
bool py_filter_lock_keys(struct py_filter *self, bool to_write);

/*
 * With keys locked; the interpreter's lock is not needed.  Moves the clock of a
 * window of time, then decides the first n keys of a batch, and tells the
 * audit.
 */
void py_filter_offer_batch(struct py_filter *self, struct py_batch *batch,
                           size_t n, uint8_t *seen);

/* Likewise, for one key.  Returns as freshet_offer() does. */
uint8_t py_filter_offer(struct py_filter *self, freshet_hash key);

/* Likewise.  Returns as freshet_query() does. */
int py_filter_query(struct py_filter *self, freshet_hash key);
void py_filter_remember(struct py_filter *self, freshet_hash key);

/* Returns as freshet_forget() does. */
int py_filter_forget(struct py_filter *self, freshet_hash key);

/* With the whole filter locked. */
void py_filter_tick(struct py_filter *self, uint64_t now);
void py_filter_reset(struct py_filter *self);

#endif
