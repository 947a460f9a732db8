/*
 * json_find.c - finds paths in one pass over a record
 *
 * Objects and arrays on a path are read member by member; everything else is
 * skipped, but checked.  Recursion is as deep as the longest path; skipping
 * keeps one bit per open bracket instead.
 */
#include <string.h>

#include "json_node.h"

struct finder {
    const char *at, *end;
    const struct json_path *tree;
    struct json_path_value *value;
    unsigned depth;
    int status;
    uint64_t met[JSON_PATH_NODES / 64]; /* nodes whose name has occurred */
};

/* The open brackets inside a skipped value. */
struct nest {
    unsigned depth, room;
    uint64_t object[JSON_PATH_DEPTH / 64]; /* 1: a brace */
};

static bool malformed(struct finder *f)
{
    f->status = JSON_PATH_MALFORMED;
    return false;
}

static bool too_deep(struct finder *f)
{
    f->status = JSON_PATH_TOO_DEEP;
    return false;
}

/* Skips blanks.  Returns false if the record ends. */
static inline bool to_next(struct finder *f)
{
    f->at = json_skip_space(f->at, f->end);
    return f->at < f->end || malformed(f);
}

static inline bool move_to(struct finder *f, const char *end)
{
    if (!end)
        return malformed(f);
    f->at = end;
    return true;
}

/* At a name: moves past it and its colon to the value. */
static inline bool skip_name(struct finder *f, struct view *raw, bool *escaped)
{
    const char *close;

    if (*f->at != '"')
        return malformed(f);
    close = json_string_end(f->at + 1, f->end, escaped);
    if (!close)
        return malformed(f);
    *raw = (struct view){f->at + 1, (size_t)(close - f->at - 1)};
    f->at = close + 1;
    if (!to_next(f) || *f->at != ':')
        return malformed(f);
    f->at++;
    return to_next(f);
}

static inline bool skip_scalar(struct finder *f, bool *escaped)
{
    const char *close;

    if (*f->at == '"') {
        close = json_string_end(f->at + 1, f->end, escaped);
        return move_to(f, close ? close + 1 : NULL);
    }
    if (*f->at == '-' || (*f->at >= '0' && *f->at <= '9'))
        return move_to(f, json_number_end(f->at, f->end));
    return move_to(f, json_literal_end(f->at, f->end));
}

static bool in_object(const struct nest *n)
{
    return n->object[(n->depth - 1) / 64] >> (n->depth - 1) % 64 & 1;
}

/* At an opening bracket: moves past it to the first value. */
static bool nest_open(struct finder *f, struct nest *n)
{
    uint64_t bit = UINT64_C(1) << n->depth % 64, *word;

    if (n->depth == n->room)
        return too_deep(f);
    word = &n->object[n->depth++ / 64];
    *word = *f->at == '{' ? *word | bit : *word & ~bit;
    f->at++;
    return to_next(f);
}

/* After a value: moves past closing brackets and a comma to the next value,
   which does not exist if depth becomes 0. */
static bool nest_next(struct finder *f, struct nest *n)
{
    struct view name;
    bool escaped;

    while (n->depth) {
        if (!to_next(f))
            return false;
        if (*f->at == ',') {
            f->at++;
            if (!to_next(f))
                return false;
            return !in_object(n) || skip_name(f, &name, &escaped);
        }
        if (*f->at != (in_object(n) ? '}' : ']'))
            return malformed(f);
        f->at++;
        n->depth--;
    }
    return true;
}

/* At an opening bracket: moves past its closing bracket. */
static bool skip_nested(struct finder *f)
{
    struct nest n = {.room = JSON_PATH_DEPTH - f->depth};
    struct view name;
    bool escaped;

    do {
        if (*f->at == '{' || *f->at == '[') {
            if (!nest_open(f, &n))
                return false;
            if (*f->at == (in_object(&n) ? '}' : ']')) {
                f->at++;
                n.depth--;
            } else if (in_object(&n) && !skip_name(f, &name, &escaped)) {
                return false;
            } else {
                continue;
            }
        } else if (!skip_scalar(f, &escaped)) {
            return false;
        }
        if (!nest_next(f, &n))
            return false;
    } while (n.depth);
    return true;
}

static inline bool skip_value(struct finder *f, bool *escaped)
{
    if (*f->at == '{' || *f->at == '[')
        return skip_nested(f);
    return skip_scalar(f, escaped);
}

