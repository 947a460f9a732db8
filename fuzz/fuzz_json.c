/*
 * fuzz_json.c - paths lead to the same values as in jansson
 *
 * The input is a list of paths, a newline and a record.  Both parsers read the
 * whole record and use the last of equal names.  jansson reads the canonical
 * spelling of a value as the same value, and two spellings of a value have the
 * same canonical one.
 */
#include <jansson.h>

#include "fuzz.h"
#include "json_canonical.h"

enum { LOAD = JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL };

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

/* Compares the value of a node with wanted, and its children likewise. */
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

/* Returns the canonical spelling of a value in memory of the exact size; to be
   freed. */
static struct view spelling(struct view value, const struct json_path *without)
{
    struct key_scratch scratch = {0};
    char *out = malloc(value.len + !value.len);
    struct view text = {out, 0};

    MUST(out && json_canonical(value, without, &scratch, out, &text.len));
    MUST(text.len <= value.len);
    key_scratch_free(&scratch);
    return text;
}

static void free_spelling(struct view text)
{
    free((void *)(uintptr_t)text.at);
}

/* The canonical spelling is the same value, and its own canonical spelling. */
static void spell(struct view record, const json_t *wanted)
{
    struct view text = spelling(record, NULL), again = spelling(text, NULL);
    json_t *parsed =
        json_loadb(text.at, text.len, LOAD | JSON_REJECT_DUPLICATES, NULL);

    MUST(parsed && json_equal(parsed, wanted));
    MUST(again.len == text.len && memcmp(again.at, text.at, text.len) == 0);
    json_decref(parsed);
    free_spelling(text);
    free_spelling(again);
}

/* Two spellings of one value by jansson, with the same order of members, have
   one canonical spelling. */
static void spell_otherwise(const json_t *value)
{
    size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);
    char *plain = json_dumps(value, flags | JSON_COMPACT);
    char *other = json_dumps(value, flags | JSON_INDENT(2) | JSON_ENSURE_ASCII |
                                        JSON_ESCAPE_SLASH);
    struct view a, b;

    MUST(plain && other);
    a = spelling((struct view){plain, strlen(plain)}, NULL);
    b = spelling((struct view){other, strlen(other)}, NULL);
    MUST(a.len == b.len && memcmp(a.at, b.at, a.len) == 0);
    free_spelling(a);
    free_spelling(b);
    free(plain);
    free(other);
}

static int counts_on_arrays(const struct json_path *paths)
{
    for (uint16_t i = 1; i < paths->nodes; i++)
        if (!paths->node[i].name.at)
            return 1;
    return 0;
}

/* Without the excluded members the record is still JSON, and they are gone. */
static void exclude(const struct json_path *paths, struct view record)
{
    struct json_path_value value[JSON_PATH_PATHS];
    struct view out = spelling(record, paths);
    json_t *parsed;

    if (paths->node[0].path < 0) {
        parsed = json_loadb(out.at, out.len, LOAD, NULL);
        MUST(parsed);
        json_decref(parsed);
        MUST(json_path_find(paths, out, value) == JSON_PATH_OK);
        for (size_t i = 0; i < paths->paths && !counts_on_arrays(paths); i++)
            MUST(value[i].type == JSON_PATH_MISSING);
    }
    free_spelling(out);
}

/* Parses the record with jansson, which wrongly accepts a zero byte after a
   number. */
static json_t *load(struct view record)
{
    if (memchr(record.at, '\0', record.len))
        return NULL;
    return json_loadb(record.at, record.len, LOAD, NULL);
}

/* jansson refuses text that is not UTF-8, halves of surrogate pairs, and
   numbers too large for a double: only what it accepts is compared. */
static void check_record(const struct json_path *paths, struct view record)
{
    struct json_path_value value[JSON_PATH_PATHS];
    int status = json_path_find(paths, record, value);
    json_t *parsed = load(record);

    MUST(status != JSON_PATH_MALFORMED || !parsed);
    if (status == JSON_PATH_OK)
        for (size_t i = 0; i < paths->paths; i++) {
            const struct json_path_value *v = &value[i];

            MUST(v->type == JSON_PATH_MISSING ||
                 (v->raw.len && v->raw.at >= record.at &&
                  v->raw.at + v->raw.len <= record.at + record.len));
        }
    if (parsed && status == JSON_PATH_OK) {
        same_below(paths, 0, value, parsed);
        spell(record, parsed);
        spell_otherwise(parsed);
        exclude(paths, record);
    }
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
        check_record(paths, (struct view){record, rest});
    else
        MUST(why.text[0]);
    json_path_free(paths);
    free(record);
    free(list);
    return 0;
}
