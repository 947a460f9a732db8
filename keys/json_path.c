/*
 * json_path.c - compiles ".user.id,.items[0].sku" to a tree of steps
 *
 * Paths that begin alike share their first nodes, so that a record's names are
 * compared once, whatever the number of paths.
 */
#include "json_path.h"

#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "number.h"

enum { SHOWN = 60 }; /* bytes of a path in a message */

/* The state of the parser. */
struct reading {
    struct json_path *tree;
    const char *at;
    char *names;       /* position of the next name */
    const char *wrong; /* what is wrong with the path, or NULL */
};

static bool wrong(struct reading *r, const char *what)
{
    r->wrong = what;
    return false;
}

static bool same_step(const struct json_path_node *a,
                      const struct json_path_node *b)
{
    if (!a->name.at || !b->name.at)
        return a->name.at == b->name.at && a->index == b->index;
    return a->name.len == b->name.len &&
           memcmp(a->name.at, b->name.at, a->name.len) == 0;
}

/* Returns the child of a node for a step, creating it if needed; 0 if the tree
   is full. */
static uint16_t child_for(struct reading *r, uint16_t parent,
                          const struct json_path_node *step)
{
    struct json_path *tree = r->tree;
    uint16_t *link = &tree->node[parent].child;

    while (*link && !same_step(&tree->node[*link], step))
        link = &tree->node[*link].next;
    if (!*link) {
        if (tree->nodes == JSON_PATH_NODES)
            return 0;
        *link = tree->nodes++;
        tree->node[*link] = *step;
    }
    return *link;
}

static bool read_quoted(struct reading *r, struct json_path_node *step)
{
    const char *start = r->at + 1, *close;
    bool escaped = false;

    close = json_string_end(start, start + strlen(start), &escaped);
    if (!close)
        return wrong(r, "a quoted name is cut short or has a bad escape");
    step->name.at = r->names;
    step->name.len = json_decode(r->names, start, (size_t)(close - start));
    r->names += step->name.len + 1; /* an empty name needs an address, too */
    r->at = close + 1;
    return true;
}

static bool read_index(struct reading *r, struct json_path_node *step)
{
    const char *start = r->at;
    bool fits = number_digits(&step->index, &r->at);

    if (r->at == start || !fits)
        return wrong(r, "brackets need an index from 0 or a quoted name");
    return true;
}

static bool read_bracket(struct reading *r, struct json_path_node *step)
{
    r->at++;
    if (!(*r->at == '"' ? read_quoted(r, step) : read_index(r, step)))
        return false;
    if (*r->at != ']')
        return wrong(r, "a bracket is not closed");
    r->at++;
    return true;
}

static bool read_bare(struct reading *r, struct json_path_node *step)
{
    size_t len = strcspn(r->at, ".,[]\" \t\r\n");

    if (len == 0)
        return wrong(r, "a name is missing");
    if (r->at[len] && !strchr(".,[", r->at[len]))
        return wrong(r, "such a name needs quotes, as in .\"a b\"");
    step->name = (struct view){r->names, len};
    memcpy(r->names, r->at, len);
    r->names += len;
    r->at += len;
    return true;
}

static bool read_step(struct reading *r, struct json_path_node *step,
                      bool first)
{
    bool dot = *r->at == '.';

    r->at += dot;
    if (*r->at == '[')
        return read_bracket(r, step);
    if (!dot && !first)
        return wrong(r, "a dot or bracket is missing");
    return *r->at == '"' ? read_quoted(r, step) : read_bare(r, step);
}

static bool at_end(const char *p)
{
    return *p == '\0' || *p == ',';
}

/* Reads one path, up to a comma or the end. */
static bool read_path(struct reading *r)
{
    struct json_path *tree = r->tree;
    uint16_t node = 0;
    bool first = true;

    if (*r->at == '.' && at_end(r->at + 1))
        r->at++;
    else
        do {
            struct json_path_node step = {.path = -1};

            if (!read_step(r, &step, first))
                return false;
            first = false;
            node = child_for(r, node, &step);
            if (!node)
                return wrong(r, "there are more than 255 steps in all");
        } while (!at_end(r->at));
    if (tree->node[node].path >= 0)
        return wrong(r, "is given twice");
    if (tree->paths == JSON_PATH_PATHS)
        return wrong(r, "there are more than 64 paths");
    tree->node[node].path = (int16_t)tree->paths++;
    return true;
}

struct json_path *json_path_create(const char *list, struct fault *why)
{
    /* A name is no longer than its spelling; quotes and dots leave room for the
       byte between two names. */
    struct json_path *tree = calloc(1, sizeof *tree + strlen(list) + 1);
    struct reading r = {.tree = tree, .at = list};
    const char *start = list;
    size_t len;

    if (!tree) {
        fault_set(why, "out of memory");
        return NULL;
    }
    r.names = tree->names;
    tree->nodes = 1;
    tree->node[0].path = -1;
    while (read_path(&r) && *r.at)
        start = ++r.at;
    if (!r.wrong)
        return tree;
    len = strcspn(start, ",");
    fault_set(why, "JSON path '%.*s'%s: %s", len > SHOWN ? SHOWN : (int)len,
              start, len > SHOWN ? "..." : "", r.wrong);
    free(tree);
    return NULL;
}

void json_path_free(struct json_path *paths)
{
    free(paths);
}
