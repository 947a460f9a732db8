/*
 * py_errors.c - the exceptions of the package
 */
#include "py_errors.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { CLASS_NAME = 64 };

static const struct {
    int status;
    const char *name; /* "ERR_BUDGET" */
    const char *text;
} statuses[] = {
#define X(name, number, text) {number, #name, text},
    FRESHET_STATUS_MAP(X)
#undef X
};

enum { STATUSES = sizeof statuses / sizeof *statuses };

static PyObject *error, *state_error, *closed_error, *of_status[STATUSES];

/* "ERR_BUDGET" becomes "freshet.BudgetError".  MemoryError is Python's own
   name. */
static void class_name(char out[CLASS_NAME], const char *name, bool memory)
{
    int n = snprintf(out, CLASS_NAME, "freshet.%sError",
                     memory ? "OutOfMemory" : name + 4);

    for (int i = 9; i < n - 5 && !memory; i++)
        out[i] = (char)tolower((unsigned char)out[i]);
}

static PyObject *add_class(PyObject *module, const char *name, const char *doc,
                           PyObject *builtin)
{
    PyObject *bases = builtin ? PyTuple_Pack(2, error, builtin) : NULL;
    PyObject *made =
        builtin && !bases
            ? NULL
            : PyErr_NewExceptionWithDoc(name, doc, bases ? bases : error, NULL);

    Py_XDECREF(bases);
    if (made && PyModule_AddObjectRef(module, strchr(name, '.') + 1, made) < 0)
        Py_CLEAR(made);
    return made;
}

bool py_errors_add(PyObject *module)
{
    char name[CLASS_NAME];

    error = add_class(module, "freshet.Error",
                      "The base of all exceptions of freshet.", NULL);
    if (!error)
        return false;
    state_error = add_class(module, "freshet.StateError",
                            "a state file was refused or not written", NULL);
    closed_error = add_class(module, "freshet.ClosedError",
                             "the filter is closed", PyExc_ValueError);
    if (!state_error || !closed_error)
        return false;
    for (size_t i = 0; i < STATUSES; i++) {
        bool memory = statuses[i].status == FRESHET_ERR_MEMORY;

        if (statuses[i].status == FRESHET_OK)
            continue;
        class_name(name, statuses[i].name, memory);
        of_status[i] = add_class(module, name, statuses[i].text,
                                 memory ? PyExc_MemoryError : PyExc_ValueError);
        if (!of_status[i])
            return false;
    }
    return true;
}

PyObject *py_errors_library(const freshet_error *err)
{
    for (size_t i = 0; i < STATUSES; i++)
        if (statuses[i].status == err->status && of_status[i]) {
            PyErr_SetString(of_status[i], err->message);
            return NULL;
        }
    PyErr_SetString(error, err->message);
    return NULL;
}

PyObject *py_errors_state(const char *name, const struct fault *why)
{
    return PyErr_Format(state_error, "%s: %s", name, why->text);
}

PyObject *py_errors_closed(void)
{
    PyErr_SetString(closed_error, "the filter is closed");
    return NULL;
}
