/*
 * py_saved.c - filters as state files, pickles and shared memory
 */
#include "py_saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "py_errors.h"
#include "saved_block.h"

enum { ALIGNMENT = 64 }; /* of a block */

extern const struct key_type key_record;

/* A filter whose window is one of time goes on by the machine's clock. */
static PyObject *finish(struct py_filter *self)
{
    freshet_info info = {.size = offsetof(freshet_info, slots)};

    freshet_get_info(self->filter, &info);
    self->timed = info.within > 0;
    return (PyObject *)self;
}

/* ---- State files ------------------------------------------------------ */

/*
 * How keys are taken here, in the words of the program's state files.  A filter
 * that was opened keeps the notes of its file.  Another one has whole records
 * that end with a newline; no clock is named if tick() moves it, so that the
 * program takes the file for either of its clocks.
 */
static bool make_note(struct key_note *note, const struct py_filter *self)
{
    char no_text[] = "";
    const struct key key = {.type = &key_record,
                            .settings = KEY_SETTINGS,
                            .text = no_text,
                            .rules = 1};

    if (self->snapshot && self->snapshot->notes.len) {
        *note = self->snapshot->notes;
        return true;
    }
    if (!key_note_make(note, &key, '\n'))
        return false;
    return !self->timed || self->ticked ||
           key_note_add(note, NOTE_CLOCK, "arrival");
}

/* Saves while no other process uses the file. */
static bool save_locked(const struct snapshot_parts *parts, const char *path,
                        struct fault *why)
{
    char *file = atomic_file_target(path);
    int lock;
    bool saved;

    if (!file)
        return fault_set(why, "%s", strerror(errno));
    lock = snapshot_lock(file, why);
    saved = lock >= 0 && snapshot_save(parts, file, why);
    if (lock >= 0)
        snapshot_unlock(file, lock);
    free(file);
    return saved;
}

static PyObject *save(struct py_filter *self, const char *path)
{
    struct key_note *note = malloc(sizeof *note);
    struct snapshot_parts parts = {.notes = note};
    struct fault why = {"there is no room for the note on its keys"};
    bool saved = false;

    if (!note)
        return PyErr_NoMemory();
    if (!py_filter_lock(self)) {
        free(note);
        return NULL;
    }
    parts.filter = self->filter;
    Py_BEGIN_ALLOW_THREADS;
    if (make_note(note, self))
        saved = save_locked(&parts, path, &why);
    py_filter_unlock(self);
    Py_END_ALLOW_THREADS;
    free(note);
    if (!saved)
        return py_errors_state(path, &why);
    Py_RETURN_NONE;
}

PyObject *py_saved_save(struct py_filter *self, PyObject *path)
{
    PyObject *name, *result;

    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    result = save(self, PyBytes_AsString(name));
    Py_DECREF(name);
    return result;
}

static bool is_view_of(struct view view, const char *text)
{
    return view.at && view.len == strlen(text) &&
           memcmp(view.at, text, view.len) == 0;
}

/* Other keys than whole records cannot be made here. */
static bool check_note(const struct snapshot *s, struct fault *why)
{
    struct view keys = key_note_line(&s->notes, NOTE_KEYS);

    if (s->repeated)
        return fault_set(why, "was saved by freshet -d, which Python has not");
    return !keys.at || is_view_of(keys, key_record.words) ||
           fault_set(why,
                     "was saved by a run that compared '%.*s'; freshet.open() "
                     "takes files whose keys are whole records",
                     keys.len < 200 ? (int)keys.len : 200, keys.at);
}

/* Only the machine's clock goes on by itself. */
static bool is_clock_by_tick(const struct snapshot *s)
{
    return s->notes.len &&
           !is_view_of(key_note_line(&s->notes, NOTE_CLOCK), "arrival");
}

static PyObject *open_file(struct py_filter *self, const char *path)
{
    enum snapshot_result result = SNAPSHOT_REFUSED;
    struct fault why;

    self->snapshot = calloc(1, sizeof *self->snapshot);
    if (!self->snapshot)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS;
    result = snapshot_load(self->snapshot, path, &why);
    Py_END_ALLOW_THREADS;
    if (result == SNAPSHOT_NONE) {
        errno = ENOENT;
        return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
    }
    if (result != SNAPSHOT_LOADED || !check_note(self->snapshot, &why))
        return py_errors_state(path, &why);
    self->filter = self->snapshot->filter;
    self->snapshot->filter = NULL;
    self->ticked = is_clock_by_tick(self->snapshot);
    return finish(self);
}

