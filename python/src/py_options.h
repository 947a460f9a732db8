/*
 * py_options.h - keyword arguments to the options of a filter
 */
#ifndef PY_OPTIONS_H
#define PY_OPTIONS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "goal.h"

struct py_options {
    struct goal goal; /* pointers lead inside: do not copy it */
    char algorithm[64], hash[64];
    char param[512];     /* "name=value,..." */
    uint64_t audit;      /* bytes of the audit's sample; 0: none */
    bool refresh, timed; /* timed: the window is one of time */
};

/*
 * Parses memory=, error=, within=, last=, expect=, algorithm=, params=, seed=,
 * refresh=, hash= and, where the caller takes it, audit=.  Returns false with
 * an exception set if they are wrong, contradict each other or allow no filter.
 */
bool py_options_parse(struct py_options *out, PyObject *args,
                      PyObject *keywords, bool with_audit);

/* A number as a double; a larger one is an infinity.  Returns false with
   TypeError set if it is none. */
bool py_options_number(double *out, PyObject *value);

#endif
