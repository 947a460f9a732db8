/*
 * py_options.c - keyword arguments to the options of a filter
 */
#include "py_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "duration.h"
#include "py_errors.h"
#include "size.h"

static bool is_given(PyObject *value)
{
    return value && value != Py_None;
}

static bool refuse(const char *name, const char *what)
{
    PyErr_Format(PyExc_ValueError, "%s= must be %s", name, what);
    return false;
}

static bool refuse_type(PyObject *value, const char *name, const char *what)
{
    PyErr_Format(PyExc_TypeError, "%s= must be %s, not %R", name, what,
                 (PyObject *)Py_TYPE(value));
    return false;
}

/* Returns a text argument's UTF-8, or NULL with an exception set. */
static const char *text_of(PyObject *value, const char *name, const char *what)
{
    const char *text;
    Py_ssize_t len;

    if (!PyUnicode_Check(value)) {
        refuse_type(value, name, what);
        return NULL;
    }
    text = PyUnicode_AsUTF8AndSize(value, &len);
    if (!text || strlen(text) == (size_t)len)
        return text;
    refuse(name, what); /* it has a NUL */
    return NULL;
}

bool py_options_number(double *out, PyObject *value)
{
    *out = PyFloat_AsDouble(value);
    if (!PyErr_Occurred())
        return true;
    if (!PyErr_ExceptionMatches(PyExc_OverflowError))
        return false;
    PyErr_Clear();
    *out = (double)INFINITY;
    return true;
}

static bool parse_number(double *out, PyObject *value, const char *name,
                         const char *what)
{
    if (py_options_number(out, value))
        return true;
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        refuse_type(value, name, what);
    }
    return false;
}

/* A whole number from 1 up; floats such as 1e8 are accepted if whole. */
static bool parse_count(uint64_t *out, PyObject *value, const char *name)
{
    static const char what[] = "a whole number from 1 to 2**63 - 1";
    double number;
    int overflow;

    if (!is_given(value))
        return true;
    if (PyLong_Check(value)) {
        long long whole = PyLong_AsLongLongAndOverflow(value, &overflow);

        *out = (uint64_t)whole;
        return (!overflow && whole >= 1) || refuse(name, what);
    }
    if (!parse_number(&number, value, name, what))
        return false;
    if (!(number >= 1 && number < 0x1p63 && number == floor(number)))
        return refuse(name, what);
    *out = (uint64_t)number;
    return true;
}

/* Bytes as a number, or as text: "64M", "25%". */
static bool parse_memory(uint64_t *out, PyObject *value, const char *name)
{
    static const char what[] = "a size such as 67108864, '64M' or '25%'";
    const char *text;

    if (!is_given(value))
        return true;
    if (!PyUnicode_Check(value))
        return parse_count(out, value, name);
    text = text_of(value, name, what);
    if (!text)
        return false;
    return size_read_memory(out, text) || refuse(name, what);
}

/* Seconds, a timedelta, or text: "24h". */
static bool parse_duration(uint64_t *out, PyObject *value)
{
    static const char what[] = "seconds above 0, a timedelta, or text such as "
                               "'30s' or '24h'";
    PyObject *seconds;
    double number;
    bool parsed;

    if (!is_given(value))
        return true;
    if (PyUnicode_Check(value)) {
        const char *text = text_of(value, "within", what);

        if (!text)
            return false;
        return duration_read(out, text, NULL) || refuse("within", what);
    }
    seconds = PyObject_HasAttrString(value, "total_seconds")
                  ? PyObject_CallMethod(value, "total_seconds", NULL)
                  : Py_NewRef(value);
    parsed = seconds && parse_number(&number, seconds, "within", what);
    Py_XDECREF(seconds);
    if (!parsed)
        return false;
    if (!(number >= 1e-9 && number <= 0x1p62 / 1e9))
        return refuse("within", what);
    *out = (uint64_t)(number * 1e9);
    return true;
}

static bool add_param(struct py_options *out, PyObject *text)
{
    static const char what[] = "a dict, or text such as 'k=4'";
    size_t used = strlen(out->param);
    const char *utf8 = text ? text_of(text, "params", what) : NULL;
    int n = utf8 ? snprintf(out->param + used, sizeof out->param - used, "%s%s",
                            used ? "," : "", utf8)
                 : -1;

    Py_XDECREF(text);
    if (!utf8)
        return false;
    return (n >= 0 && (size_t)n < sizeof out->param - used) ||
           refuse("params", "shorter");
}

