/*
 * py_key.c - Python objects as the bytes of keys
 */
#include "py_key.h"

void py_key_refuse_surrogate(void)
{
    PyErr_SetString(PyExc_ValueError,
                    "the key holds a surrogate, which UTF-8 has not; give "
                    "bytes: key.encode('utf-8', 'surrogatepass')");
}

static bool of_text(PyObject *object, struct view *out)
{
    Py_ssize_t len;
    const char *utf8 = PyUnicode_AsUTF8AndSize(object, &len);

    if (utf8) {
        *out = (struct view){utf8, (size_t)len};
        return true;
    }
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
        py_key_refuse_surrogate();
    }
    return false;
}

bool py_key_of(PyObject *object, struct view *out)
{
    Py_ssize_t len;
    char *bytes;

    /* A comparison, and a call only for types made of str. */
    if (Py_IS_TYPE(object, &PyUnicode_Type) || PyUnicode_Check(object))
        return of_text(object, out);
    if (!PyBytes_Check(object)) {
        PyErr_Format(PyExc_TypeError,
                     "a key is str or bytes, not %R; make one of it, with "
                     "str() or bytes()",
                     (PyObject *)Py_TYPE(object));
        return false;
    }
    if (PyBytes_AsStringAndSize(object, &bytes, &len) < 0)
        return false;
    *out = (struct view){bytes, (size_t)len};
    return true;
}
