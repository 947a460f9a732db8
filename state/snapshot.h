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

/* A file that was read; it owns the memory of the filters. */
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

/* Load the filters of a file.  Unless it returns SNAPSHOT_LOADED, why is the
   reason, without the name of the file. */
enum snapshot_result snapshot_load(struct snapshot *s, const char *path,
                                   struct fault *why);
void snapshot_free(struct snapshot *s);

/* The parts of a file that is saved. */
struct snapshot_parts {
    const freshet *filter;
    const freshet *repeated;      /* or NULL */
    const struct key_note *notes; /* or NULL */
};

/* Save a file that only its owner can read; an existing file keeps its mode.
   Returns false and a reason if that fails. */
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