/* "width=16,choices=2", or a dict of them, whose items are held because str()
   may change it. */
static bool parse_params(struct py_options *out, PyObject *params)
{
    bool parsed = true;
    PyObject *items;

    if (!is_given(params))
        return true;
    if (!PyDict_Check(params))
        return add_param(out, Py_NewRef(params));
    items = PyDict_Items(params);
    if (!items)
        return false;
    for (Py_ssize_t i = 0; parsed && i < PyList_Size(items); i++) {
        PyObject *item = PyList_GetItem(items, i);

        parsed = add_param(out, PyUnicode_FromFormat("%S=%S",
                                                     PyTuple_GetItem(item, 0),
                                                     PyTuple_GetItem(item, 1)));
    }
    Py_DECREF(items);
    return parsed;
}

static bool parse_error(double *out, PyObject *value)
{
    static const char what[] = "a rate above 0 and below 1";

    if (!is_given(value))
        return true;
    if (!parse_number(out, value, "error", what))
        return false;
    return (*out > 0 && *out < 1) || refuse("error", what);
}

/* Any whole number: Python's own hashes are negative as often as not. */
static bool parse_seed(uint64_t *out, PyObject *value)
{
    if (!is_given(value))
        return true;
    *out = PyLong_AsUnsignedLongLongMask(value);
    if (PyErr_Occurred())
        return false;
    return *out || refuse("seed", "a whole number other than 0");
}

static bool parse_name(char *out, size_t size, PyObject *value,
                       const char *name, const char *what)
{
    const char *text;

    if (!is_given(value))
        return true;
    text = text_of(value, name, what);
    if (!text)
        return false;
    snprintf(out, size, "%s", text);
    return true;
}

static bool plan(struct py_options *out, struct goal_args *args)
{
    freshet_error err;
    struct fault why;

    if (args->last && args->within) {
        PyErr_SetString(PyExc_ValueError, "last= and within= are two windows; "
                                          "choose one");
        return false;
    }
    if (args->refresh && !args->last && !args->within) {
        PyErr_SetString(PyExc_ValueError,
                        "refresh= needs a window: last= or within=");
        return false;
    }
    if (goal_from_args(&out->goal, args, &why))
        return true;
    if (freshet_plan(NULL, &out->goal.options, &err) < 0)
        py_errors_library(&err);
    else
        PyErr_SetString(PyExc_ValueError, why.text);
    return false;
}

bool py_options_parse(struct py_options *out, PyObject *args,
                      PyObject *keywords, bool with_audit)
{
    static char *names[] = {"memory",  "error",     "within", "last",
                            "expect",  "algorithm", "params", "seed",
                            "refresh", "hash",      "audit",  NULL};
    PyObject *memory = NULL, *error = NULL, *within = NULL, *last = NULL,
             *expect = NULL, *algorithm = NULL, *params = NULL, *seed = NULL,
             *hash = NULL, *audit = NULL;
    int refresh = 0;
    struct goal_args goal = {.prefer = PREFER_NONE};
    const char *param = out->param;

    *out = (struct py_options){0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OO$OOOOOOpOO", names,
                                     &memory, &error, &within, &last, &expect,
                                     &algorithm, &params, &seed, &refresh,
                                     &hash, &audit))
        return false;
    if (audit && !with_audit) {
        PyErr_SetString(PyExc_TypeError, "audit= belongs to freshet.Filter()");
        return false;
    }
    if (!parse_memory(&goal.memory, memory, "memory") ||
        !parse_error(&goal.error, error) ||
        !parse_duration(&goal.within, within) ||
        !parse_count(&goal.last, last, "last") ||
        !parse_count(&goal.expect, expect, "expect") ||
        !parse_name(out->algorithm, sizeof out->algorithm, algorithm,
                    "algorithm", "a name of freshet.algorithms()") ||
        !parse_params(out, params) || !parse_seed(&goal.seed, seed) ||
        !parse_name(out->hash, sizeof out->hash, hash, "hash",
                    "'xxh3-128' or 'siphash'") ||
        !parse_memory(&out->audit, audit, "audit"))
        return false;
    goal.refresh = refresh;
    goal.algorithm = out->algorithm[0] ? out->algorithm : NULL;
    goal.hash = out->hash[0] ? out->hash : NULL;
    goal.params.text[0] = param;
    goal.params.n = out->param[0] != '\0';
    out->refresh = refresh;
    out->timed = goal.within > 0;
    return plan(out, &goal);
}
