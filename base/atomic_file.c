/*
 * atomic_file.c - replaces files atomically
 */
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 4096, LINKS = 40 };

/* A new name is durable when its directory is on disk. */
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

/* Writes the new file completely. */
static int write_beside(const char *path, const char *temporary,
                        const struct atomic_file *how)
{
    struct stat old;
    int fd, status;

    (void)unlink(temporary); /* left by a process that was killed */
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

/* Returns "directory/name", or NULL and sets errno. */
static char *join(const char *directory, const char *name)
{
    size_t before = strlen(directory), len = strlen(name);
    char *joined = malloc(before + 1 + len + 1);

    if (!joined)
        return NULL;
    /* The zero comes with the name.
       NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
    memcpy(joined, directory, before);
    joined[before] = '/';
    memcpy(joined + before + 1, name, len + 1);
    return joined;
}

/*
 * Returns the target of a symbolic link, relative to the present directory.
 * Returns NULL and sets errno: EINVAL if it is no link, ENOENT if it does not
 * exist.
 */
static char *link_target(const char *path)
{
    char to[NAME], directory[NAME];
    ssize_t n = readlink(path, to, sizeof to);

    if (n < 0)
        return NULL;
    if (n == NAME) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    to[n] = '\0';
    snprintf(directory, sizeof directory, "%s", path);
    return *to == '/' ? strdup(to) : join(dirname(directory), to);
}

/* Returns the path of a file that is no link, with the links in its directory
   resolved. */
static char *in_real_directory(const char *path)
{
    char copy[NAME], *directory, *whole;

    snprintf(copy, sizeof copy, "%s", path);
    directory = realpath(dirname(copy), NULL);
    if (!directory)
        return NULL;
    snprintf(copy, sizeof copy, "%s", path); /* dirname() has changed it */
    whole = join(strcmp(directory, "/") == 0 ? "" : directory, basename(copy));
    free(directory);
    return whole;
}

char *atomic_file_target(const char *path)
{
    char *at = strdup(path), *next, *target = NULL;
    int links = 0;

    while (at && links <= LINKS && (next = link_target(at))) {
        free(at);
        at = next;
        links++;
    }
    if (links > LINKS)
        errno = ELOOP;
    else if (at && (errno == EINVAL || errno == ENOENT))
        target = in_real_directory(at);
    free(at);
    return target;
}

int atomic_file_sync_name(const char *path)
{
    char *target = atomic_file_target(path);
    int status = target ? sync_directory(target) : -1;

    free(target);
    return status;
}

int atomic_file_write(const char *path, const struct atomic_file *how)
{
    char *target = atomic_file_target(path), temporary[NAME];
    struct stat st;
    int status = -1;

    if (!target)
        return -1;
    if (snprintf(temporary, NAME, "%s.tmp", target) >= NAME)
        errno = ENAMETOOLONG;
    else if (stat(target, &st) == 0 && !S_ISREG(st.st_mode))
        errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP; /* such as /dev/null */
    else
        status = replace(target, temporary, how);
    free(target);
    return status;
}
