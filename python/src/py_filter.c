/*
 * py_filter.c - a filter that one thread uses at a time
 */
#include "py_filter.h"

#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "py_errors.h"

struct py_filter *py_filter_alloc(PyTypeObject *type)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct py_filter *self = (struct py_filter *)alloc(type, 0);

    if (self) {
        pthread_mutex_init(&self->mutex, NULL);
        self->process = getpid();
    }
    return self;
}

void py_filter_free(struct py_filter *self)
{
    freshet_free(self->filter);
    self->filter = NULL;
    if (self->snapshot)
        snapshot_free(self->snapshot);
    free(self->snapshot);
    self->snapshot = NULL;
    free(self->copy);
    self->copy = NULL;
    if (self->shared.obj)
        PyBuffer_Release(&self->shared);
    audit_free(self->audit);
    self->audit = NULL;
}

/* ---- One thread at a time --------------------------------------------- */

/* The interpreter's lock is given up while another thread has the filter. */
bool py_filter_lock_closed(struct py_filter *self)
{
    if (pthread_mutex_trylock(&self->mutex) == 0)
        return true;
    if (self->process != getpid()) {
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread was using the filter when this "
                        "process was forked, so its memory may be half "
                        "changed; make or open a filter of its own here");
        return false;
    }
    Py_BEGIN_ALLOW_THREADS;
    pthread_mutex_lock(&self->mutex);
    Py_END_ALLOW_THREADS;
    return true;
}

void py_filter_unlock(struct py_filter *self)
{
    pthread_mutex_unlock(&self->mutex);
}

bool py_filter_lock(struct py_filter *self)
{
    if (!py_filter_lock_closed(self))
        return false;
    if (self->filter)
        return true;
    py_filter_unlock(self);
    py_errors_closed();
    return false;
}

bool py_filter_lock_to_write(struct py_filter *self)
{
    if (!py_filter_lock(self))
        return false;
    if (!self->shared.obj)
        return true;
    py_filter_unlock(self);
    PyErr_SetString(PyExc_TypeError, "an attached filter is only asked, with "
                                     "'in'; it remembers nothing");
    return false;
}

/* ---- Keys ------------------------------------------------------------- */

void py_filter_move_clock(struct py_filter *self)
{
    if (self->timed && !self->ticked)
        freshet_tick(self->filter, clock_wall());
}

static uint64_t now_of(const struct py_filter *self)
{
    freshet_info info = {.size = offsetof(freshet_info, offered)};

    freshet_get_info(self->filter, &info);
    return info.now;
}

void py_filter_offer(struct py_filter *self, const freshet_hash *keys, size_t n,
                     uint8_t *seen)
{
    uint64_t now;

    freshet_offer_batch(self->filter, keys, n, seen);
    if (!self->audit)
        return;
    now = self->timed ? now_of(self) : 0;
    for (size_t i = 0; i < n; i++)
        audit_record(self->audit, keys[i], seen[i],
                     self->timed ? now : self->decided + i);
    self->decided += n;
}
