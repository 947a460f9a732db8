/*
 * py_filter.h - a filter that one thread uses at a time
 *
 * A filter is used by one thread at a time: methods hold its mutex while they
 * decide.  The interpreter's lock is given up where a method waits for the
 * mutex, and where it decides many keys.
 */
#ifndef PY_FILTER_H
#define PY_FILTER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pthread.h>
#include <sys/types.h>

#include "audit.h"
#include "freshet.h"
#include "snapshot.h"

struct py_filter {
    PyObject_HEAD pthread_mutex_t mutex;
    pid_t process;   /* that made it */
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
};

/* Returns an object of the type that is closed, or NULL with an exception
   set. */
struct py_filter *py_filter_alloc(PyTypeObject *type);

/* Frees the filter and its memory: the object is closed. */
void py_filter_free(struct py_filter *self);

/*
 * Locks the filter.  Returns false with an exception set if it is closed, or
 * if a fork left it locked by a thread that this process does not have.
 */
bool py_filter_lock(struct py_filter *self);
void py_filter_unlock(struct py_filter *self);

/* The same for a filter that may be closed. */
bool py_filter_lock_closed(struct py_filter *self);

/* The same for a method that changes the filter: also false if the block is
   shared memory. */
bool py_filter_lock_to_write(struct py_filter *self);

/* With the filter locked: moves the clock of a window of time. */
void py_filter_move_clock(struct py_filter *self);

/* With the filter locked: decides keys and tells the audit.  The interpreter's
   lock is not needed. */
void py_filter_offer(struct py_filter *self, const freshet_hash *keys, size_t n,
                     uint8_t *seen);

#endif
