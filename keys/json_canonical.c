/*
 * json_canonical.c - writes the canonical spelling of a JSON value
 *
 * The value was checked before, so its first byte tells its type, and all its
 * brackets are closed.
 */
#include "json_canonical.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "json_node.h"

enum { FEW = 16 }; /* members that are compared pairwise */

enum { NO_NODE = -1 };

/* A member of an object that is being written: name, colon and value. */
struct member {
    char *start; /* in out, at the opening quote of the name */
    size_t name_len;
    char *end; /* NULL: a later member has this name */
};

struct writer {
    const char *at, *end;
    const struct json_path *without; /* members to leave out, or NULL */
    char *out;                       /* position of the next byte */
    struct key_scratch *scratch;     /* its aside holds the members */
    size_t members;                  /* members of all open objects */
};

static struct member *members(const struct writer *w)
{
    return w->scratch->aside;
}

static bool add_member(struct writer *w, char *start)
{
    struct key_scratch *s = w->scratch;

    if (w->members == s->aside_size) {
        void *more = array_reserve(s->aside, &s->aside_size, w->members + FEW,
                                   sizeof(struct member));

        if (!more)
            return false;
        s->aside = more;
    }
    members(w)[w->members++] =
        (struct member){start, (size_t)(w->out - start), w->out};
    return true;
}

/* ---- Members of one name ---------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

static int by_name(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int order;

    if (x->name_len != y->name_len)
        return x->name_len < y->name_len ? -1 : 1;
    order = memcmp(x->start, y->start, x->name_len);
    return order ? order : by_place(a, b);
}

static bool same_name(const struct member *x, const struct member *y)
{
    return x->name_len == y->name_len &&
           memcmp(x->start, y->start, x->name_len) == 0;
}

/* Marks the members that a later one replaces.  Returns whether there are
   any. */
static bool mark_few(struct member *m, size_t n)
{
    bool any = false;

    for (size_t i = 0; i + 1 < n; i++)
        for (size_t j = i + 1; j < n && m[i].end; j++)
            if (same_name(&m[i], &m[j])) {
                m[i].end = NULL;
                any = true;
            }
    return any;
}

static bool mark_many(struct member *m, size_t n)
{
    bool any = false;

    qsort(m, n, sizeof *m, by_name);
    for (size_t i = 0; i + 1 < n; i++)
        if (same_name(&m[i], &m[i + 1])) {
            m[i].end = NULL;
            any = true;
        }
    qsort(m, n, sizeof *m, by_place);
    return any;
}

/* Removes members that later ones replace, before the closing brace is
   written. */
static void remove_replaced(struct writer *w, size_t first)
{
    struct member *m = members(w) + first;
    size_t n = w->members - first;
    char *begin, *to;

    if (n < 2)
        return;
    begin = to = m[0].start;
    if (!(n > FEW ? mark_many(m, n) : mark_few(m, n)))
        return;
    for (size_t i = 0; i < n; i++) {
        size_t len = m[i].end ? (size_t)(m[i].end - m[i].start) : 0;

        if (len && to > begin)
            *to++ = ',';
        memmove(to, m[i].start, len);
        to += len;
    }
    w->out = to;
}

/* ---- Values ----------------------------------------------------------- */

static bool put_value(struct writer *w, int node);

static void skip_space(struct writer *w)
{
    w->at = json_skip_space(w->at, w->end);
}

/* At an opening quote: writes the string and returns the text between the
   quotes. */
static struct view put_string(struct writer *w, bool *escaped)
{
    const char *start = w->at + 1;
    const char *close = json_string_end(start, w->end, escaped);
    size_t len = (size_t)(close - start);

    *w->out++ = '"';
    if (*escaped) {
        w->out += json_respell(w->out, start, len);
    } else {
        memcpy(w->out, start, len);
        w->out += len;
    }
    *w->out++ = '"';
    w->at = close + 1;
    return (struct view){start, len};
}

