/*
 * output_block.c - the output of some records, ready to be written
 */
#include "output_block.h"

#include <stdlib.h>
#include <string.h>

void output_block_free(struct output_block *b)
{
    free(b->copy);
    *b = (struct output_block){0};
}

/* Returns the number of bytes from a record to the delimiter of the last one
   of n. */
static size_t span(const struct view *record, size_t n)
{
    const struct view *last = &record[n - 1];

    return (size_t)(last->at + last->len + 1 - record->at);
}

bool output_block_reserve(struct output_block *b, size_t room)
{
    if (room <= b->room)
        return true;
    free(b->copy);
    b->copy = malloc(room);
    b->room = b->copy ? room : 0;
    return b->copy;
}

static char *append(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
    return to + n;
}

static void fill_marked(struct output_block *b, const struct output_mode *mode,
                        const struct view *record, const uint8_t *verdict,
                        size_t n)
{
    char *to = b->copy;

    for (size_t i = 0; i < n; i++) {
        const char *mark = mode->mark[verdict[i]];

        if (!(mode->shows >> verdict[i] & 1))
            continue;
        if (mark)
            to = append(to, mark, strlen(mark));
        to = append(to, record[i].at, record[i].len + 1);
    }
    b->bytes = (struct view){b->copy, (size_t)(to - b->copy)};
}

/* Returns the index of the first record from i on that is shown, or that is not
   shown. */
static size_t run_end(unsigned shows, const uint8_t *verdict, size_t i,
                      size_t n, bool shown)
{
    while (i < n && (shows >> verdict[i] & 1) == shown)
        i++;
    return i;
}

/* Consecutive records that are shown are copied together, or not at all if
   there is only one such run. */
static bool fill_plain(struct output_block *b, const struct output_mode *mode,
                       const struct view *record, const uint8_t *verdict,
                       size_t n)
{
    unsigned shows = mode->shows;
    size_t from = run_end(shows, verdict, 0, n, false);
    char *to = NULL;

    b->bytes = (struct view){0};
    while (from < n) {
        size_t end = run_end(shows, verdict, from, n, true);
        size_t next = run_end(shows, verdict, end, n, false);
        size_t len = span(record + from, end - from);

        if (!to && next == n) {
            b->bytes = (struct view){record[from].at, len};
            return true;
        }
        if (!to && !output_block_reserve(b, span(record, n)))
            return false;
        to = append(to ? to : b->copy, record[from].at, len);
        from = next;
    }
    if (to)
        b->bytes = (struct view){b->copy, (size_t)(to - b->copy)};
    return true;
}

bool output_block_fill(struct output_block *b, const struct output_mode *mode,
                       const struct view *record, const uint8_t *verdict,
                       size_t n)
{
    size_t mark = output_mark_most(mode);

    if (n == 0 || mark == 0)
        return fill_plain(b, mode, record, verdict, n);
    if (!output_block_reserve(b, span(record, n) + n * mark))
        return false;
    fill_marked(b, mode, record, verdict, n);
    return true;
}

int output_block_write(const struct output_block *b, struct sink *s,
                       const struct output_mode *mode,
                       const struct view *record, const uint8_t *verdict,
                       size_t n)
{
    const char *at = b->bytes.at;

    if (!s->by_record)
        return sink_write(s, at, b->bytes.len);
    for (size_t i = 0; i < n; i++) {
        size_t len = (size_t)output_bytes(mode, verdict[i], record[i].len);

        if (len && sink_write(s, at, len) < 0)
            return -1;
        at += len;
    }
    return 0;
}