static bool visit(struct finder *f, uint16_t node);

/* At a value: skips it if node is 0, else visits it. */
static inline bool skip_or_visit(struct finder *f, uint16_t node)
{
    bool escaped;

    return node ? visit(f, node) : skip_value(f, &escaped);
}

/* After a value: sets *more and moves to the next one, or moves past the
   closing bracket. */
static inline bool walk_next(struct finder *f, char close, bool *more)
{
    if (!to_next(f) || (*f->at != ',' && *f->at != close))
        return malformed(f);
    *more = *f->at++ == ',';
    if (*more)
        return to_next(f);
    f->depth--;
    return true;
}

/* At an opening bracket: moves into it; sets *more if it is not empty. */
static bool walk_in(struct finder *f, char close, bool *more)
{
    if (f->depth == JSON_PATH_DEPTH)
        return too_deep(f);
    f->at++;
    if (!to_next(f))
        return false;
    *more = *f->at != close;
    f->depth += *more;
    f->at += !*more;
    return true;
}

static bool walk_object(struct finder *f, uint16_t node)
{
    bool more;

    if (!walk_in(f, '}', &more))
        return false;
    while (more) {
        bool escaped = false;
        struct view raw;

        if (!skip_name(f, &raw, &escaped) ||
            !skip_or_visit(f, json_node_named(f->tree, node, raw, escaped)) ||
            !walk_next(f, '}', &more))
            return false;
    }
    return true;
}

static bool walk_array(struct finder *f, uint16_t node)
{
    bool more;

    if (!walk_in(f, ']', &more))
        return false;
    for (uint64_t i = 0; more; i++)
        if (!skip_or_visit(f, json_node_numbered(f->tree, node, i)) ||
            !walk_next(f, ']', &more))
            return false;
    return true;
}

static enum json_path_type type_at(const char *p)
{
    switch (*p) {
    case '{':
        return JSON_PATH_OBJECT;
    case '[':
        return JSON_PATH_ARRAY;
    case '"':
        return JSON_PATH_STRING;
    case 't':
        return JSON_PATH_TRUE;
    case 'f':
        return JSON_PATH_FALSE;
    case 'n':
        return JSON_PATH_NULL;
    default:
        return JSON_PATH_NUMBER;
    }
}

/* Discards what was found at a node and below it. */
static void clear(struct finder *f, uint16_t node)
{
    const struct json_path_node *n = &f->tree->node[node];

    if (n->path >= 0)
        f->value[n->path] = (struct json_path_value){0};
    for (uint16_t child = n->child; child; child = f->tree->node[child].next)
        clear(f, child);
}

/* The last of equal names counts: it replaces everything that an earlier one
   had. */
static inline void discard_earlier(struct finder *f, uint16_t node)
{
    uint64_t bit = UINT64_C(1) << node % 64, *word = &f->met[node / 64];

    if (*word & bit)
        clear(f, node);
    *word |= bit;
}

/* At the value of a node: reads it and the values of its paths. */
static bool visit(struct finder *f, uint16_t node)
{
    const struct json_path_node *n = &f->tree->node[node];
    const char *start = f->at;
    bool escaped = false;

    discard_earlier(f, node);
    if (n->child && *start == '{') {
        if (!walk_object(f, node))
            return false;
    } else if (n->child && *start == '[') {
        if (!walk_array(f, node))
            return false;
    } else if (!skip_value(f, &escaped)) {
        return false;
    }
    if (n->path >= 0)
        f->value[n->path] = (struct json_path_value){
            .type = type_at(start),
            .escaped = escaped,
            .raw = {start, (size_t)(f->at - start)},
        };
    return true;
}

int json_path_find(const struct json_path *paths, struct view record,
                   struct json_path_value *value)
{
    struct finder f = {
        .at = record.at,
        .end = record.at + record.len,
        .tree = paths,
        .value = value,
    };

    memset(value, 0, paths->paths * sizeof *value);
    if (to_next(&f) && visit(&f, 0)) {
        f.at = json_skip_space(f.at, f.end);
        if (f.at < f.end)
            malformed(&f);
    }
    return f.status;
}

struct view json_path_text(const struct json_path_value *value, char *scratch)
{
    struct view text = value->raw;

    if (value->type != JSON_PATH_STRING)
        return text;
    text.at++;
    text.len -= 2;
    if (value->escaped) {
        text.len = json_decode(scratch, text.at, text.len);
        text.at = scratch;
    }
    return text;
}
