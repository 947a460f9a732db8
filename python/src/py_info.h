/*
 * py_info.h - what is known about filters, as dicts
 */
#ifndef PY_INFO_H
#define PY_INFO_H

#include "py_filter.h"

PyObject *py_info_filter(struct py_filter *self, PyObject *nothing);
PyObject *py_info_expect(struct py_filter *self, PyObject *args,
                         PyObject *keywords);
PyObject *py_info_audit(struct py_filter *self, PyObject *nothing);
PyObject *py_info_repr(struct py_filter *self);

/* The module's functions plan() and algorithms(). */
PyObject *py_info_plan(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *py_info_algorithms(PyObject *module, PyObject *nothing);

#endif
