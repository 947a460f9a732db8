/*
 * py_key_source.c - keys out of lists, iterators, arrays and buffers
 */
#include "py_key_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "py_key.h"

enum {
    AHEAD = 12,      /* objects between a prefetch and its use */
    CACHE_LINE = 64, /* bytes */
    DIGITS = 24,     /* bytes of a 64-bit number as text */
    ITEMS = 256,     /* objects that are looked up at once */
    UTF8_MOST = 4    /* bytes of a character */
};

static bool hash_object(PyObject *object, const freshet_hasher *hasher,
                        freshet_hash *out)
{
    struct view view;

    if (!py_key_of(object, &view))
        return false;
    *out = freshet_hash_with(hasher, view.at, view.len);
    return true;
}

/* ---- Python objects --------------------------------------------------- */

/* Asks for the memory of an object that is hashed soon: its head and the
   beginning of its bytes. */
static void prefetch(const PyObject *object)
{
    __builtin_prefetch(object);
    __builtin_prefetch((const char *)object + CACHE_LINE);
}

/* Returns the number of objects hashed; fewer than n if one is no key. */
static size_t hash_objects(PyObject *const *objects, size_t n,
                           const freshet_hasher *hasher, freshet_hash *out)
{
    size_t got = 0;

    for (size_t i = 0; i < AHEAD && i < n; i++)
        prefetch(objects[i]);
    while (got < n && hash_object(objects[got], hasher, &out[got])) {
        got++;
        if (got + AHEAD < n)
            prefetch(objects[got + AHEAD]);
    }
    return got;
}

/* Hashes a list or a tuple, whose length and items these functions tell.  A
   list may change between two calls, when other threads run, but not during
   one: hashing runs no code of Python. */
static inline size_t next_items(struct py_key_source *k,
                                Py_ssize_t (*size_of)(PyObject *),
                                PyObject *(*item_of)(PyObject *, Py_ssize_t),
                                const freshet_hasher *hasher, freshet_hash *out,
                                size_t n)
{
    Py_ssize_t left = size_of(k->object) - k->at;
    size_t got = 0, some, hashed;
    PyObject *items[ITEMS];

    n = left < 0 ? 0 : (size_t)left < n ? (size_t)left : n;
    do {
        some = n - got < ITEMS ? n - got : ITEMS;
        for (size_t i = 0; i < some; i++)
            items[i] = item_of(k->object, k->at + (Py_ssize_t)i);
        hashed = hash_objects(items, some, hasher, out + got);
        k->at += (Py_ssize_t)hashed;
        got += hashed;
    } while (hashed == ITEMS);
    return got;
}

static size_t next_of_list(struct py_key_source *k,
                           const freshet_hasher *hasher, freshet_hash *out,
                           size_t n)
{
    return next_items(k, PyList_Size, PyList_GetItem, hasher, out, n);
}

static size_t next_of_tuple(struct py_key_source *k,
                            const freshet_hasher *hasher, freshet_hash *out,
                            size_t n)
{
    return next_items(k, PyTuple_Size, PyTuple_GetItem, hasher, out, n);
}

static size_t next_of_iterator(struct py_key_source *k,
                               const freshet_hasher *hasher, freshet_hash *out,
                               size_t n)
{
    PyObject *item;
    size_t got = 0;
    bool good = true;

    while (good && got < n && (item = PyIter_Next(k->object))) {
        good = hash_object(item, hasher, &out[got]);
        got += good;
        Py_DECREF(item);
    }
    return got;
}

/* ---- Arrays ----------------------------------------------------------- */

static const char *item_at(const Py_buffer *b, Py_ssize_t i)
{
    return (const char *)b->buf +
           i * (b->strides ? b->strides[0] : b->itemsize);
}

static int64_t signed_at(const char *at, Py_ssize_t size)
{
    union {
        int8_t one;
        int16_t two;
        int32_t four;
        int64_t eight;
    } v = {0};

    memcpy(&v, at, (size_t)size);
    return size == 1 ? v.one : size == 2 ? v.two : size == 4 ? v.four : v.eight;
}

static uint64_t unsigned_at(const char *at, Py_ssize_t size)
{
    uint64_t v = 0;

    memcpy(&v, at, (size_t)size); /* the machine is little-endian */
    return v;
}

