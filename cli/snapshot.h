/*
 * snapshot.h - a filter in a file
 *
 * The file is the block and 16 bytes of checksum (doc/format.md).  It is
 * never written in place: the new one is complete and on disk before it takes
 * the old one's name.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "freshet.h"

/* A filter read from a file; it lives in memory of its own. */
struct snapshot {
    freshet *filter;
    void *block; /* NULL if there was no file */
    size_t mapped;
};

enum { SNAPSHOT_NONE = 1 }; /* from snapshot_load(): there is no such file */

/* 0, SNAPSHOT_NONE, or a status, explained in err without the name. */
int snapshot_load(struct snapshot *s, const char *path, freshet_error *err);
void snapshot_free(struct snapshot *s);

/* Readable by the owner alone, unless the file was there and was more open. */
int snapshot_save(const freshet *f, const char *path, freshet_error *err);

/*
 * Keep others from using the file while we do, by a lock on "path.lock".  A
 * descriptor, or a status.  Children inherit the lock.
 */
int snapshot_lock(const char *path, freshet_error *err);
void snapshot_unlock(const char *path, int lock);

#endif
