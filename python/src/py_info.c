/*
 * py_info.c - what is known about filters, as dicts
 */
#include "py_info.h"

#include <math.h>

#include "py_errors.h"
#include "py_options.h"

/* A count, or None where the algorithm cannot know it. */
static PyObject *count(uint64_t n)
{
    return n == FRESHET_UNKNOWN ? Py_NewRef(Py_None)
                                : PyLong_FromUnsignedLongLong(n);
}

/* A figure, or None where theory has nothing. */
static PyObject *figure(double value)
{
    return isnan(value) ? Py_NewRef(Py_None) : PyFloat_FromDouble(value);
}

static PyObject *seconds(uint64_t ns)
{
    return ns ? PyFloat_FromDouble((double)ns / 1e9) : Py_NewRef(Py_None);
}

PyObject *py_info_filter(struct py_filter *self, PyObject *nothing)
{
    freshet_info info = {.size = sizeof info};
    unsigned parts;

    (void)nothing;
    if (!py_filter_lock(self))
        return NULL;
    freshet_get_info(self->filter, &info);
    parts =
        py_filter_is_split(self) ? freshet_parts_count(self->parts.parts) : 1;
    py_filter_unlock(self);
    return Py_BuildValue("{sssssssNsNsdsNsNsNsNsNsNsNsNsNsNsNsNsOsI}",
                         "algorithm", info.algorithm, "params", info.params,
                         "hash", info.hash, "seed",
                         PyLong_FromUnsignedLongLong(info.seed), "memory",
                         PyLong_FromUnsignedLongLong(info.memory), "error",
                         info.wanted, "expect", count(info.expect), "last",
                         count(info.window), "within", seconds(info.within),
                         "now", seconds(info.now), "offered",
                         count(info.offered), "new", count(info.fresh),
                         "remembered", count(info.remembered), "slots",
                         count(info.slots), "used", count(info.used),
                         "forgotten", count(info.forgotten), "false_drop",
                         figure(info.false_drop), "false_pass",
                         figure(info.false_pass), "over_plan",
                         info.over_plan ? Py_True : Py_False, "parts", parts);
}

/* A count as a whole number or a float such as 1e6; 0 if it is not given. */
static bool parse_count(PyObject *value, uint64_t *out)
{
    double number = 0;

    if (value && !py_options_number(&number, value))
        return false;
    if (!(number >= 0 && number < 0x1p63)) {
        PyErr_SetString(PyExc_ValueError, "gap=, distinct= and records= are "
                                          "counts from 0 to 2**63 - 1");
        return false;
    }
    *out = (uint64_t)number;
    return true;
}

PyObject *py_info_expect(struct py_filter *self, PyObject *args,
                         PyObject *keywords)
{
    static char *names[] = {"gap", "distinct", "records", NULL};
    PyObject *gap = NULL, *distinct = NULL, *records = NULL;
    freshet_workload load = {.size = sizeof load};
    freshet_rates rates = {.size = sizeof rates};
    freshet_error err;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOO", names, &gap,
                                     &distinct, &records) ||
        !parse_count(gap, &load.gap) ||
        !parse_count(distinct, &load.distinct) ||
        !parse_count(records, &load.records) || !py_filter_lock(self))
        return NULL;
    status = freshet_expect(&rates, self->filter, &load, &err);
    py_filter_unlock(self);
    if (status < 0)
        return py_errors_library(&err);
    return Py_BuildValue("{sNsNsNsz}", "false_drop", figure(rates.false_drop),
                         "false_pass", figure(rates.false_pass), "reach",
                         figure(rates.reach), "theory", rates.theory);
}

static PyObject *rate(const struct audit_rate *r)
{
    return Py_BuildValue("{sNsdsdsKsK}", "rate", figure(r->rate), "low", r->low,
                         "high", r->high, "wrong", r->wrong, "of", r->n);
}

PyObject *py_info_audit(struct py_filter *self, PyObject *nothing)
{
    struct audit_report report;

    (void)nothing;
    if (!py_filter_lock(self))
        return NULL;
    if (!self->audit) {
        py_filter_unlock(self);
        PyErr_SetString(PyExc_ValueError, "the filter was made without an "
                                          "audit; Filter(audit='16M') has one");
        return NULL;
    }
    audit_get_report(self->audit, &report);
    py_filter_unlock(self);
    return Py_BuildValue("{sNsNsKsd}", "false_drop", rate(&report.false_drop),
                         "false_pass", rate(&report.false_pass), "keys",
                         report.keys, "share", report.share);
}

PyObject *py_info_repr(struct py_filter *self)
{
    freshet_info info = {.size = offsetof(freshet_info, slots)};

    if (!py_filter_lock(self)) {
        PyErr_Clear();
        return PyUnicode_FromString("<freshet.Filter, closed>");
    }
    freshet_get_info(self->filter, &info);
    py_filter_unlock(self);
    return PyUnicode_FromFormat("<freshet.Filter %s, %llu bytes, %llu keys>",
                                info.algorithm, (unsigned long long)info.memory,
                                (unsigned long long)(info.fresh +
                                                     info.remembered));
}

PyObject *py_info_plan(PyObject *module, PyObject *args, PyObject *keywords)
{
    struct py_options options;
    freshet_planned planned = {.size = sizeof planned};
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload load = {.size = sizeof load};
    freshet_error err;

    (void)module;
    if (!py_options_parse(&options, args, keywords, false))
        return NULL;
    load.distinct = options.goal.options.expect;
    if (freshet_plan(&planned, &options.goal.options, &err) < 0 ||
        freshet_expect_options(&rates, &options.goal.options, &load, &err) < 0)
        return py_errors_library(&err);
    return Py_BuildValue("{sssssNsssNsNsN}", "algorithm", planned.algorithm,
                         "params", planned.params, "memory",
                         PyLong_FromUnsignedLongLong(planned.bytes), "reason",
                         options.goal.reason, "false_drop",
                         figure(rates.false_drop), "false_pass",
                         figure(rates.false_pass), "reach",
                         figure(rates.reach));
}

static PyObject *parameters(const freshet_algorithm *a)
{
    PyObject *list = PyList_New(0), *row;
    const freshet_parameter *p;

    for (size_t i = 0; list && (p = freshet_parameter_at(a, i)); i++) {
        row = Py_BuildValue("{sssdsdsdszss}", "name", p->name, "min", p->min,
                            "max", p->max, "default", p->fallback, "words",
                            p->words, "help", p->help);
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *abilities(unsigned can)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{FRESHET_CAN_FORGET, "forget"},
                 {FRESHET_CAN_MERGE, "merge"},
                 {FRESHET_CAN_WINDOW, "last"},
                 {FRESHET_CAN_WITHIN, "within"},
                 {FRESHET_CAN_SPLIT, "split"}};
    PyObject *set = PySet_New(NULL), *name;

    for (size_t i = 0; set && i < sizeof names / sizeof *names; i++) {
        if (!(can & names[i].bit))
            continue;
        name = PyUnicode_FromString(names[i].name);
        if (!name || PySet_Add(set, name) < 0)
            Py_CLEAR(set);
        Py_XDECREF(name);
    }
    return set;
}

PyObject *py_info_algorithms(PyObject *module, PyObject *nothing)
{
    PyObject *list = PyList_New(0), *row;
    const freshet_algorithm *a;

    (void)module;
    (void)nothing;
    for (size_t i = 0; list && (a = freshet_algorithm_at(i)); i++) {
        row = Py_BuildValue("{sssssssNsN}", "name", a->name, "title", a->title,
                            "paper", a->paper, "can", abilities(a->can),
                            "parameters", parameters(a));
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}