static size_t put_utf8(char *out, uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = n; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[n] | c);
    return n;
}

static bool has_utf8(uint32_t c)
{
    return c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
}

/* Writes an item of 32-bit characters as UTF-8; NULs at its end are padding.
   Returns false if UTF-8 cannot hold it. */
static bool utf8_of(char *out, size_t *len, const char *at, Py_ssize_t size)
{
    size_t n = (size_t)size / 4;
    uint32_t c = 0;

    while (n && (memcpy(&c, at + 4 * (n - 1), 4), c == 0))
        n--;
    for (size_t i = 0; i < n; i++) {
        memcpy(&c, at + 4 * i, 4);
        if (!has_utf8(c))
            return false;
        *len += put_utf8(out + *len, c);
    }
    return true;
}

static size_t padded_length(const char *at, size_t len)
{
    while (len && at[len - 1] == '\0')
        len--;
    return len;
}

/* An item as the bytes that the same key has as str or bytes. */
static struct view text_of(struct py_key_source *k, const char *at)
{
    Py_ssize_t size = k->items.itemsize;
    struct view text = {k->scratch, 0};

    switch (k->kind) {
    case 's':
        text = (struct view){at, padded_length(at, (size_t)size)};
        break;
    case 'w':
        k->is_wrong = !utf8_of(k->scratch, &text.len, at, size);
        break;
    case 'i':
        text.len = (size_t)snprintf(k->scratch, DIGITS, "%" PRId64,
                                    signed_at(at, size));
        break;
    default:
        text.len = (size_t)snprintf(k->scratch, DIGITS, "%" PRIu64,
                                    unsigned_at(at, size));
        break;
    }
    return text;
}

static size_t next_of_array(struct py_key_source *k,
                            const freshet_hasher *hasher, freshet_hash *out,
                            size_t n)
{
    size_t got = 0;

    for (; got < n && k->at < k->items.shape[0]; got++, k->at++) {
        struct view text = text_of(k, item_at(&k->items, k->at));

        if (k->is_wrong)
            break;
        out[got] = freshet_hash_with(hasher, text.at, text.len);
    }
    return got;
}

/* Key i is data[offsets[i]:offsets[i + 1]]. */
static size_t next_of_offsets(struct py_key_source *k,
                              const freshet_hasher *hasher, freshet_hash *out,
                              size_t n)
{
    Py_ssize_t size = k->items.itemsize;
    size_t got = 0;

    for (; got < n && k->at + 1 < k->items.shape[0]; got++, k->at++) {
        int64_t from = signed_at(item_at(&k->items, k->at), size);
        int64_t to = signed_at(item_at(&k->items, k->at + 1), size);

        k->is_wrong = from < 0 || to < from || to > k->data.len;
        if (k->is_wrong)
            break;
        out[got] = freshet_hash_with(hasher, (const char *)k->data.buf + from,
                                     (size_t)(to - from));
    }
    return got;
}

/* ---- Opening ---------------------------------------------------------- */

static bool is_size_of_integer(Py_ssize_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The kind of a buffer's items by its format: "40s", "<i8" as "<q", "12w"; '?'
   for others, also for items of several integers, "4i".  ctypes writes u for
   w. */
static char kind_of(const Py_buffer *b)
{
    const char *f = b->format ? b->format : "B";
    size_t digits;

    f += strspn(f, "@=<");
    digits = strspn(f, "0123456789");
    f += digits;
    if (f[0] == '\0' || f[1] != '\0')
        return '?';
    if (!digits && is_size_of_integer(b->itemsize) && strchr("bhilqn", f[0]))
        return 'i';
    if (!digits && is_size_of_integer(b->itemsize) && strchr("BHILQN", f[0]))
        return 'u';
    return f[0] == 'u' ? 'w' : strchr("swO", f[0]) ? f[0] : '?';
}

static bool refuse_array(const Py_buffer *b)
{
    PyErr_Format(PyExc_TypeError,
                 "an array of keys has one dimension and holds bytes, "
                 "characters or integers, not '%s' in %d dimensions; give a "
                 "list of str",
                 b->format ? b->format : "B", b->ndim);
    return false;
}

static bool open_array(struct py_key_source *k, PyObject *object)
{
    if (PyObject_GetBuffer(object, &k->items, PyBUF_STRIDES | PyBUF_FORMAT) < 0)
        return false;
    k->kind = kind_of(&k->items);
    if (k->items.ndim != 1 || !strchr("swiu", k->kind))
        return refuse_array(&k->items);
    k->scratch = PyMem_Malloc((size_t)k->items.itemsize * UTF8_MOST + DIGITS);
    k->next = next_of_array;
    k->is_plain = true;
    if (!k->scratch)
        PyErr_NoMemory();
    return k->scratch;
}

/* A pair of buffers: offsets of 32 or 64 bits, and data. */
static bool is_offsets(PyObject *object)
{
    PyObject *first;

    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2)
        return false;
    first = PyTuple_GetItem(object, 0);
    return !PyBytes_Check(first) && PyObject_CheckBuffer(first);
}

