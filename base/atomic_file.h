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
 * Write a new file beside the old one, as "path.tmp", then give it the name.
 * Behind a link, the file it leads to is replaced, not the link; what is no
 * regular file is not replaced.  Whoever calls is the only one who writes this
 * path.  -1 and errno.
 */
int atomic_file_file(const char *path, const struct atomic_file *how);

#endif
