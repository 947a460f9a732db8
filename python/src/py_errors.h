/*
 * py_errors.h - the exceptions of the package
 *
 * Each status of the library is a class: FRESHET_ERR_BUDGET is
 * freshet.BudgetError.  All derive from freshet.Error, and from the built-in
 * class that Python's users expect.  Functions that set an exception return
 * NULL, for functions that return it when they fail.
 */
#ifndef PY_ERRORS_H
#define PY_ERRORS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "fault.h"
#include "freshet.h"

/* Adds the classes to the module.  Returns false with an exception set. */
bool py_errors_add(PyObject *module);

/* The library refused: the class of its status, with its sentence. */
PyObject *py_errors_library(const freshet_error *err);

/* A state file or saved bytes were refused, for a reason that begins with
   their name: freshet.StateError. */
PyObject *py_errors_state(const char *name, const struct fault *why);

/* The filter was closed: freshet.ClosedError. */
PyObject *py_errors_closed(void);

#endif