static bool open_offsets(struct py_key_source *k, PyObject *pair)
{
    PyObject *offsets = PyTuple_GetItem(pair, 0);

    if (PyObject_GetBuffer(offsets, &k->items, PyBUF_STRIDES | PyBUF_FORMAT) <
            0 ||
        PyObject_GetBuffer(PyTuple_GetItem(pair, 1), &k->data, PyBUF_SIMPLE) <
            0)
        return false;
    k->next = next_of_offsets;
    k->is_plain = true;
    if (k->items.ndim == 1 && kind_of(&k->items) == 'i' &&
        (k->items.itemsize == 4 || k->items.itemsize == 8))
        return true;
    PyErr_SetString(PyExc_TypeError, "(offsets, data): offsets are signed "
                                     "integers of 32 or 64 bits");
    return false;
}

/* An object with a buffer of other objects is walked like any iterable. */
static bool is_array(PyObject *object)
{
    Py_buffer b;
    bool array;

    if (!PyObject_CheckBuffer(object))
        return false;
    if (PyObject_GetBuffer(object, &b, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return false;
    }
    array = kind_of(&b) != 'O';
    PyBuffer_Release(&b);
    return array;
}

bool py_key_source_open(struct py_key_source *k, PyObject *object)
{
    *k = (struct py_key_source){0};
    if (PyUnicode_Check(object) || PyBytes_Check(object) ||
        PyByteArray_Check(object)) {
        PyErr_SetString(PyExc_TypeError,
                        "add_many() takes many keys, and a single str or bytes "
                        "is one; use add(key), or add_many([key])");
        return false;
    }
    if (is_offsets(object))
        return open_offsets(k, object);
    if (is_array(object))
        return open_array(k, object);
    if (PyList_Check(object) || PyTuple_Check(object)) {
        k->object = Py_NewRef(object);
        k->next = PyList_Check(object) ? next_of_list : next_of_tuple;
        return true;
    }
    k->object = PyObject_GetIter(object);
    k->next = next_of_iterator;
    return k->object;
}

size_t py_key_source_size(const struct py_key_source *k)
{
    Py_ssize_t n = 0;

    if (k->next == next_of_list)
        n = PyList_Size(k->object);
    else if (k->next == next_of_tuple)
        n = PyTuple_Size(k->object);
    else if (k->next == next_of_array)
        n = k->items.shape[0];
    else if (k->next == next_of_offsets && k->items.shape[0])
        n = k->items.shape[0] - 1;
    return (size_t)n;
}

bool py_key_source_check(const struct py_key_source *k)
{
    if (k->is_wrong && k->kind == 'w')
        py_key_refuse_surrogate();
    else if (k->is_wrong)
        PyErr_Format(PyExc_ValueError,
                     "offsets[%zd] and [%zd] do not lie in order within the "
                     "%zd bytes of data",
                     k->at, k->at + 1, k->data.len);
    return !PyErr_Occurred();
}

void py_key_source_close(struct py_key_source *k)
{
    Py_XDECREF(k->object);
    if (k->items.obj)
        PyBuffer_Release(&k->items);
    if (k->data.obj)
        PyBuffer_Release(&k->data);
    PyMem_Free(k->scratch);
}
