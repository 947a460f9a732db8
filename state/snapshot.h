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
    unsigned links; /* names that the file has */
};

enum snapshot_result {
    SNAPSHOT_LOADED,
    SNAPSHOT_NONE,   /* there is no such file */
    SNAPSHOT_REFUSED /* it cannot be read, or holds something else */
};

/* Unless the filter is loaded, why says so, without the name. */
enum snapshot_result snapshot_load(struct snapshot *s, const char *path,
                                   struct fault *why);
void snapshot_free(struct snapshot *s);

/* What is saved. */
struct snapshot_parts {
    const freshet *filter;
    const freshet *repeated;      /* or NULL */
    const struct key_note *notes; /* or NULL */
};

/* Readable by the owner alone, unless the file was there and was more open. */
bool snapshot_save(const struct snapshot_parts *parts, const char *path,
                   struct fault *why);

/*
 * Keep others from using the file, by a lock on "path.lock": the file itself is
 * replaced when it is saved.  The path must lead through no link, or another
 * name of the file would have another lock.  Returns a descriptor, or -1 and
 * why.  Children inherit the lock.
 */
int snapshot_lock(const char *path, struct fault *why);
void snapshot_unlock(const char *path, int lock);

#endif
