/*
 * snapshot.h - a filter in a file
 *
 * The file is the block and 16 bytes of checksum, then perhaps notes on how
 * keys were taken and a second filter (doc/format.md).  It is never written in
 * place: the new one is complete and on disk before it takes the old one's
 * name.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "freshet.h"
#include "key_note.h"

/* Read from a file; filters live in memory of its own. */
struct snapshot {
    freshet *filter;
    freshet *repeated; /* that of -d, or NULL */
    struct key_note notes;
    void *block; /* NULL if there was no file */
    size_t mapped;
};

enum { SNAPSHOT_NONE = 1 }; /* from snapshot_load(): there is no such file */

/* 0, SNAPSHOT_NONE, or a status, explained in err without the name. */
int snapshot_load(struct snapshot *s, const char *path, freshet_error *err);
void snapshot_free(struct snapshot *s);

/* What is saved. */
struct snapshot_parts {
    const freshet *filter;
    const freshet *repeated;      /* or NULL */
    const struct key_note *notes; /* or NULL */
};

/* Readable by the owner alone, unless the file was there and was more open. */
int snapshot_save(const struct snapshot_parts *parts, const char *path,
                  freshet_error *err);

/*
 * Keep others from using the file while we do, by a lock on "path.lock".  A
 * descriptor, or a status.  Children inherit the lock.
 */
int snapshot_lock(const char *path, freshet_error *err);
void snapshot_unlock(const char *path, int lock);

#endif
