/*
 * py_filter.c - a filter that threads of the interpreter share
 */
#define _GNU_SOURCE /* PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP */
#include "py_filter.h"

#include <stdlib.h>

#include "clock.h"
#include "py_errors.h"

/* ---- Life ------------------------------------------------------------- */

static unsigned forks; /* of this process and its parents */

static void count_fork(void)
{
    forks++;
}

static void count_forks(void)
{
    static bool is_counting; /* under the interpreter's lock */

    if (!is_counting)
        is_counting = pthread_atfork(NULL, NULL, count_fork) == 0;
}

/* Threads that decide without end would keep save() waiting otherwise. */
static void init_lock(pthread_rwlock_t *lock)
{
    pthread_rwlockattr_t prefer;

    pthread_rwlockattr_init(&prefer);
    pthread_rwlockattr_setkind_np(&prefer,
                                  PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(lock, &prefer);
    pthread_rwlockattr_destroy(&prefer);
}

struct py_filter *py_filter_alloc(PyTypeObject *type)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    struct py_filter *self = (struct py_filter *)alloc(type, 0);

    if (!self)
        return NULL;
    count_forks();
    self->forks = forks;
    init_lock(&self->lock);
    py_parts_init(&self->parts);
    return self;
}

void py_filter_free(struct py_filter *self)
{
    py_parts_free(&self->parts);
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

void py_filter_dealloc(struct py_filter *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    py_filter_free(self);
    py_parts_destroy(&self->parts);
    pthread_rwlock_destroy(&self->lock);
    release(self);
    Py_DECREF(type);
}

/* ---- The whole filter ------------------------------------------------- */

static bool refuse_forked(void)
{
    PyErr_SetString(PyExc_RuntimeError,
                    "another thread was using the filter when this process "
                    "was forked, so its memory may be half changed; make or "
                    "open a filter of its own here");
    return false;
}

/* In a process that was forked since the last use: returns whether no thread
   was using the filter at that time. */
static bool is_whole_after_fork(struct py_filter *self)
{
    if (self->forks == forks)
        return true;
    if (pthread_rwlock_trywrlock(&self->lock) != 0)
        return refuse_forked();
    pthread_rwlock_unlock(&self->lock);
    self->forks = forks;
    return true;
}

/* The interpreter's lock is given up while another thread has the filter. */
static bool lock_all(struct py_filter *self, bool *waited)
{
    *waited = false;
    if (!is_whole_after_fork(self))
        return false;
    if (pthread_rwlock_trywrlock(&self->lock) == 0)
        return true;
    *waited = true;
    Py_BEGIN_ALLOW_THREADS;
    pthread_rwlock_wrlock(&self->lock);
    Py_END_ALLOW_THREADS;
    return true;
}

bool py_filter_lock_closed(struct py_filter *self)
{
    bool waited;

    if (!lock_all(self, &waited))
        return false;
    if (py_filter_is_split(self))
        py_parts_join(&self->parts);
    return true;
}

void py_filter_unlock(struct py_filter *self)
{
    pthread_rwlock_unlock(&self->lock);
}

/* With the filter locked: unlocks one that cannot be used so. */
static bool check_use(struct py_filter *self, bool to_write)
{
    if (self->filter && !(to_write && self->shared.obj))
        return true;
    if (!self->filter)
        py_errors_closed();
    else
        PyErr_SetString(PyExc_TypeError,
                        "an attached filter is only asked, with 'in'; it "
                        "remembers nothing");
    py_filter_unlock(self);
    return false;
}

bool py_filter_lock(struct py_filter *self)
{
    return py_filter_lock_closed(self) && check_use(self, false);
}

bool py_filter_lock_to_write(struct py_filter *self)
{
    return py_filter_lock_closed(self) && check_use(self, true);
}

/* ---- Keys ------------------------------------------------------------- */

static bool lock_parts(struct py_filter *self)
{
    if (!is_whole_after_fork(self))
        return false;
    if (pthread_rwlock_tryrdlock(&self->lock) == 0)
        return true;
    Py_BEGIN_ALLOW_THREADS;
    pthread_rwlock_rdlock(&self->lock);
    Py_END_ALLOW_THREADS;
    return true;
}

/* Splits a filter for which a thread had to wait, if it can be: an audit is
   told of keys in one order, and shared memory is not written. */
static void split(struct py_filter *self)
{
    if (!self->is_whole && !py_filter_is_split(self))
        self->is_whole = self->audit || self->shared.obj ||
                         !py_parts_split(&self->parts, self->filter);
}

bool py_filter_lock_keys(struct py_filter *self, bool to_write)
{
    bool waited = false;

    if (!(py_filter_is_split(self) ? lock_parts(self)
                                   : lock_all(self, &waited)) ||
        !check_use(self, to_write))
        return false;
    if (waited)
        split(self);
    return true;
}

static void move_clock(struct py_filter *self)
{
    if (!self->timed || self->ticked || self->shared.obj)
        return;
    if (py_filter_is_split(self))
        py_parts_tick(&self->parts, clock_wall());
    else
        freshet_tick(self->filter, clock_wall());
}

static uint64_t now_of(const struct py_filter *self)
{
    freshet_info info = {.size = offsetof(freshet_info, offered)};

    freshet_get_info(self->filter, &info);
    return info.now;
}

static void tell_audit(struct py_filter *self, const freshet_hash *keys,
                       size_t n, const uint8_t *seen)
{
    uint64_t now = self->timed ? now_of(self) : 0;

    for (size_t i = 0; i < n; i++)
        audit_record(self->audit, keys[i], seen[i],
                     self->timed ? now : self->decided + i);
    self->decided += n;
}

static void offer_whole(struct py_filter *self, const freshet_hash *keys,
                        size_t n, uint8_t *seen)
{
    freshet_offer_batch(self->filter, keys, n, seen);
    if (self->audit)
        tell_audit(self, keys, n, seen);
}

void py_filter_offer_batch(struct py_filter *self, struct py_batch *batch,
                           size_t n, uint8_t *seen)
{
    move_clock(self);
    if (py_filter_is_split(self))
        py_parts_offer_batch(&self->parts, batch, n, seen);
    else
        offer_whole(self, batch->keys, n, seen);
}

uint8_t py_filter_offer(struct py_filter *self, freshet_hash key)
{
    uint8_t seen;

    move_clock(self);
    if (py_filter_is_split(self))
        return py_parts_offer(&self->parts, key);
    offer_whole(self, &key, 1, &seen);
    return seen;
}

int py_filter_query(struct py_filter *self, freshet_hash key)
{
    uint8_t seen;

    move_clock(self);
    if (py_filter_is_split(self))
        return py_parts_query(&self->parts, key);
    freshet_query_batch(self->filter, &key, 1, &seen);
    return seen;
}

void py_filter_remember(struct py_filter *self, freshet_hash key)
{
    move_clock(self);
    if (py_filter_is_split(self))
        py_parts_remember(&self->parts, key);
    else
        freshet_remember_batch(self->filter, &key, 1);
}

int py_filter_forget(struct py_filter *self, freshet_hash key)
{
    if (py_filter_is_split(self))
        return py_parts_forget(&self->parts, key);
    return (int)freshet_forget_batch(self->filter, &key, 1);
}

/* ---- Clock and reset -------------------------------------------------- */

void py_filter_tick(struct py_filter *self, uint64_t now)
{
    self->ticked = true;
    if (py_filter_is_split(self))
        py_parts_tick(&self->parts, now);
    else
        freshet_tick(self->filter, now);
}

void py_filter_reset(struct py_filter *self)
{
    freshet_reset(self->filter);
    if (py_filter_is_split(self))
        py_parts_reset(&self->parts);
}
