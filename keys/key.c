/*
 * key.c - extracts the key of a record
 *
 * To add a kind of key: write keys/key_NAME.c, put X(NAME) in the list, and
 * give cli/key_options.h a row for its option.
 */
#include "key.h"

#include <stdlib.h>
#include <string.h>

#define KEY_TYPES(X)                                                           \
    X(record)                                                                  \
    X(skip)                                                                    \
    X(fields)                                                                  \
    X(csv)                                                                     \
    X(json)                                                                    \
    X(regex)                                                                   \
    X(json_exclude)                                                            \
    X(csv_exclude)                                                             \
    X(time)

#define X(name) extern const struct key_type key_##name;
KEY_TYPES(X)
#undef X

static const struct key_type *const types[] = {
#define X(name) &key_##name,
    KEY_TYPES(X)
#undef X
};

/* ---- Making ----------------------------------------------------------- */

static const struct key_type *type_of(const char *option, const char *text,
                                      const struct key_settings *s)
{
    bool skips = s->skip_fields || s->skip_bytes || s->most_bytes != UINT64_MAX;

    if (!option)
        return skips ? &key_skip : &key_record;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i]->option && strcmp(types[i]->option, option) == 0 &&
            (!types[i]->accepts || types[i]->accepts(text)))
            return types[i];
    return NULL;
}

struct key *key_create(const char *option, const char *text,
                       const struct key_settings *settings, struct fault *why)
{
    const struct key_type *type = type_of(option, text, settings);
    struct key *key = calloc(1, sizeof *key);

    if (!type) {
        fault_set(why, "there is no kind of key named '%s'", option);
        free(key);
        return NULL;
    }
    if (key) {
        *key = (struct key){.type = type,
                            .settings = *settings,
                            .places = 1,
                            .rules = 1};
        key->text = strdup(text ? text : "");
    }
    if (!key || !key->text)
        fault_set(why, "out of memory");
    else if (!type->compile || type->compile(key, why)) {
        key->settings.time = NULL;
        return key;
    }
    key_free(key);
    return NULL;
}

void key_free(struct key *key)
{
    if (!key)
        return;
    if (key->type->free && !key->shares_compiled)
        key->type->free(key->compiled);
    if (!key->shares_text)
        free(key->text);
    free(key);
}

/* Returns a key that shares everything with another. */
static struct key *share_key(const struct key *key)
{
    struct key *copy = malloc(sizeof *copy);

    if (copy) {
        *copy = *key;
        copy->shares_text = copy->shares_compiled = true;
    }
    return copy;
}

/* Gives the key a compiled form of its own.  Frees the key and returns NULL if
   there is none. */
static struct key *set_compiled(struct key *key, void *compiled)
{
    if (!compiled) {
        key_free(key);
        return NULL;
    }
    key->compiled = compiled;
    key->shares_compiled = false;
    return key;
}

struct key *key_clone(const struct key *key)
{
    struct key *copy = share_key(key);

    if (!copy || !key->type->clone)
        return copy;
    return set_compiled(copy, key->type->clone(key->compiled));
}

struct key *key_with_header(const struct key *key, struct view header,
                            struct fault *why)
{
    struct key *copy = share_key(key);

    if (!copy)
        fault_set(why, "out of memory");
    if (!copy || !key->type->with_header)
        return copy;
    copy->wants_header = false;
    return set_compiled(copy,
                        key->type->with_header(key->compiled, header, why));
}

/* ---- Asking ----------------------------------------------------------- */

bool key_is_whole_record(const struct key *key)
{
    return key->type == &key_record && !key->settings.crlf &&
           !key->settings.fold;
}

/* ---- Records ---------------------------------------------------------- */

static struct view trim(const struct key *key, struct view record)
{
    if (key->settings.crlf && record.len && record.at[record.len - 1] == '\r')
        record.len--;
    return record;
}

enum key_result key_of(const struct key *key, struct view record,
                       struct key_scratch *scratch, struct view *out)
{
    bool fold = key->settings.fold;
    enum key_result result;

    key_scratch_begin(scratch, fold);
    result = key->type->extract(key, trim(key, record), scratch, out);
    if (scratch->parts) /* already folded */
        *out = (struct view){scratch->at, scratch->used};
    if (!fold || scratch->parts || result > KEY_MISSING)
        return result;
    return key_fold(scratch, out) ? result : KEY_MEMORY;
}

enum key_result key_first_value(const struct key *key, struct view record,
                                struct key_scratch *scratch, struct view *out)
{
    enum key_result result;

    key_scratch_begin(scratch, false);
    result = key->type->extract(key, trim(key, record), scratch, out);
    if (scratch->parts)
        *out = key_first_part(scratch);
    return result;
}
