/*
 * key_json.c - keys of JSON values at paths, or of all members except some
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_canonical.h"
#include "key_type.h"

/* Rules 1 used the first of equal names, and compared white space. */
enum { VALUES_NOT_SPELLINGS = 2 };

/* ---- Values ----------------------------------------------------------- */

/* Adds the path of the time, so that the same pass finds it, unless it is
   already among the paths: then it is the last one. */
static void add_time(struct key *key)
{
    size_t size = strlen(key->text) + 1 + strlen(key->settings.time) + 1;
    char *both = malloc(size);
    struct json_path *json = NULL;

    if (both) {
        snprintf(both, size, "%s,%s", key->text, key->settings.time);
        json = json_path_create(both, NULL);
    }
    free(both);
    if (!json)
        return;
    json_path_free(key->compiled);
    key->compiled = json;
    key->finds_time = true;
}

static bool compile(struct key *key, struct fault *why)
{
    struct json_path *json = json_path_create(key->text, why);

    key->compiled = json;
    if (!json)
        return false;
    key->places = json->paths;
    key->rules = VALUES_NOT_SPELLINGS;
    if (key->settings.time)
        add_time(key);
    return true;
}

/* Strings are decoded, arrays and objects get their canonical spelling.  The
   type is added, because otherwise the string "1" would equal the number 1. */
static bool add_value(struct key_scratch *scratch,
                      const struct json_path_value *value)
{
    bool nested = value->type >= JSON_PATH_OBJECT;
    char *room = key_room(scratch, value->raw.len);
    struct view text;

    if (!room)
        return false;
    text = nested ? (struct view){room, 0} : json_path_text(value, room);
    if (nested && !json_canonical(value->raw, NULL, scratch, room, &text.len))
        return false;
    return key_add_typed(scratch, value->type == JSON_PATH_STRING, text);
}

/* Stores the time after the parts, outside the key. */
static bool keep_time(struct key_scratch *scratch,
                      const struct json_path_value *value)
{
    bool fits =
        value->type == JSON_PATH_NUMBER || value->type == JSON_PATH_STRING;
    char *room = key_room(scratch, fits ? value->raw.len : 0);

    scratch->time = (struct view){NULL, 0};
    if (room && fits)
        scratch->time = json_path_text(value, room);
    return room;
}

static enum key_result extract(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out)
{
    struct json_path_value value[JSON_PATH_PATHS];
    enum key_result result = KEY_FOUND;

    (void)out;
    if (json_path_find(key->compiled, record, value) < 0)
        return KEY_MALFORMED;
    for (size_t i = 0; i < key->places; i++) {
        bool missing = value[i].type == JSON_PATH_MISSING;

        if (missing)
            result = KEY_MISSING;
        if (missing ? !key_add_absent(scratch) : !add_value(scratch, &value[i]))
            return KEY_MEMORY;
    }
    if (key->finds_time && !keep_time(scratch, &value[key->places]))
        return KEY_MEMORY;
    return result;
}

static void free_paths(void *compiled)
{
    json_path_free(compiled);
}

const struct key_type key_json = {
    .option = "json",
    .words = "values",
    .malformed = "is not JSON",
    .json_records = true,
    .compile = compile,
    .extract = extract,
    .free = free_paths,
};

/* ---- All but some ----------------------------------------------------- */

/* Returns whether a text begins with a dot or a bracket, as a path does. */
static bool is_path(const char *text)
{
    return *text == '.' || *text == '[';
}

static bool compile_excluded(struct key *key, struct fault *why)
{
    key->compiled = json_path_create(key->text, why);
    key->rules = VALUES_NOT_SPELLINGS;
    return key->compiled;
}

static enum key_result extract_others(const struct key *key, struct view record,
                                      struct key_scratch *scratch,
                                      struct view *out)
{
    struct json_path_value value[JSON_PATH_PATHS];
    char *room = key_room(scratch, record.len);

    if (!room)
        return KEY_MEMORY;
    if (json_path_find(key->compiled, record, value) < 0)
        return KEY_MALFORMED;
    out->at = room;
    return json_canonical(record, key->compiled, scratch, room, &out->len)
               ? KEY_FOUND
               : KEY_MEMORY;
}

const struct key_type key_json_exclude = {
    .option = "exclude",
    .words = "all but",
    .malformed = "is not JSON",
    .json_records = true,
    .accepts = is_path,
    .compile = compile_excluded,
    .extract = extract_others,
    .free = free_paths,
};
