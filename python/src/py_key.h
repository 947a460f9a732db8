/*
 * py_key.h - Python objects as the bytes of keys
 */
#ifndef PY_KEY_H
#define PY_KEY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

#include "view.h"

/*
 * The key that an object is: a str's UTF-8, or the bytes of a bytes object.
 * The view is good while the object lives.  Returns false with an exception
 * set for any other object, and for a str that UTF-8 cannot hold.
 */
bool py_key_of(PyObject *object, struct view *out);

/* The exception for text that UTF-8 cannot hold. */
void py_key_refuse_surrogate(void);

#endif
