/*
 * sink.h - writes to a file descriptor
 */
#ifndef SINK_H
#define SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sink {
    const char *name; /* name for messages */
    int fd;           /* -1: closed */
    bool by_record;   /* write each record by itself */
    bool created;     /* the file was created, and its name is not durable
                         yet */
    uint64_t written; /* bytes written */
};

/* Sets up a sink for a descriptor, which the caller closes. */
void sink_init(struct sink *s, int fd, const char *name);

/* Writes all bytes.  Returns -1 and sets errno on error. */
int sink_write(struct sink *s, const char *at, size_t len);

/* Makes written bytes durable and, if the file was created, its name, unless it
   is not on a disk.  Returns -1 and sets errno on error. */
int sink_sync(struct sink *s);

#endif
