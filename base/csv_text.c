/*
 * csv_text.c - records and columns of CSV (RFC 4180)
 */
#include "csv_text.h"

#include <string.h>

#include "scan.h"

bool csv_is_separator(char c)
{
    return c != '"' && c != '\n' && c != '\r' && c != '\0';
}

void csv_splitter_init(struct csv_splitter *s, char separator)
{
    *s = (struct csv_splitter){.separator = separator,
                               .before = separator, /* as if one came before */
                               .state = CSV_PLAIN};
}

/* Returns the first quote in [p, stop) that opens a field, or NULL. */
static const char *opening_quote(const struct csv_splitter *s, const char *p,
                                 const char *stop)
{
    const char *q = p;

    while ((q = memchr(q, '"', (size_t)(stop - q)))) {
        if ((q == p ? s->before : q[-1]) == s->separator)
            return q;
        q++;
    }
    return NULL;
}

/* Inside quotes: returns the place after the next quote, or end.  newline is
   the next newline if it is known, which saves a search. */
static const char *to_quote(struct csv_splitter *s, const char *p,
                            const char *end, const char *newline)
{
    const char *q = memchr(p, '"', (size_t)(end - p));
    const char *stop = q ? q : end;

    p = newline && newline >= p ? newline : p;
    while (p < stop && (p = scan_byte(p, stop, '\n')) < stop) {
        s->lines++;
        p++;
    }
    if (!q)
        return end;
    s->state = CSV_CLOSING;
    return q + 1;
}

const char *csv_record_end(struct csv_splitter *s, const char *p,
                           const char *end)
{
    const char *newline = NULL, *quote;

    while (p < end) {
        if (s->state == CSV_QUOTED) {
            p = to_quote(s, p, end, newline);
            continue;
        }
        if (s->state == CSV_CLOSING) {
            /* A doubled quote stands for one quote, and the field continues. */
            s->state = *p == '"' ? CSV_QUOTED : CSV_PLAIN;
            s->before = '"';
            p += *p == '"';
            continue;
        }
        /* Search once, since otherwise each of many quoted fields on a long
           line would search for the same newline. */
        if (!newline || newline < p) {
            newline = memchr(p, '\n', (size_t)(end - p));
            newline = newline ? newline : end;
        }
        quote = opening_quote(s, p, newline);
        if (quote) {
            s->state = CSV_QUOTED;
            s->quote_line = s->lines + 1;
            p = quote + 1;
        } else if (newline < end) {
            s->lines++;
            s->before = s->separator;
            return newline;
        } else {
            /* p is below end, so that end is not NULL.
               NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
            s->before = end[-1];
            p = end;
        }
    }
    return NULL;
}

uint64_t csv_open_quote(const struct csv_splitter *s)
{
    return s->state == CSV_QUOTED ? s->quote_line : 0;
}

/* Returns the place after the closing quote, or NULL; p is after the opening
   one. */
static const char *quoted_end(const char *p, const char *end, bool *doubled)
{
    for (;; p += 2) {
        p = scan_byte(p, end, '"');
        if (p == end)
            return NULL;
        if (end - p < 2 || p[1] != '"')
            return p + 1;
        *doubled = true;
    }
}

/* Reads one field at p.  Returns its separator or the end, or NULL if it is
   malformed. */
static inline const char *read_field(char separator, const char *p,
                                     const char *end, struct csv_field *f)
{
    const char *start = p;

    f->found = true;
    f->doubled = false;
    f->quoted = p < end && *p == '"';
    if (f->quoted) {
        p = quoted_end(p + 1, end, &f->doubled);
        if (!p || (p < end && *p != separator))
            return NULL;
        f->raw = (struct view){start + 1, (size_t)(p - start - 2)};
    } else {
        p = scan_byte(p, end, separator);
        f->raw = (struct view){start, (size_t)(p - start)};
    }
    return p;
}

const char *csv_fields_end(struct view record)
{
    return record.at + record.len -
           (record.len && record.at[record.len - 1] == '\r');
}

int csv_next(const char **p, const char *end, char separator,
             struct csv_field *field)
{
    if (!*p)
        return 0;
    *p = read_field(separator, *p, end, field);
    if (!*p)
        return CSV_MALFORMED;
    *p = *p < end ? *p + 1 : NULL;
    return 1;
}

/* Returns whether the rest of the record, from a separator or the end on, is
   well formed.  Only quotes can make it malformed. */
static int check_rest(const char *p, const char *end, char separator)
{
    struct csv_field f;

    if (p == end || !memchr(p, '"', (size_t)(end - p)))
        return CSV_OK;
    while (p && p < end)
        p = read_field(separator, p + 1, end, &f);
    return p ? CSV_OK : CSV_MALFORMED;
}

int csv_find(const struct csv *csv, struct view record, struct csv_field *field)
{
    const char *p = record.at, *end = csv_fields_end(record);
    size_t number = 0, found = 0;

    for (size_t i = 0; i < csv->n; i++)
        field[i].found = false;
    for (;; number++) {
        struct csv_field f;

        p = read_field(csv->separator, p, end, &f);
        if (!p)
            return CSV_MALFORMED;
        while (csv->column[csv->order[found]].number == number) {
            field[csv->order[found]] = f;
            if (++found == csv->n)
                return check_rest(p, end, csv->separator);
        }
        if (p == end)
            return CSV_OK;
        p++;
    }
}

struct view csv_text(const struct csv_field *field, char *scratch)
{
    const char *p = field->raw.at, *end = p + field->raw.len;
    size_t len = 0;

    if (!field->doubled)
        return field->raw;
    while (p < end) {
        const char *quote = scan_byte(p, end, '"');
        size_t n = (size_t)(quote - p) + (quote < end);

        memcpy(scratch + len, p, n);
        len += n;
        p = quote < end ? quote + 2 : end;
    }
    return (struct view){scratch, len};
}
