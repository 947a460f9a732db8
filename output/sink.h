/*
 * sink.h - records out, in large writes
 *
 * What is put is remembered as a view as long as it follows in memory on what
 * was put before: a run of new records costs one copy, a long one none.
 */
#ifndef SINK_H
#define SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "view.h"

struct sink {
    const char *name; /* for messages */
    int fd;           /* -1: closed, nothing may be put */
    bool by_record;   /* whoever puts flushes after each record */
    char *buffer;
    size_t used;
    struct view run;  /* put, but not copied yet */
    uint64_t written; /* bytes */
};

/* Write to a descriptor, which stays the caller's.  -1 and errno. */
int sink_init(struct sink *s, int fd, const char *name);
void sink_free(struct sink *s);

/* The run is over: take it in, or write it at once.  -1 and errno. */
int sink_settle(struct sink *s);

/* Bytes that live until the next sink_settle(), which sink_flush() calls. */
static inline int sink_put(struct sink *s, const char *at, size_t len)
{
    if (at == s->run.at + s->run.len) {
        s->run.len += len;
        return 0;
    }
    if (s->run.len && sink_settle(s) < 0)
        return -1;
    s->run = (struct view){at, len};
    return 0;
}

/* Bytes so far, written or not. */
static inline uint64_t sink_total(const struct sink *s)
{
    return s->written + s->used + s->run.len;
}

/* Write everything.  -1 and errno. */
int sink_flush(struct sink *s);

/* After sink_flush(): have it on disk, where it goes to one.  -1 and errno. */
int sink_sync(const struct sink *s);

#endif
