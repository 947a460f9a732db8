/*
 * py_many.h - add_many()
 */
#ifndef PY_MANY_H
#define PY_MANY_H

#include "py_filter.h"

PyObject *py_many_add(struct py_filter *self, PyObject *keys);

#endif
