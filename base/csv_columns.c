/*
 * csv_columns.c - parses a list of columns and finds them in a header
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"

#include "number.h"

/* Copies a quoted name at *at into names.  Returns its end there, or NULL. */
static char *read_quoted(const char **at, char *names)
{
    const char *p = *at + 1;

    for (; *p; *names++ = *p++)
        if (*p == '"' && *++p != '"') {
            *at = p;
            return names;
        }
    return NULL;
}

/* Reads a number that is followed by a comma or the end. */
static bool read_number(const char **at, size_t *number)
{
    size_t len = strcspn(*at, ","), digits = strspn(*at, "0123456789");
    uint64_t n = 0;

    if (!len || len != digits)
        return false;
    if (!number_digits(&n, at) || n > SIZE_MAX)
        n = SIZE_MAX; /* a column that no record has */
    *number = (size_t)n;
    return true;
}

/* Reads one item of the list.  Returns what is wrong with it, or NULL. */
static const char *read_column(struct csv_column *column, const char **at,
                               char **names)
{
    char *start = *names;
    size_t len;

    if (read_number(at, &column->number)) {
        if (column->number-- == 0)
            return "columns count from 1";
        return NULL;
    }
    if (**at == '"') {
        *names = read_quoted(at, start);
        if (!*names || (**at && **at != ','))
            return "a quoted name needs a closing quote, then a comma";
    } else {
        len = strcspn(*at, ",");
        if (!len)
            return "a column is missing";
        memcpy(start, *at, len);
        *names += len;
        *at += len;
    }
    column->name = (struct view){start, (size_t)(*names - start)};
    return NULL;
}

/* Sorts columns from left to right, by insertion, since they are few. */
static void sort_columns(struct csv *csv)
{
    for (size_t i = 0; i < csv->n; i++) {
        size_t at = i;

        for (; at &&
               csv->column[csv->order[at - 1]].number > csv->column[i].number;
             at--)
            csv->order[at] = csv->order[at - 1];
        csv->order[at] = (unsigned char)i;
    }
}

struct csv *csv_create(const char *list, char separator, struct fault *why)
{
    size_t names_size = strlen(list) + 1;
    struct csv *csv = calloc(1, sizeof *csv + names_size);
    const char *at = list, *wrong = NULL;
    char *names;

    if (!csv) {
        fault_set(why, "out of memory");
        return NULL;
    }
    csv->separator = separator;
    csv->names_size = names_size;
    names = csv->names;
    do {
        at += at > list; /* the comma */
        wrong = csv->n == CSV_COLUMNS
                    ? "more than 64 columns"
                    : read_column(&csv->column[csv->n++], &at, &names);
    } while (!wrong && *at);
    if (wrong) {
        fault_set(why, "CSV columns '%.60s': %s", list, wrong);
        free(csv);
        return NULL;
    }
    sort_columns(csv);
    return csv;
}

void csv_free(struct csv *csv)
{
    free(csv);
}

bool csv_wants_header(const struct csv *csv)
{
    for (size_t i = 0; i < csv->n; i++)
        if (csv->column[i].name.at)
            return true;
    return false;
}

bool csv_lists(const struct csv *csv, size_t number, size_t *at)
{
    bool listed = false;

    while (*at < csv->n && csv->column[csv->order[*at]].number == number) {
        listed = true;
        ++*at;
    }
    return listed;
}

/* Finds a column's name in this header.  Returns what is wrong, or NULL. */
static const char *resolve(const struct csv *csv, struct csv_column *column,
                           struct view header, char *scratch)
{
    const char *p = header.at, *end = csv_fields_end(header);
    struct csv_field field;
    bool found = false;
    int status;

    for (size_t i = 0; (status = csv_next(&p, end, csv->separator, &field)) > 0;
         i++) {
        struct view text = csv_text(&field, scratch);

        if (text.len != column->name.len ||
            memcmp(text.at, column->name.at, text.len) != 0)
            continue;
        if (found)
            return "occurs twice in the header; use its number";
        found = true;
        column->number = i;
    }
    if (status < 0)
        return "cannot be looked up: the quotes of the header are wrong";
    return found ? NULL : "is not in the header";
}

/* Removes a byte order mark, which is not part of the first name. */
static struct view without_mark(struct view header)
{
    static const char mark[] = "\xef\xbb\xbf";

    if (header.len >= 3 && memcmp(header.at, mark, 3) == 0) {
        header.at += 3;
        header.len -= 3;
    }
    return header;
}

/* Copies the columns together with their names. */
static struct csv *copy_of(const struct csv *csv)
{
    struct csv *copy = malloc(sizeof *copy + csv->names_size);

    if (!copy)
        return NULL;
    memcpy(copy, csv, sizeof *copy + csv->names_size);
    for (size_t i = 0; i < csv->n; i++)
        if (csv->column[i].name.at)
            copy->column[i].name.at =
                copy->names + (csv->column[i].name.at - csv->names);
    return copy;
}

static bool resolve_all(struct csv *csv, struct view header, char *scratch,
                        struct fault *why)
{
    for (size_t i = 0; i < csv->n; i++) {
        struct csv_column *column = &csv->column[i];
        const char *wrong =
            column->name.at ? resolve(csv, column, header, scratch) : NULL;

        if (wrong) {
            fault_set(why, "column '%.*s' %s",
                      column->name.len > 60 ? 60 : (int)column->name.len,
                      column->name.at, wrong);
            return false;
        }
    }
    sort_columns(csv);
    return true;
}

struct csv *csv_with_header(const struct csv *csv, struct view header,
                            struct fault *why)
{
    char *scratch = malloc(header.len + 1);
    struct csv *copy = copy_of(csv);
    bool found = false;

    if (!scratch || !copy)
        fault_set(why, "out of memory");
    else
        found = resolve_all(copy, without_mark(header), scratch, why);
    free(scratch);
    if (found)
        return copy;
    csv_free(copy);
    return NULL;
}
