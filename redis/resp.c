/*
 * resp.c - the protocol of Redis and Valkey, RESP2
 */
#include "resp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

/* ---- Replies ---------------------------------------------------------- */

static bool read_count(struct view line, int64_t *out)
{
    bool minus = line.len && line.at[0] == '-';
    uint64_t value = 0;

    if (line.len == minus || line.len > 19u + minus)
        return false;
    for (size_t i = minus; i < line.len; i++) {
        if (line.at[i] < '0' || line.at[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(line.at[i] - '0');
    }
    if (value > INT64_MAX)
        return false;
    *out = minus ? -(int64_t)value : (int64_t)value;
    return true;
}

/* Reads the bytes of a text, which follow its line.  Returns as read_item()
   does. */
static long read_text(struct view bytes, size_t line, struct resp *item)
{
    size_t len = (size_t)item->count;

    item->text = (struct view){bytes.at + line, len};
    if (bytes.len - line < len + 2)
        return 0;
    if (memcmp(bytes.at + line + len, "\r\n", 2) != 0)
        return -1;
    return (long)(line + len + 2);
}

/* Reads one item, but not the items inside an array.  Returns its bytes; 0 if
   it is not complete, -1 if it is no item. */
static long read_item(struct view bytes, struct resp *item)
{
    static const char marks[] = "+-:$*";
    const char *end = bytes.len ? memchr(bytes.at, '\n', bytes.len) : NULL;
    const char *mark =
        bytes.len && bytes.at[0] ? strchr(marks, bytes.at[0]) : NULL;
    size_t line;

    if (bytes.len && !mark)
        return -1;
    if (!end)
        return bytes.len > RESP_MOST ? -1 : 0;
    line = (size_t)(end - bytes.at) + 1;
    if (line < 3 || end[-1] != '\r')
        return -1;
    *item = (struct resp){.type = (enum resp_type)(mark - marks),
                          .text = {bytes.at + 1, line - 3}};
    if (item->type <= RESP_ERROR)
        return (long)line;
    if (!read_count(item->text, &item->count))
        return -1;
    if (item->type == RESP_COUNT)
        return (long)line;
    if (item->count == -1) {
        item->type = RESP_NULL;
        return (long)line;
    }
    if (item->count < 0 || item->count > RESP_MOST)
        return -1;
    return item->type == RESP_TEXT ? read_text(bytes, line, item) : (long)line;
}

long resp_length(struct view bytes)
{
    size_t used = 0, due = 1;

    for (; due; due--) {
        struct view rest = {bytes.at + used, bytes.len - used};
        struct resp item;
        long n = read_item(rest, &item);

        if (n <= 0)
            return n;
        used += (size_t)n;
        if (item.type == RESP_ARRAY)
            due += (size_t)item.count;
        if (used > RESP_MOST || due > RESP_MOST)
            return -1;
    }
    return (long)used;
}

bool resp_next(struct view *rest, struct resp *item)
{
    long n = read_item(*rest, item);

    if (n <= 0)
        return false;
    rest->at += n;
    rest->len -= (size_t)n;
    return true;
}

void resp_skip(struct view *rest)
{
    long n = resp_length(*rest);

    n = n > 0 ? n : (long)rest->len;
    rest->at += n;
    rest->len -= (size_t)n;
}

bool resp_begins_with(const struct resp *item, const char *words)
{
    size_t len = strlen(words);

    return item->text.len >= len && memcmp(item->text.at, words, len) == 0 &&
           (item->text.len == len || strchr(" :'", item->text.at[len]));
}

bool resp_find(struct view reply, const char *name, struct resp *value)
{
    struct resp item;

    if (!resp_next(&reply, &item) || item.type != RESP_ARRAY)
        return false;
    for (int64_t i = item.count; i > 1; i -= 2) {
        if (!resp_next(&reply, &item))
            return false;
        if (item.type == RESP_TEXT && item.text.len == strlen(name) &&
            memcmp(item.text.at, name, item.text.len) == 0)
            return resp_next(&reply, value);
        resp_skip(&reply);
    }
    return false;
}

/* ---- Requests --------------------------------------------------------- */

static void put(struct words *w, const char *at, size_t len)
{
    if (w->failed)
        return;
    if (w->size - w->used < len) {
        char *other = array_reserve(w->at, &w->size, 2 * (w->used + len), 1);

        if (!other) {
            w->failed = true;
            return;
        }
        w->at = other;
    }
    memcpy(w->at + w->used, at, len);
    w->used += len;
}

static void put_line(struct words *w, char mark, size_t n)
{
    char text[32];

    put(w, text, (size_t)snprintf(text, sizeof text, "%c%zu\r\n", mark, n));
}

void words_clear(struct words *w)
{
    w->used = 0;
    w->failed = false;
}

void words_next(struct words *w, size_t n)
{
    put_line(w, '*', n);
}

void words_begin(struct words *w, size_t n)
{
    words_clear(w);
    words_next(w, n);
}

void words_promise(struct words *w, size_t len)
{
    put_line(w, '$', len);
}

void words_end_promised(struct words *w)
{
    put(w, "\r\n", 2);
}

void words_add(struct words *w, const char *at, size_t len)
{
    words_promise(w, len);
    put(w, at, len);
    words_end_promised(w);
}

void words_text(struct words *w, const char *text)
{
    words_add(w, text, strlen(text));
}

void words_count(struct words *w, uint64_t count)
{
    char text[24];

    words_add(w, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, count));
}

void words_free(struct words *w)
{
    free(w->at);
    *w = (struct words){0};
}
