/*
 * json_path.h - finds values by path in JSON records, without building a tree
 *
 *     .user.id   .items[0].sku   ."odd key"   .a["b c"]   .
 *
 * A name may consist of any bytes but space . , [ ] and quotes; other names are
 * written in double quotes with JSON's escapes.  Indexes count from 0.  The
 * first dot may be left out, and "." alone is the whole record.
 *
 * All paths are found in one pass, which checks the whole record by RFC 8259.
 * If a name occurs twice in one object, the last member replaces the first and
 * everything inside it.
 */
#ifndef JSON_PATH_H
#define JSON_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "view.h"

enum {
    JSON_PATH_PATHS = 64,  /* most paths in one list */
    JSON_PATH_NODES = 256, /* names and indexes of all paths; shared ones count
                              once */
    JSON_PATH_DEPTH = 1024 /* nested brackets in a record */
};

enum json_path_status {
    JSON_PATH_OK = 0,
    JSON_PATH_MALFORMED = -1, /* not JSON */
    JSON_PATH_TOO_DEEP = -2   /* more than JSON_PATH_DEPTH brackets open */
};

enum json_path_type {
    JSON_PATH_MISSING = 0, /* no such member: not the same as null */
    JSON_PATH_NULL,
    JSON_PATH_FALSE,
    JSON_PATH_TRUE,
    JSON_PATH_NUMBER,
    JSON_PATH_STRING,
    JSON_PATH_OBJECT,
    JSON_PATH_ARRAY
};

struct json_path_value {
    enum json_path_type type;
    bool escaped;    /* a string with backslashes */
    struct view raw; /* as written in the record, including quotes */
};

/* One step of one or more paths: a name or an index below its parent. */
struct json_path_node {
    struct view name; /* decoded; at is NULL for an index */
    uint64_t index;
    uint16_t child, next; /* first child, next sibling; 0: none */
    int16_t path;         /* the path that ends here, or -1 */
};

struct json_path {
    size_t paths;
    uint16_t nodes;
    struct json_path_node node[JSON_PATH_NODES]; /* [0] is the record */
    char names[];
};

/* Returns the paths of a list such as ".a,.b[0]", or NULL and sets *why if
   there is an error in it.  The result is constant: threads may share it. */
struct json_path *json_path_create(const char *list, struct fault *why);

/* Accepts NULL. */
void json_path_free(struct json_path *paths);

/*
 * Finds all paths; value[i] is the value of the i-th one.  Returns a status; if
 * it is negative, the record is malformed and the values are undefined.
 */
int json_path_find(const struct json_path *paths, struct view record,
                   struct json_path_value *value);

/*
 * Returns a value's text: a string without quotes and with its escapes decoded,
 * so that "\u00e9" and its two bytes of UTF-8 are equal; other values as they
 * are written (for arrays and objects see json_canonical.h).  Scratch of
 * raw.len bytes is written only if there are escapes.  The texts of "1" and 1
 * are equal; their types differ.
 */
struct view json_path_text(const struct json_path_value *value, char *scratch);

#endif
