/*
 * atomic_file.c - a file is the old one or the new one, never half of either
 */
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 4096 };

/* A new name lasts when its directory is on disk. */
static int sync_directory(const char *path)
{
    char copy[NAME];
    int fd, status;

    snprintf(copy, sizeof copy, "%s", path);
    fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    status = fsync(fd);
    close(fd);
    return status;
}

/* The new file, whole. */
static int write_beside(const char *path, const char *temporary,
                        const struct atomic_file *how)
{
    struct stat old;
    int fd, status;

    (void)unlink(temporary); /* of one that was killed */
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    status = how->write(fd, how->what);
    if (status == 0)
        status =
            fchmod(fd, stat(path, &old) == 0 ? old.st_mode & 0777 : how->mode);
    if (status == 0 && how->durable)
        status = fsync(fd);
    if (close(fd) < 0)
        status = -1;
    return status;
}

static int replace(const char *path, const char *temporary,
                   const struct atomic_file *how)
{
    int status = write_beside(path, temporary, how);

    if (status == 0)
        status = rename(temporary, path);
    if (status < 0) {
        int why = errno;

        (void)unlink(temporary);
        errno = why;
        return -1;
    }
    return how->durable ? sync_directory(path) : 0;
}

int atomic_file_file(const char *path, const struct atomic_file *how)
{
    char *real = realpath(path, NULL), temporary[NAME];
    const char *target = real ? real : path;
    int n = snprintf(temporary, sizeof temporary, "%s.tmp", target);
    struct stat st;
    int status = -1;

    if (n < 0 || (size_t)n >= sizeof temporary)
        errno = ENAMETOOLONG;
    else if (stat(target, &st) == 0 && !S_ISREG(st.st_mode))
        errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP; /* not /dev/null! */
    else
        status = replace(target, temporary, how);
    free(real);
    return status;
}
