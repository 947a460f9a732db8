/*
 * atomic_file.h - a file is the old one or the new one, never half of either
 */
#ifndef ATOMIC_FILE_H
#define ATOMIC_FILE_H

#include <stdbool.h>
#include <sys/types.h>

struct atomic_file {
    mode_t mode;  /* if there is no file yet; one that is there keeps its */
    bool durable; /* also after a crash: on disk before this returns */
    int (*write)(int fd, const void *what); /* -1 and errno */
    const void *what;
};

/*
 * Returns the absolute name of the file that a path leads to by symbolic links,
 * whether there is such a file or not yet; to be freed.  NULL and errno if its
 * directory is not there, or there is no memory.
 */
char *atomic_file_target(const char *path);

/*
 * Write a new file beside the old one, as "path.tmp", then rename it.  Behind a
 * symbolic link the file it leads to is replaced or created, not the link; what
 * is no regular file is not replaced.  The caller is the only one who writes
 * this path.  Returns -1 and errno if that fails.
 */
int atomic_file_file(const char *path, const struct atomic_file *how);

#endif
