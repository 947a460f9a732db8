/*
 * snapshot.h - loads and saves filters in a file
 *
 * The file is the block and 16 bytes of checksum, then optionally notes on how
 * keys were chosen and a second filter (doc/format.md).  It is never written in
 * place: the new file is complete and on disk before it replaces the old one.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "freshet.h"
#include "key_note.h"

/* The content of a file, which owns the memory of the filters. */
struct snapshot {
    freshet *filter;
    freshet *repeated; /* the second filter, of -d, or NULL */
    struct key_note notes;
    void *block; /* NULL if the file did not exist */
    size_t mapped;
    unsigned links; /* number of the file's hard links */
};

enum snapshot_result {
    SNAPSHOT_LOADED,
    SNAPSHOT_NONE,   /* the file does not exist */
    SNAPSHOT_REFUSED /* it cannot be read, or has other content */
};

/* Loads the filters of a file.  Unless it returns SNAPSHOT_LOADED, it sets
   *why, without the name of the file. */
enum snapshot_result snapshot_load(struct snapshot *s, const char *path,
                                   struct fault *why);
void snapshot_free(struct snapshot *s);

/* The parts of a file that is saved. */
struct snapshot_parts {
    const freshet *filter;
    const freshet *repeated;      /* or NULL */
    const struct key_note *notes; /* or NULL */
};

/* Saves a file that only its owner can read; an existing file keeps its mode.
   Returns false and sets *why on error. */
bool snapshot_save(const struct snapshot_parts *parts, const char *path,
                   struct fault *why);

/*
 * Locks "path.lock", since the file itself is replaced when it is saved.  The
 * path must contain no symbolic link, or another name of the file would have
 * another lock.  Returns a descriptor, or -1 and sets *why.  Children inherit
 * the lock.
 */
int snapshot_lock(const char *path, struct fault *why);
void snapshot_unlock(const char *path, int lock);

#endif
