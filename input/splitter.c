/*
 * splitter.c - a window of bytes into records
 */
#include "splitter.h"

#include <inttypes.h>
#include <string.h>

#include "system.h"

/* Compiled once for each kind of record. */
static inline size_t split(struct reader *r, struct csv_splitter *csv,
                           char delimiter, struct view *record, size_t n)
{
    char *start = r->buffer + r->start, *end = r->buffer + r->end;
    char *from = start + r->scanned;
    size_t count = 0;

    while (count < n && start < end) {
        const char *at = csv ? csv_record_end(csv, from, end)
                             : memchr(from, delimiter, (size_t)(end - from));
        char *stop = at ? from + (at - from) : NULL;

        if (!stop && r->eof) { /* the reader keeps a byte to spare for it */
            *end = delimiter;
            stop = csv && end[-1] == '\n' ? end - 1 : end; /* an open quote */
        }
        if (!stop) {
            from = end;
            break;
        }
        if ((size_t)(stop - start) > r->most) {
            r->over = true;
            break;
        }
        record[count++] = (struct view){start, (size_t)(stop - start)};
        from = start = stop < end ? stop + 1 : end;
    }
    r->start = (size_t)(start - r->buffer);
    r->scanned = (size_t)(from - start);
    return count;
}

size_t split_records(struct reader *r, char delimiter, struct view *record,
                     size_t n)
{
    return split(r, NULL, delimiter, record, n);
}

size_t split_csv(struct reader *r, struct csv_splitter *csv,
                 struct view *record, size_t n)
{
    return split(r, csv, '\n', record, n);
}

static size_t set_end(struct reader *r, const char *delimiter)
{
    size_t end = delimiter ? (size_t)(delimiter - r->buffer) + 1 : r->start;

    r->scanned = r->end - end;
    return end;
}

size_t split_end(struct reader *r, char delimiter)
{
    size_t from = r->start + r->scanned;

    return set_end(r, system_last_byte(r->buffer + from, delimiter,
                                       r->end - from));
}

size_t split_csv_end(struct reader *r, struct csv_splitter *csv)
{
    const char *end = r->buffer + r->end, *last = NULL;
    const char *at = r->buffer + r->start + r->scanned;

    while ((at = csv_record_end(csv, at, end)))
        last = at++;
    return set_end(r, last);
}

void split_explain_over(const struct reader *r, const struct csv_splitter *csv,
                        struct fault *why)
{
    uint64_t line = csv_open_quote(csv);

    if (line)
        fault_set(why,
                  "%s: the quote that opens in line %" PRIu64 " is not closed "
                  "within %zu bytes; close it, or allow longer records with "
                  "--max-record",
                  r->name, line, r->most);
    else
        fault_set(why,
                  "%s: the record at byte %" PRIu64 " is longer than %zu "
                  "bytes; --max-record allows longer ones",
                  r->name, reader_offset(r), r->most);
}
