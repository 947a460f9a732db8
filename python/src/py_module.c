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

static PyObject *restore(PyObject *module, PyObject *args)
{
    (void)module;
    return py_saved_restore(filter_type, args);
}

static PyMethodDef functions[] = {
    {"open", open_state, METH_O,
     "open(path, /)\n--\n\n"
     "Returns the filter of a state file, which save() or the program freshet\n"
     "wrote.\n\n"
     ">>> import os, tempfile, freshet\n"
     ">>> seen = freshet.Filter(memory='1M')\n"
     ">>> seen.remember('a')\n"
     ">>> with tempfile.TemporaryDirectory() as folder:\n"
     "...     seen.save(os.path.join(folder, 'state'))\n"
     "...     'a' in freshet.open(os.path.join(folder, 'state'))\n"
     "True"},
    {"attach", attach, METH_O,
     "attach(buffer, /)\n--\n\n"
     "Returns a filter over the bytes of block(), which may be shared memory\n"
     "that is not written: it can only be asked.\n\n"
     ">>> import freshet, mmap\n"
     ">>> seen = freshet.Filter(memory='1M')\n"
     ">>> seen.remember('a')\n"
     ">>> memory = mmap.mmap(-1, len(seen.block()))\n"
     ">>> memory[:] = seen.block()\n"
     ">>> 'a' in freshet.attach(memory)\n"
     "True"},
    {"restore", restore, METH_VARARGS,
     "restore(bytes, ticked=False, type=Filter, /)\n--\n\n"
     "Returns a pickled filter."},
    {"plan", (PyCFunction)(void (*)(void))py_info_plan,
     METH_VARARGS | METH_KEYWORDS,
     "plan(memory='256M', error=1e-6, *, within=None, last=None, expect=None,\n"
     "     algorithm=None, params=None, seed=None, refresh=False, hash=None)\n"
     "--\n\n"
     "Returns what a filter with these options would be, as a dict.\n\n"
     ">>> import freshet\n"
     ">>> freshet.plan(memory='64M', expect=10**8)['algorithm']\n"
     "'pocket'"},
    {"algorithms", py_info_algorithms, METH_NOARGS,
     "algorithms()\n--\n\n"
     "Returns a dict for each algorithm.\n\n"
     ">>> import freshet\n"
     ">>> [a['name'] for a in freshet.algorithms() if 'split' in a['can']]\n"
     "['pocket', 'set', 'sqf', 'isqf', 'qht']"},
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
