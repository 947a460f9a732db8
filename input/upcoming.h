/*
 * upcoming.h - decompresses the next files before their turn
 *
 * While a file is read, the compressed files after it are opened, and each gets
 * a thread that decompresses it.  Decompressed bytes wait in memory, so the
 * threads stop at a limit.
 */
#ifndef UPCOMING_H
#define UPCOMING_H

#include <stdbool.h>
#include <stddef.h>

#include "unpacker.h"

enum { UPCOMING_MOST = 15 }; /* most files */

struct upcoming_file {
    const char *name;
    int fd;
    struct unpacker *unpacker;
};

struct upcoming {
    size_t most;       /* most files at once; 0: none is begun before its
                          turn */
    char *const *next; /* the first name that was not examined; NULL: none
                          was */
    struct blocks *blocks;
    size_t n; /* files in progress, in the order of their names */
    struct upcoming_file file[UPCOMING_MOST];
};

/* Prepares for up to this many files at once. */
void upcoming_init(struct upcoming *u, size_t most, struct blocks *blocks);

/*
 * Names the next files, in order; the names belong to the caller.  Later calls
 * name the rest of the same list.  Files that cannot be opened, or are not
 * worth it, wait for their turn.
 */
void upcoming_expect(struct upcoming *u, char *const *names, size_t n);

/*
 * Begins the turn of a name.  Returns true and sets *file, which then belongs
 * to the caller, if it was begun.  Files before it are dropped.
 */
bool upcoming_take(struct upcoming *u, const char *name,
                   struct upcoming_file *file);

/* Ends the threads and closes the files. */
void upcoming_free(struct upcoming *u);

#endif
