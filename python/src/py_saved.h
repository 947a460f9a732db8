/*
 * py_saved.h - filters as state files, pickles and shared memory
 */
#ifndef PY_SAVED_H
#define PY_SAVED_H

#include "py_filter.h"

PyObject *py_saved_save(struct py_filter *self, PyObject *path);
PyObject *py_saved_block(struct py_filter *self, PyObject *nothing);
PyObject *py_saved_reduce(struct py_filter *self, PyObject *nothing);

/* The module's functions open(), attach() and restore(): type is
   freshet.Filter. */
PyObject *py_saved_open(PyTypeObject *type, PyObject *path);
PyObject *py_saved_attach(PyTypeObject *type, PyObject *buffer);
PyObject *py_saved_restore(PyTypeObject *type, PyObject *args);

#endif