static bool is_left_out(const struct writer *w, int node)
{
    return node != NO_NODE && w->without->node[node].path >= 0;
}

static int node_named(const struct writer *w, int node, struct view name,
                      bool escaped)
{
    uint16_t child = 0;

    if (node != NO_NODE)
        child = json_node_named(w->without, (uint16_t)node, name, escaped);
    return child ? child : NO_NODE;
}

static int node_numbered(const struct writer *w, int node, uint64_t index)
{
    uint16_t child = 0;

    if (node != NO_NODE)
        child = json_node_numbered(w->without, (uint16_t)node, index);
    return child ? child : NO_NODE;
}

/* At a name: writes the member, unless it is left out. */
static bool put_member(struct writer *w, int node, bool comma)
{
    size_t before = w->members;
    char *start = w->out + comma;
    bool escaped = false;
    struct view name;
    int child;

    *w->out = ',';
    w->out = start;
    name = put_string(w, &escaped);
    child = node_named(w, node, name, escaped);
    /* analyzer: sees a leak; w->scratch owns what is allocated */
    if (!add_member(w, start))
        return false;
    skip_space(w);
    w->at++; /* the colon */
    *w->out++ = ':';
    if (!put_value(w, child))
        return false;
    members(w)[before].end = w->out;
    w->members = before + 1;
    if (is_left_out(w, child)) {
        w->members = before;
        w->out = start - comma;
    }
    return true;
}

/* At an element of an array: writes it, unless it is left out. */
static bool put_element(struct writer *w, int node, bool comma)
{
    char *start = w->out;

    *w->out = ',';
    w->out += comma;
    if (!put_value(w, node))
        return false;
    if (is_left_out(w, node))
        w->out = start;
    return true;
}

/* At an opening bracket: moves to the first value, or past the closing
   bracket. */
static bool enter_bracket(struct writer *w, char close)
{
    *w->out++ = *w->at++;
    skip_space(w);
    if (*w->at != close)
        return true;
    *w->out++ = *w->at++;
    return false;
}

/* After a value: moves to the next one, or to the closing bracket. */
static bool next_value(struct writer *w)
{
    bool more;

    skip_space(w);
    more = *w->at == ',';
    if (more) {
        w->at++;
        skip_space(w);
    }
    return more;
}

static bool put_object(struct writer *w, int node)
{
    size_t first = w->members;

    if (!enter_bracket(w, '}'))
        return true;
    do
        if (!put_member(w, node, w->members > first))
            return false;
    while (next_value(w));
    remove_replaced(w, first);
    *w->out++ = *w->at++;
    return true;
}

static bool put_array(struct writer *w, int node)
{
    const char *begin;

    if (!enter_bracket(w, ']'))
        return true;
    begin = w->out;
    for (uint64_t i = 0; i == 0 || next_value(w); i++)
        if (!put_element(w, node_numbered(w, node, i), w->out > begin))
            return false;
    *w->out++ = *w->at++;
    return true;
}

/* Copies a number, true, false or null. */
static void put_word(struct writer *w)
{
    while (w->at < w->end && !json_is_space(*w->at) && *w->at != ',' &&
           *w->at != ']' && *w->at != '}')
        *w->out++ = *w->at++;
}

static bool put_value(struct writer *w, int node)
{
    bool escaped = false;

    skip_space(w);
    if (*w->at == '{')
        return put_object(w, node);
    if (*w->at == '[')
        return put_array(w, node);
    if (*w->at == '"')
        put_string(w, &escaped);
    else
        put_word(w);
    return true;
}

bool json_canonical(struct view value, const struct json_path *without,
                    struct key_scratch *scratch, char *out, size_t *len)
{
    struct writer w = {.at = value.at,
                       .end = value.at + value.len,
                       .without = without,
                       .out = out,
                       .scratch = scratch};
    int root = without ? 0 : NO_NODE;

    if (!put_value(&w, root))
        return false;
    *len = is_left_out(&w, root) ? 0 : (size_t)(w.out - out);
    return true;
}
