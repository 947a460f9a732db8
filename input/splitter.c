/*
 * splitter.c - splits the bytes of a chunk into records
 */
#include "splitter.h"

#include <string.h>

/* Compiled once for each kind of record. */
static inline size_t split(struct chunk *c, const struct framing *framing,
                           struct csv_splitter *csv, size_t scanned)
{
    const char delimiter = csv ? '\n' : framing->delimiter;
    char *start = c->buffer + c->start, *end = c->buffer + c->end;
    char *from = start + scanned;

    while (start < end && c->n < c->capacity) {
        const char *at = csv ? csv_record_end(csv, from, end)
                             : memchr(from, delimiter, (size_t)(end - from));
        char *stop = at ? from + (at - from) : NULL;

        if (!stop && c->last) { /* the spare byte */
            /* start is below end, so that end is not NULL.
               NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
            *end = delimiter;
            stop = csv && end[-1] == '\n' ? end - 1 : end; /* open quote */
        }
        if ((size_t)((stop ? stop : end) - start) > framing->most) {
            c->is_too_long = true;
            break;
        }
        if (!stop) {
            from = end;
            break;
        }
        c->record[c->n++] = (struct view){start, (size_t)(stop - start)};
        from = start = stop < end ? stop + 1 : end;
    }
    c->start = (size_t)(start - c->buffer);
    return (size_t)(from - start);
}

void split_records(struct chunk *c, const struct framing *framing)
{
    c->n = 0;
    (void)split(c, framing, NULL, 0);
}

size_t split_csv(struct chunk *c, const struct framing *framing,
                 struct csv_splitter *csv, size_t scanned)
{
    size_t seen = split(c, framing, csv, scanned);

    c->is_split = true;
    c->open_quote = csv_open_quote(csv);
    return seen;
}
