/*
 * py_key_source.h - keys out of lists, iterators, arrays and buffers
 */
#ifndef PY_KEY_SOURCE_H
#define PY_KEY_SOURCE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "freshet.h"

/*
 * Where keys come from.  next() hashes up to n of them and returns how many;
 * fewer than n at the end, or if a key was wrong.
 */
struct py_key_source {
    size_t (*next)(struct py_key_source *k, const freshet_hasher *hasher,
                   freshet_hash *out, size_t n);
    bool is_plain;    /* next() does not need the interpreter's lock */
    bool is_wrong;    /* the next item, of an array or of offsets */
    PyObject *object; /* list, tuple or iterator */
    Py_buffer items;  /* array of items, or of offsets into data */
    Py_buffer data;
    char kind;     /* of items: s bytes, w characters, i and u integers */
    Py_ssize_t at; /* the next item */
    char *scratch; /* for one item as text */
};

/* Finds out what the object is.  Returns false with an exception set if it
   holds no keys; to be closed in any case. */
bool py_key_source_open(struct py_key_source *k, PyObject *object);

/* Returns the number of keys, or 0 if only the end will tell; a list may
   change. */
size_t py_key_source_size(const struct py_key_source *k);

/* Returns false with an exception set if next() found a wrong key. */
bool py_key_source_check(const struct py_key_source *k);

void py_key_source_close(struct py_key_source *k);

#endif
