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

/* How keys are taken here, in the words of the program's state files: whole
   records, which end with a newline. */
static bool make_note(struct key_note *note, const struct py_filter *self)
{
    char no_text[] = "";
    const struct key key = {.type = &key_record,
                            .settings = KEY_SETTINGS,
                            .text = no_text,
                            .rules = 1};

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

/* Other keys than whole records cannot be made here. */
static bool check_note(const struct snapshot *s, struct fault *why)
{
    struct view keys = key_note_line(&s->notes, NOTE_KEYS);
    size_t len = strlen(key_record.words);

    if (s->repeated)
        return fault_set(why, "was saved by freshet -d, which Python has not");
    return !keys.at ||
           (keys.len == len && memcmp(keys.at, key_record.words, len) == 0) ||
           fault_set(why,
                     "was saved by a run that compared '%.*s'; freshet.open() "
                     "takes files whose keys are whole records",
                     keys.len < 200 ? (int)keys.len : 200, keys.at);
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

PyObject *py_saved_reduce(struct py_filter *self, PyObject *nothing)
{
    PyObject *module, *restore = NULL, *bytes;

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
    py_filter_unlock(self);
    module = PyImport_ImportModule("freshet._freshet");
    if (module)
        restore = PyObject_GetAttrString(module, "restore");
    Py_XDECREF(module);
    if (bytes && restore)
        return Py_BuildValue("N(N)", restore, bytes);
    Py_XDECREF(restore);
    Py_XDECREF(bytes);
    return NULL;
}

PyObject *py_saved_restore(PyTypeObject *type, PyObject *bytes)
{
    struct py_filter *self = py_filter_alloc(type);
    struct fault why;
    Py_ssize_t len;
    char *saved;
    size_t used;

    if (!self || PyBytes_AsStringAndSize(bytes, &saved, &len) < 0) {
        Py_XDECREF((PyObject *)self);
        return NULL;
    }
    if (posix_memalign(&self->copy, ALIGNMENT, (size_t)len + ALIGNMENT) != 0) {
        self->copy = NULL;
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    memcpy(self->copy, saved, (size_t)len);
    if (!saved_block_adopt(&self->filter, self->copy, (size_t)len, &used,
                           &why)) {
        Py_DECREF(self);
        return py_errors_state("pickled filter", &why);
    }
    return finish(self);
}
