/*
 * key_form.c - keys of records that have a form of their own
 */
#include "key_form.h"

#include "csv_text.h"
#include "regex_find.h"

/* ---- JSON ------------------------------------------------------------- */

/* Without its type a string would be like what it says: "1" like 1. */
static bool add_value(struct key_scratch *scratch,
                      const struct json_path_value *value)
{
    char *room = key_room(scratch, value->raw.len);

    return room && key_add_typed(scratch, value->type == JSON_PATH_STRING,
                                 json_path_text(value, room));
}

enum key_result key_form_json(const struct key_spec *spec, struct view record,
                              struct key_scratch *scratch)
{
    struct json_path_value value[JSON_PATH_PATHS];
    enum key_result result = KEY_FOUND;
    size_t n = spec->json->paths - spec->json_time;

    if (json_path_find(spec->json, record, value) < 0)
        return KEY_MALFORMED;
    if (spec->json_time)
        scratch->time = value[n];
    for (size_t i = 0; i < n; i++) {
        bool missing = value[i].type == JSON_PATH_MISSING;

        if (missing)
            result = KEY_MISSING;
        if (missing ? !key_add_absent(scratch) : !add_value(scratch, &value[i]))
            return KEY_MEMORY;
    }
    return result;
}

/* ---- CSV -------------------------------------------------------------- */

static bool add_field(struct key_scratch *scratch,
                      const struct csv_field *field)
{
    char *room = key_room(scratch, field->raw.len);

    return room && key_add_part(scratch, csv_text(field, room));
}

enum key_result key_form_csv(const struct key_spec *spec, struct view record,
                             struct key_scratch *scratch)
{
    struct csv_field field[CSV_COLUMNS];
    enum key_result result = KEY_FOUND;

    if (csv_find(spec->csv, record, field) < 0)
        return KEY_MALFORMED;
    for (size_t i = 0; i < spec->csv->n; i++) {
        if (!field[i].found)
            result = KEY_MISSING;
        if (field[i].found ? !add_field(scratch, &field[i])
                           : !key_add_absent(scratch))
            return KEY_MEMORY;
    }
    return result;
}

/* ---- All but some, of either ------------------------------------------ */

enum key_result key_form_without(const struct key_spec *spec,
                                 struct view record,
                                 struct key_scratch *scratch, struct view *key)
{
    char *room = key_room(scratch, record.len);
    int status;

    if (!room)
        return KEY_MEMORY;
    status = spec->json ? json_path_without(spec->json, record, room, key)
                        : csv_without(spec->csv, record, room, key);
    return status < 0 ? KEY_MALFORMED : KEY_FOUND;
}

/* ---- Regular expressions ---------------------------------------------- */

/*
 * Of alternatives one group takes part and the others are absent: that is no
 * fault of the record, unless none does.
 */
enum key_result key_form_regex(const struct key_spec *spec, struct view record,
                               struct key_scratch *scratch)
{
    struct view part[REGEX_PARTS];
    size_t n = regex_parts(spec->regex);
    int status = regex_find(spec->regex, record, part);
    enum key_result result = KEY_MISSING;

    if (status < 0)
        return KEY_MALFORMED;
    for (size_t i = 0; i < n; i++) {
        bool there = status == REGEX_OK && part[i].at;

        if (there)
            result = KEY_FOUND;
        if (there ? !key_add_part(scratch, part[i]) : !key_add_absent(scratch))
            return KEY_MEMORY;
    }
    return result;
}
