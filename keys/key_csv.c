/*
 * key_csv.c - keys of CSV columns, or of all columns except some
 */
#include "csv_text.h"
#include "key_type.h"

static bool compile(struct key *key, struct fault *why)
{
    struct csv *csv = csv_create(key->text, key_csv_separator(key), why);

    key->compiled = csv;
    if (!csv)
        return false;
    key->places = csv->n;
    key->wants_header = csv_wants_header(csv);
    return true;
}

/* Rules 1 compared the other columns including their quotes. */
enum { VALUES_NOT_SPELLINGS = 2 };

static bool compile_excluded(struct key *key, struct fault *why)
{
    key->rules = VALUES_NOT_SPELLINGS;
    return compile(key, why);
}

static bool add_field(struct key_scratch *scratch,
                      const struct csv_field *field)
{
    char *room = key_room(scratch, field->raw.len);

    return room && key_add_part(scratch, csv_text(field, room));
}

static enum key_result extract(const struct key *key, struct view record,
                               struct key_scratch *scratch, struct view *out)
{
    const struct csv *csv = key->compiled;
    struct csv_field field[CSV_COLUMNS];
    enum key_result result = KEY_FOUND;

    (void)out;
    if (csv_find(csv, record, field) < 0)
        return KEY_MALFORMED;
    for (size_t i = 0; i < csv->n; i++) {
        if (!field[i].found)
            result = KEY_MISSING;
        if (field[i].found ? !add_field(scratch, &field[i])
                           : !key_add_absent(scratch))
            return KEY_MEMORY;
    }
    return result;
}

static enum key_result extract_others(const struct key *key, struct view record,
                                      struct key_scratch *scratch,
                                      struct view *out)
{
    const char *p = record.at, *end = csv_fields_end(record);
    const struct csv *csv = key->compiled;
    struct csv_field field;
    size_t listed = 0;
    int more;

    *out = (struct view){"", 0}; /* there may be no other columns */
    for (size_t i = 0; (more = csv_next(&p, end, csv->separator, &field)) > 0;
         i++)
        if (!csv_lists(csv, i, &listed) && !add_field(scratch, &field))
            return KEY_MEMORY;
    return more < 0 ? KEY_MALFORMED : KEY_FOUND;
}

static void *with_header(const void *compiled, struct view header,
                         struct fault *why)
{
    return csv_with_header(compiled, header, why);
}

static void free_columns(void *compiled)
{
    csv_free(compiled);
}

const struct key_type key_csv = {
    .option = "csv",
    .words = "columns",
    .malformed = "is not CSV",
    .csv_records = true,
    .separated = true,
    .compile = compile,
    .extract = extract,
    .with_header = with_header,
    .free = free_columns,
};

const struct key_type key_csv_exclude = {
    .option = "exclude",
    .words = "all but",
    .malformed = "is not CSV",
    .csv_records = true,
    .separated = true,
    .compile = compile_excluded,
    .extract = extract_others,
    .with_header = with_header,
    .free = free_columns,
};
