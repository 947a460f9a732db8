/*
 * py_many.c - add_many()
 */
#include "py_many.h"

#include "py_key_source.h"

enum { BATCH = 1024 }; /* keys that are decided at once */

struct verdicts {
    uint8_t *is_new;
    size_t n, room;
};

static bool make_room(struct verdicts *v)
{
    size_t room = v->room ? 2 * v->room : (size_t)4 * BATCH;
    uint8_t *more;

    if (v->room - v->n >= BATCH)
        return true;
    more = PyMem_Realloc(v->is_new, room);
    if (!more) {
        PyErr_NoMemory();
        return false;
    }
    v->is_new = more;
    v->room = room;
    return true;
}

/* Decides a batch, while other threads of the interpreter run. */
static bool decide(struct py_filter *self, const freshet_hash *hash, size_t n,
                   struct verdicts *v)
{
    uint8_t *to = v->is_new + v->n;

    if (!py_filter_lock_to_write(self))
        return false;
    Py_BEGIN_ALLOW_THREADS;
    py_filter_move_clock(self);
    py_filter_offer(self, hash, n, to);
    py_filter_unlock(self);
    for (size_t i = 0; i < n; i++)
        to[i] = to[i] == FRESHET_NEW;
    Py_END_ALLOW_THREADS;
    v->n += n;
    return true;
}

static bool decide_all(struct py_filter *self, struct py_key_source *k,
                       const freshet_hasher *hasher, struct verdicts *v)
{
    freshet_hash hash[BATCH];
    PyObject *type, *value, *trace;
    size_t n;

    do {
        n = k->next(k, hasher, hash, BATCH);
        /* What was added before an exception stays added. */
        PyErr_Fetch(&type, &value, &trace);
        if (!make_room(v) || (n && !decide(self, hash, n, v))) {
            Py_XDECREF(type);
            Py_XDECREF(value);
            Py_XDECREF(trace);
            return false;
        }
        PyErr_Restore(type, value, trace);
    } while (n == BATCH && !PyErr_Occurred());
    return !PyErr_Occurred();
}

/* As bools, which numpy takes for an array without copying. */
static PyObject *as_bools(const struct verdicts *v)
{
    PyObject *bytes =
        PyBytes_FromStringAndSize((const char *)v->is_new, (Py_ssize_t)v->n);
    PyObject *view = bytes ? PyMemoryView_FromObject(bytes) : NULL;
    PyObject *bools = view ? PyObject_CallMethod(view, "cast", "s", "?") : NULL;

    Py_XDECREF(bytes);
    Py_XDECREF(view);
    return bools;
}

PyObject *py_many_add(struct py_filter *self, PyObject *object)
{
    struct verdicts v = {0};
    freshet_hasher hasher = {.size = sizeof hasher};
    PyObject *result = NULL;
    struct py_key_source k;

    if (!py_filter_lock_to_write(self))
        return NULL;
    freshet_hasher_of(self->filter, &hasher);
    py_filter_unlock(self);
    if (py_key_source_open(&k, object) && decide_all(self, &k, &hasher, &v))
        result = as_bools(&v);
    py_key_source_close(&k);
    PyMem_Free(v.is_new);
    return result;
}
