/*
 * py_type.h - the type freshet.Filter
 */
#ifndef PY_TYPE_H
#define PY_TYPE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Creates the type.  Returns NULL with an exception set. */
PyObject *py_type_create(PyObject *module);

#endif
