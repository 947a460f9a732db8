/*
 * split.c - a window of bytes into records
 */
#include "split.h"

#include <string.h>

size_t split_records(struct reader *r, char delimiter, struct view *record,
                     size_t n)
{
    char *start = r->buffer + r->start, *end = r->buffer + r->end;
    char *from = start + r->scanned;
    size_t count = 0;

    while (count < n && start < end) {
        char *stop = memchr(from, delimiter, (size_t)(end - from));

        if (!stop && r->eof) { /* the reader keeps a byte to spare for it */
            *end = delimiter;
            stop = end;
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
