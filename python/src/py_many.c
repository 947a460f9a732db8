/*
 * py_many.c - add_many()
 */
#include "py_many.h"

#include <string.h>

#include "py_key_source.h"

enum {
    BATCH = PY_PARTS_BATCH,
    STEP = 16 * BATCH /* keys between looks at the interpreter's signals */
};

struct verdicts {
    struct py_batch *batch; /* the keys that are being decided */
    PyObject *bytes;        /* one for each key: 1 if it is new */
    uint8_t *is_new;        /* the same */
    size_t n, room;
};

/* Moves the verdicts to an object with room for that many. */
static bool move_to_room(struct verdicts *v, size_t room)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
    uint8_t *is_new;

    if (!bytes)
        return false;
    is_new = (uint8_t *)PyBytes_AsString(bytes);
    if (v->n)
        memcpy(is_new, v->is_new, v->n);
    Py_XDECREF(v->bytes);
    v->bytes = bytes;
    v->is_new = is_new;
    v->room = room;
    return true;
}

static bool make_room(struct verdicts *v, size_t more)
{
    size_t longer = v->room > more ? v->room : more;

    return v->room - v->n >= more || move_to_room(v, v->room + longer);
}

/* With keys locked, without the interpreter's lock. */
static void decide(struct py_filter *self, size_t n, struct verdicts *v)
{
    uint8_t *to = v->is_new + v->n;

    py_filter_offer_batch(self, v->batch, n, to);
    for (size_t i = 0; i < n; i++)
        to[i] = to[i] == FRESHET_NEW;
    v->n += n;
}

/* Hashes Python's objects, then decides while other threads of the interpreter
   run.  Returns the number of keys; fewer than BATCH at the end, or with an
   exception set. */
static size_t add_objects(struct py_filter *self, struct py_key_source *k,
                          const freshet_hasher *hasher, struct verdicts *v)
{
    PyObject *type, *value, *trace;
    size_t n = k->next(k, hasher, v->batch->keys, BATCH);

    /* Keys that came before an exception stay added. */
    PyErr_Fetch(&type, &value, &trace);
    if (!make_room(v, n) || !py_filter_lock_keys(self, true)) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
        return 0;
    }
    Py_BEGIN_ALLOW_THREADS;
    decide(self, n, v);
    py_filter_unlock(self);
    Py_END_ALLOW_THREADS;
    PyErr_Restore(type, value, trace);
    return n;
}

/* Hashes and decides the items of an array while other threads of the
   interpreter run.  Returns the number of keys in the last batch. */
static size_t add_array(struct py_filter *self, struct py_key_source *k,
                        const freshet_hasher *hasher, struct verdicts *v)
{
    size_t n = 0;

    if (!py_filter_lock_keys(self, true))
        return 0;
    Py_BEGIN_ALLOW_THREADS;
    for (size_t i = 0; i < STEP; i += n) {
        n = k->next(k, hasher, v->batch->keys, BATCH);
        decide(self, n, v);
        if (n < BATCH)
            break;
    }
    py_filter_unlock(self);
    Py_END_ALLOW_THREADS;
    return n;
}

static bool add_all(struct py_filter *self, struct py_key_source *k,
                    const freshet_hasher *hasher, struct verdicts *v)
{
    size_t n;

    do
        n = k->is_plain ? add_array(self, k, hasher, v)
                        : add_objects(self, k, hasher, v);
    while (n == BATCH && PyErr_CheckSignals() == 0);
    return !PyErr_Occurred() && py_key_source_check(k);
}

/* As bools, which numpy takes for an array without copying. */
static PyObject *as_bools(struct verdicts *v)
{
    PyObject *view = NULL, *bools = NULL;

    if (v->n == v->room || move_to_room(v, v->n))
        view = PyMemoryView_FromObject(v->bytes);
    if (view)
        bools = PyObject_CallMethod(view, "cast", "s", "?");
    Py_XDECREF(view);
    return bools;
}

static bool get_hasher(struct py_filter *self, freshet_hasher *hasher)
{
    if (!py_filter_lock_keys(self, true))
        return false;
    freshet_hasher_of(self->filter, hasher);
    py_filter_unlock(self);
    return true;
}

PyObject *py_many_add(struct py_filter *self, PyObject *object)
{
    struct verdicts v = {.batch = PyMem_Malloc(sizeof *v.batch)};
    freshet_hasher hasher = {.size = sizeof hasher};
    PyObject *result = NULL;
    struct py_key_source k;

    if (!v.batch)
        return PyErr_NoMemory();
    if (get_hasher(self, &hasher)) {
        if (py_key_source_open(&k, object) &&
            move_to_room(&v, py_key_source_size(&k)) &&
            add_all(self, &k, &hasher, &v))
            result = as_bools(&v);
        py_key_source_close(&k);
    }
    Py_XDECREF(v.bytes);
    PyMem_Free(v.batch);
    return result;
}