PyObject *py_saved_open(PyTypeObject *type, PyObject *path)
{
    struct py_filter *self;
    PyObject *name, *result = NULL;

    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    self = py_filter_alloc(type);
    if (self)
        result = open_file(self, PyBytes_AsString(name));
    if (!result)
        Py_XDECREF((PyObject *)self);
    Py_DECREF(name);
    return result;
}

/* ---- Shared memory ---------------------------------------------------- */

PyObject *py_saved_block(struct py_filter *self, PyObject *nothing)
{
    const void *block;
    PyObject *bytes;
    size_t len;

    (void)nothing;
    if (!py_filter_lock(self))
        return NULL;
    block = freshet_block(self->filter, &len);
    bytes = PyBytes_FromStringAndSize(block, (Py_ssize_t)len);
    py_filter_unlock(self);
    return bytes;
}

PyObject *py_saved_attach(PyTypeObject *type, PyObject *buffer)
{
    struct py_filter *self = py_filter_alloc(type);
    freshet_error err;

    if (!self)
        return NULL;
    if (PyObject_GetBuffer(buffer, &self->shared, PyBUF_SIMPLE) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    if (freshet_attach(&self->filter, self->shared.buf,
                       (size_t)self->shared.len, &err) < 0) {
        Py_DECREF(self);
        return py_errors_library(&err);
    }
    return finish(self);
}

/* ---- Pickles ---------------------------------------------------------- */

/* Returns the block with its checksum behind it, or NULL with an exception
   set. */
static PyObject *saved_bytes(const freshet *filter)
{
    size_t len;
    const void *block = freshet_block(filter, &len);
    freshet_hash sum = saved_block_trailer(filter);
    PyObject *bytes =
        PyBytes_FromStringAndSize(NULL,
                                  (Py_ssize_t)(len + SAVED_BLOCK_TRAILER));
    char *to = bytes ? PyBytes_AsString(bytes) : NULL;

    if (to) {
        memcpy(to, block, len);
        memcpy(to + len, &sum, sizeof sum);
    }
    return bytes;
}

static PyObject *restore_function(void)
{
    PyObject *module = PyImport_ImportModule("freshet._freshet");
    PyObject *restore =
        module ? PyObject_GetAttrString(module, "restore") : NULL;

    Py_XDECREF(module);
    return restore;
}

/* The attributes of a subclass's object, or None. */
static PyObject *attributes(PyObject *self)
{
    PyObject *dict = PyObject_GetAttrString(self, "__dict__");

    if (dict)
        return dict;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
        return NULL;
    PyErr_Clear();
    return Py_NewRef(Py_None);
}

PyObject *py_saved_reduce(struct py_filter *self, PyObject *nothing)
{
    PyObject *restore, *bytes;
    bool ticked;

    (void)nothing;
    if (!py_filter_lock(self))
        return NULL;
    if (self->audit) {
        py_filter_unlock(self);
        PyErr_SetString(PyExc_TypeError,
                        "a filter with an audit cannot be pickled: the audit's "
                        "sample stays in this process");
        return NULL;
    }
    bytes = saved_bytes(self->filter);
    ticked = self->ticked;
    py_filter_unlock(self);
    restore = bytes ? restore_function() : NULL;
    if (restore)
        return Py_BuildValue("N(NNO)N", restore, bytes, PyBool_FromLong(ticked),
                             (PyObject *)Py_TYPE((PyObject *)self),
                             attributes((PyObject *)self));
    Py_XDECREF(bytes);
    return NULL;
}

/* Copies saved bytes and makes them the filter. */
static PyObject *adopt(struct py_filter *self, PyObject *bytes, bool ticked)
{
    size_t len = (size_t)PyBytes_Size(bytes), used;
    struct fault why;

    if (posix_memalign(&self->copy, ALIGNMENT, len + ALIGNMENT) != 0) {
        self->copy = NULL;
        return PyErr_NoMemory();
    }
    memcpy(self->copy, PyBytes_AsString(bytes), len);
    if (!saved_block_adopt(&self->filter, self->copy, len, &used, &why))
        return py_errors_state("pickled filter", &why);
    self->ticked = ticked;
    return finish(self);
}

PyObject *py_saved_restore(PyTypeObject *base, PyObject *args)
{
    PyObject *bytes, *type = (PyObject *)base, *result;
    struct py_filter *self;
    int ticked = 0;

    if (!PyArg_ParseTuple(args, "S|pO!", &bytes, &ticked, &PyType_Type, &type))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)type, base)) {
        PyErr_Format(PyExc_TypeError, "%R is no freshet.Filter", type);
        return NULL;
    }
    self = py_filter_alloc((PyTypeObject *)type);
    if (!self)
        return NULL;
    result = adopt(self, bytes, ticked);
    if (!result)
        Py_DECREF(self);
    return result;
}
