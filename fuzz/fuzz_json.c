/*
 * fuzz_json.c - paths lead where jansson says they lead
 *
 * The input is a list of paths, a newline and a record.  Jansson reads the
 * whole record and keeps the last of equal names where we keep the first, so
 * of records with such names only the status is compared.
 */
#include <jansson.h>

#include "fuzz.h"
#include "json_path.h"

enum { LOAD = JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL };

/* A copy of exactly n bytes, for the sanitizers to watch its end. */
static char *copy_of(const void *from, size_t n)
{
    char *copy = malloc(n + !n);

    MUST(copy);
    memcpy(copy, from, n);
    return copy;
}

static void same_string(const struct json_path_value *v, const json_t *wanted)
{
    char *scratch = malloc(v->raw.len);
    struct view text;

    MUST(scratch);
    text = json_path_text(v, scratch);
    MUST(text.len == json_string_length(wanted));
    MUST(memcmp(text.at, json_string_value(wanted), text.len) == 0);
    free(scratch);
}

static void same_value(const struct json_path_value *v, const json_t *wanted)
{
    json_t *again;

    if (!wanted) {
        MUST(v->type == JSON_PATH_MISSING);
        return;
    }
    MUST(v->type != JSON_PATH_MISSING);
    MUST((v->type == JSON_PATH_STRING) == json_is_string(wanted));
    MUST((v->type == JSON_PATH_NULL) == json_is_null(wanted));
    MUST((v->type == JSON_PATH_TRUE) == json_is_true(wanted));
    MUST((v->type == JSON_PATH_FALSE) == json_is_false(wanted));
    MUST((v->type == JSON_PATH_NUMBER) == json_is_number(wanted));
    MUST((v->type == JSON_PATH_OBJECT) == json_is_object(wanted));
    if (v->type == JSON_PATH_STRING)
        same_string(v, wanted);
    again = json_loadb(v->raw.at, v->raw.len, LOAD, NULL);
    MUST(again && json_equal(again, wanted));
    json_decref(again);
}

/* A node stands for wanted, and its children for what is inside. */
static void same_below(const struct json_path *paths, uint16_t at,
                       const struct json_path_value *value,
                       const json_t *wanted)
{
    const struct json_path_node *node = &paths->node[at];

    if (node->path >= 0)
        same_value(&value[node->path], wanted);
    for (uint16_t c = node->child; c; c = paths->node[c].next) {
        const struct json_path_node *child = &paths->node[c];

        same_below(paths, c, value,
                   child->name.at ? json_object_getn(wanted, child->name.at,
                                                     child->name.len)
                                  : json_array_get(wanted, child->index));
    }
}

static int counts_on_arrays(const struct json_path *paths)
{
    for (uint16_t i = 1; i < paths->nodes; i++)
        if (!paths->node[i].name.at)
            return 1;
    return 0;
}

/* Without its members the record is still JSON, and they are gone. */
static void exclude(const struct json_path *paths, struct view record)
{
    struct json_path_value value[JSON_PATH_PATHS];
    char *scratch = malloc(record.len + 1);
    struct view out;
    json_t *parsed;

    MUST(scratch);
    MUST(json_path_without(paths, record, scratch, &out) == JSON_PATH_OK);
    MUST(out.len <= record.len);
    if (paths->node[0].path < 0) {
        parsed = json_loadb(out.at, out.len, LOAD, NULL);
        MUST(parsed);
        json_decref(parsed);
        MUST(json_path_find(paths, out, value) == JSON_PATH_OK);
        for (size_t i = 0; i < paths->paths && !counts_on_arrays(paths); i++)
            MUST(value[i].type == JSON_PATH_MISSING);
    }
    free(scratch);
}

/* What jansson makes of it.  It lets a zero byte after a number pass, which
   is JSON nowhere. */
static json_t *load(struct view record, size_t flags)
{
    if (memchr(record.at, '\0', record.len))
        return NULL;
    return json_loadb(record.at, record.len, LOAD | flags, NULL);
}

static void look(const struct json_path *paths, struct view record)
{
    struct json_path_value value[JSON_PATH_PATHS];
    int status = json_path_find(paths, record, value);
    json_t *parsed = load(record, 0);
    json_t *unique = load(record, JSON_REJECT_DUPLICATES);

    for (size_t i = 0; i < paths->paths; i++) {
        const struct json_path_value *v = &value[i];

        if (v->type == JSON_PATH_MISSING)
            continue;
        MUST(v->member >= record.at && v->member <= v->raw.at);
        MUST(v->raw.len && v->raw.at + v->raw.len <= record.at + record.len);
    }
    MUST(status != JSON_PATH_MALFORMED || !parsed);
    MUST(status == JSON_PATH_OK ||
         json_path_without(paths, record, NULL, NULL) == status);
    if (unique && status == JSON_PATH_OK) {
        same_below(paths, 0, value, unique);
        exclude(paths, record);
    }
    json_decref(unique);
    json_decref(parsed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *newline = memchr(data, '\n', size);
    size_t len = newline ? (size_t)(newline - data) : size;
    char *list = strndup((const char *)data, len);
    size_t rest = newline ? size - len - 1 : 0;
    char *record = copy_of(data + size - rest, rest);
    struct fault why = {""};
    struct json_path *paths;

    MUST(list);
    paths = json_path_create(list, &why);
    if (paths)
        look(paths, (struct view){record, rest});
    else
        MUST(why.text[0]);
    json_path_free(paths);
    free(record);
    free(list);
    return 0;
}
