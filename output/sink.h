/*
 * sink.h - bytes out, to a file descriptor
 */
#ifndef SINK_H
#define SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sink {
    const char *name; /* for messages */
    int fd;           /* -1: closed, nothing may be written */
    bool by_record;   /* each record is written by itself */
    uint64_t written; /* bytes */
};

/* Write to a descriptor, which stays the caller's. */
void sink_init(struct sink *s, int fd, const char *name);

/* Write all of it.  Returns -1 and errno if that fails. */
int sink_write(struct sink *s, const char *at, size_t len);

/* Have it on disk, where it goes to one.  Returns -1 and errno if that
   fails. */
int sink_sync(const struct sink *s);

#endif
