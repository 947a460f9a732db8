/*
 * atomic_file.h - a file is the old one or the new one, never half of either
 */
#ifndef ATOMIC_FILE_H
#define ATOMIC_FILE_H

#include <stdbool.h>
#include <sys/types.h>

struct atomic_file {
    mode_t mode;  /* of a new file; an existing one keeps its mode */
    bool durable; /* the file is on disk when the function returns */
    int (*write)(int fd, const void *what); /* returns -1 and errno on error */
    const void *what;
};

/*
 * Returns the absolute name of the file that a path leads to by symbolic links,
 * whether or not the file exists; the name is to be freed.  Returns NULL and
 * errno if its directory does not exist or there is no memory.
 */
char *atomic_file_target(const char *path);

/*
 * Write a new file beside the old one, as "path.tmp", then rename it.  If the
 * path is a symbolic link, the file that it leads to is replaced or created,
 * not the link.  Only regular files are replaced.  No other process may write
 * this path.  Returns -1 and errno if that fails.
 */
int atomic_file_file(const char *path, const struct atomic_file *how);

#endif
