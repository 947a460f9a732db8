/*
 * py_module.c - the extension module freshet._freshet
 */
#include "py_errors.h"
#include "py_info.h"
#include "py_saved.h"
#include "py_type.h"

/* The type freshet.Filter, for functions that make one. */
static PyTypeObject *filter_type;

static PyObject *open_state(PyObject *module, PyObject *path)
{
    (void)module;
    return py_saved_open(filter_type, path);
}

static PyObject *attach(PyObject *module, PyObject *buffer)
{
    (void)module;
    return py_saved_attach(filter_type, buffer);
}

static PyObject *restore(PyObject *module, PyObject *bytes)
{
    (void)module;
    return py_saved_restore(filter_type, bytes);
}

static PyMethodDef functions[] = {
    {"open", open_state, METH_O,
     "open(path)\n--\n\nReturns the filter of a state file, which save() or "
     "the program freshet wrote."},
    {"attach", attach, METH_O,
     "attach(buffer)\n--\n\nReturns a filter over the bytes of block(), which "
     "may be shared memory that is not written: it can only be asked."},
    {"restore", restore, METH_O,
     "restore(bytes)\n--\n\nReturns a pickled filter."},
    {"plan", (PyCFunction)(void (*)(void))py_info_plan,
     METH_VARARGS | METH_KEYWORDS,
     "plan(memory='256M', error=1e-6, **options)\n--\n\nReturns what a filter "
     "with these options would be, as a dict."},
    {"algorithms", py_info_algorithms, METH_NOARGS,
     "algorithms()\n--\n\nReturns a dict for each algorithm."},
    {0},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "freshet._freshet",
    .m_doc = "libfreshet for Python; import freshet instead.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__freshet(void);

PyMODINIT_FUNC PyInit__freshet(void)
{
    PyObject *module = PyModule_Create(&definition), *type;

    if (!module)
        return NULL;
    type = py_type_create(module);
    filter_type = (PyTypeObject *)type;
    if (type && py_errors_add(module) &&
        PyModule_AddObjectRef(module, "Filter", type) == 0 &&
        PyModule_AddStringConstant(module, "__version__", freshet_version()) ==
            0)
        return module;
    Py_DECREF(module);
    return NULL;
}
