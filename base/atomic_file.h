/*
 * atomic_file.h - replaces files atomically: readers see the old file or the
 * new one, never a part
 */
#ifndef ATOMIC_FILE_H
#define ATOMIC_FILE_H

#include <stdbool.h>
#include <sys/types.h>

struct atomic_file {
    mode_t mode;  /* mode of a new file; an existing one keeps its mode */
    bool durable; /* the file is on disk when the function returns */
    int (*write)(int fd, const void *what); /* returns -1 and sets errno on
                                               error */
    const void *what;
};

/*
 * Returns the absolute name of the file that a path leads to by symbolic links,
 * whether or not the file exists; to be freed.  Returns NULL and sets errno if
 * its directory does not exist or there is no memory.
 */
char *atomic_file_target(const char *path);

/* Makes the name of a new file durable, but not its bytes.  Returns -1 and sets
   errno on error. */
int atomic_file_sync_name(const char *path);

/*
 * Writes a new file beside the old one, as "path.tmp", then renames it.  If the
 * path is a symbolic link, the file that it leads to is replaced or created,
 * not the link.  Only regular files are replaced.  No other process may write
 * this path.  Returns -1 and sets errno on error.
 */
int atomic_file_write(const char *path, const struct atomic_file *how);

#endif
