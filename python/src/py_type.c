/*
 * py_type.c - the type freshet.Filter: its methods
 */
#include "py_type.h"

#include "py_errors.h"
#include "py_info.h"
#include "py_key.h"
#include "py_many.h"
#include "py_options.h"
#include "py_saved.h"

/* ---- Life ------------------------------------------------------------- */

static bool make_audit(struct py_filter *self, const struct py_options *options)
{
    const freshet_options *o = &options->goal.options;
    struct audit_window window = {o->within ? o->within : o->window,
                                  options->refresh};
    freshet_info info = {.size = sizeof info};

    if (!options->audit)
        return true;
    freshet_get_info(self->filter, &info);
    self->audit = audit_create(options->audit, info.seed, window);
    if (!self->audit)
        PyErr_NoMemory();
    return self->audit;
}

static PyObject *new_filter(PyTypeObject *type, PyObject *args,
                            PyObject *keywords)
{
    struct py_options options;
    struct py_filter *self;
    freshet_error err;

    if (!py_options_parse(&options, args, keywords, true))
        return NULL;
    self = py_filter_alloc(type);
    if (!self)
        return NULL;
    if (freshet_create(&self->filter, &options.goal.options, &err) < 0) {
        Py_DECREF(self);
        return py_errors_library(&err);
    }
    self->timed = options.timed;
    if (!make_audit(self, &options)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* ---- Keys ------------------------------------------------------------- */

/* Hashes a key and locks what it needs.  Returns false with an exception
   set. */
static bool begin(struct py_filter *self, PyObject *key, bool to_write,
                  freshet_hash *hash)
{
    struct view view;

    if (!py_key_of(key, &view) || !py_filter_lock_keys(self, to_write))
        return false;
    *hash = freshet_hash_key(self->filter, view.at, view.len);
    return true;
}

static PyObject *add(struct py_filter *self, PyObject *key)
{
    freshet_hash hash;
    uint8_t seen;

    if (!begin(self, key, true, &hash))
        return NULL;
    seen = py_filter_offer(self, hash);
    py_filter_unlock(self);
    return PyBool_FromLong(seen == FRESHET_NEW);
}

static int contains(struct py_filter *self, PyObject *key)
{
    freshet_hash hash;
    int seen;

    if (!begin(self, key, false, &hash))
        return -1;
    seen = py_filter_query(self, hash);
    py_filter_unlock(self);
    return seen;
}

static PyObject *remember(struct py_filter *self, PyObject *key)
{
    freshet_hash hash;

    if (!begin(self, key, true, &hash))
        return NULL;
    py_filter_remember(self, hash);
    py_filter_unlock(self);
    Py_RETURN_NONE;
}

static PyObject *forget(struct py_filter *self, PyObject *key)
{
    freshet_hash hash;
    int forgotten;

    if (!begin(self, key, true, &hash))
        return NULL;
    forgotten = py_filter_forget(self, hash);
    py_filter_unlock(self);
    if (forgotten < 0) {
        freshet_error err = {.status = forgotten,
                             .message = "this algorithm cannot forget a key; "
                                        "freshet.algorithms() says which can"};

        return py_errors_library(&err);
    }
    return PyBool_FromLong(forgotten);
}

/* ---- The rest --------------------------------------------------------- */

static PyObject *tick(struct py_filter *self, PyObject *seconds)
{
    double time;

    if (!py_options_number(&time, seconds))
        return NULL;
    if (!(time >= 0 && time <= 0x1p62 / 1e9)) {
        PyErr_SetString(PyExc_ValueError,
                        "a time is seconds from 0 on, such as time.time()");
        return NULL;
    }
    if (!py_filter_lock_to_write(self))
        return NULL;
    py_filter_tick(self, (uint64_t)(time * 1e9));
    py_filter_unlock(self);
    Py_RETURN_NONE;
}

static PyObject *reset(struct py_filter *self, PyObject *nothing)
{
    (void)nothing;
    if (!py_filter_lock_to_write(self))
        return NULL;
    py_filter_reset(self);
    py_filter_unlock(self);
    Py_RETURN_NONE;
}

static PyObject *close_filter(struct py_filter *self, PyObject *nothing)
{
    (void)nothing;
    if (!py_filter_lock_closed(self))
        return NULL;
    py_filter_free(self);
    py_filter_unlock(self);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return Py_NewRef(self);
}

static PyObject *leave(struct py_filter *self, PyObject *exception)
{
    (void)exception;
    return close_filter(self, NULL);
}

/* The examples are run by the tests. */
static PyMethodDef methods[] = {
    {"add", (PyCFunction)add, METH_O,
     "add($self, key, /)\n--\n\n"
     "Returns True if the key is new, and remembers it.\n\n"
     ">>> seen = Filter(memory='1M')\n"
     ">>> seen.add('a'), seen.add('a')\n"
     "(True, False)"},
    {"add_many", (PyCFunction)py_many_add, METH_O,
     "add_many($self, keys, /)\n--\n\n"
     "Adds keys in order.  Returns a memoryview of a bool for each: True if "
     "it\n"
     "was new.\n\n"
     ">>> Filter(memory='1M').add_many(['a', 'b', 'a']).tolist()\n"
     "[True, True, False]"},
    {"remember", (PyCFunction)remember, METH_O,
     "remember($self, key, /)\n--\n\n"
     "Remembers a key without asking.\n\n"
     ">>> seen = Filter(memory='1M')\n"
     ">>> seen.remember('a')\n"
     ">>> 'a' in seen\n"
     "True"},
    {"forget", (PyCFunction)forget, METH_O,
     "forget($self, key, /)\n--\n\n"
     "Takes a remembered key back.  Returns whether it was there.\n\n"
     ">>> seen = Filter(memory='1M')\n"
     ">>> seen.add('a'), seen.forget('a'), seen.add('a')\n"
     "(True, True, True)"},
    {"tick", (PyCFunction)tick, METH_O,
     "tick($self, seconds, /)\n--\n\n"
     "Sets the clock of a window of time; without it the machine's clock\n"
     "counts.\n\n"
     ">>> seen = Filter(memory='1M', within='1m')\n"
     ">>> seen.tick(0); seen.add('a')\n"
     "True\n"
     ">>> seen.tick(90); seen.add('a')\n"
     "True"},
    {"reset", (PyCFunction)reset, METH_NOARGS,
     "reset($self, /)\n--\n\n"
     "Forgets everything.\n\n"
     ">>> seen = Filter(memory='1M')\n"
     ">>> seen.remember('a'); seen.reset(); 'a' in seen\n"
     "False"},
    {"info", (PyCFunction)py_info_filter, METH_NOARGS,
     "info($self, /)\n--\n\n"
     "Returns a dict of the filter's options and counters.\n\n"
     ">>> info = Filter(memory='1M').info()\n"
     ">>> info['algorithm'], info['memory'], info['new']\n"
     "('pocket', 1048576, 0)"},
    {"expect", (PyCFunction)(void (*)(void))py_info_expect,
     METH_VARARGS | METH_KEYWORDS,
     "expect($self, /, *, gap=0, distinct=0, records=0)\n--\n\n"
     "Returns the rates that theory predicts, as a dict.\n\n"
     ">>> round(Filter(memory='1M').expect(gap=1e9)['false_pass'], 3)\n"
     "1.0"},
    {"audit", (PyCFunction)py_info_audit, METH_NOARGS,
     "audit($self, /)\n--\n\n"
     "Returns the measured rates of errors with 95 % intervals, for a filter\n"
     "made with audit=.\n\n"
     ">>> seen = Filter(memory='1M', audit='1M')\n"
     ">>> fresh = seen.add_many(['a', 'b', 'a'])\n"
     ">>> seen.audit()['false_pass']['rate']\n"
     "0.0"},
    {"save", (PyCFunction)py_saved_save, METH_O,
     "save($self, path, /)\n--\n\n"
     "Saves to a state file, which freshet.open() and the program freshet\n"
     "read."},
    {"block", (PyCFunction)py_saved_block, METH_NOARGS,
     "block($self, /)\n--\n\n"
     "Returns the filter's block as bytes, for freshet.attach()."},
    {"close", (PyCFunction)close_filter, METH_NOARGS,
     "close($self, /)\n--\n\n"
     "Gives the memory back."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", (PyCFunction)leave, METH_VARARGS, NULL},
    {"__reduce__", (PyCFunction)py_saved_reduce, METH_NOARGS, NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Filter(memory='256M', error=1e-6, *, within=None, last=None, "
                "expect=None,\n       algorithm=None, params=None, seed=None, "
                "refresh=False, hash=None,\n       audit=None)\n--\n\n"
                "A filter that tells new keys from repeats, in fixed memory."
                "\n\n"
                ">>> with Filter('64K', last=1000, hash='siphash') as seen:\n"
                "...     seen.add('a'), 'a' in seen\n"
                "(True, True)"},
    {Py_tp_new, new_filter},
    {Py_tp_dealloc, py_filter_dealloc},
    {Py_tp_methods, methods},
    {Py_sq_contains, contains},
    {Py_tp_repr, py_info_repr},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "freshet.Filter",
    .basicsize = sizeof(struct py_filter),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

PyObject *py_type_create(PyObject *module)
{
    return PyType_FromModuleAndSpec(module, &spec, NULL);
}
