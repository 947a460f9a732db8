/*
 * snapshot.c - a filter in a file
 */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "saved.h"

enum { PAGE = 4096, NAME = 4096 };

__attribute__((format(printf, 3, 4))) static int fail(freshet_error *err,
                                                      int status,
                                                      const char *format, ...)
{
    va_list ap;

    err->status = status;
    va_start(ap, format);
    vsnprintf(err->message, sizeof err->message, format, ap);
    va_end(ap);
    return status;
}

/* The system's own words, after ours. */
static int fail_errno(freshet_error *err, const char *what)
{
    return fail(err, FRESHET_ERR_ARGUMENT, "%s%s", what, strerror(errno));
}

/* ---- Loading ---------------------------------------------------------- */

static int read_all(int fd, char *at, size_t len)
{
    while (len) {
        ssize_t n = read(fd, at, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : EIO; /* it shrank while we read */
            return -1;
        }
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

static int load(struct snapshot *s, int fd, freshet_error *err)
{
    struct stat st;
    size_t len;

    if (fstat(fd, &st) < 0)
        return fail_errno(err, "");
    if (!S_ISREG(st.st_mode))
        return fail(err, FRESHET_ERR_FOREIGN, "not a file");
    if (st.st_size <= SAVED_TRAILER)
        return fail(err, FRESHET_ERR_DAMAGED, "too short for a saved filter");
    len = (size_t)st.st_size;
    s->block = mmap(NULL, len, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s->block == MAP_FAILED) {
        s->block = NULL;
        return fail(err, FRESHET_ERR_MEMORY, "no memory to read it into");
    }
    s->mapped = len;
    (void)madvise(s->block, len, MADV_HUGEPAGE);
    if (read_all(fd, s->block, len) < 0)
        return fail_errno(err, "");
    return saved_adopt(&s->filter, s->block, len, err);
}

int snapshot_load(struct snapshot *s, const char *path, freshet_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), status;

    *s = (struct snapshot){0};
    if (fd < 0)
        return errno == ENOENT ? SNAPSHOT_NONE : fail_errno(err, "");
    status = load(s, fd, err);
    close(fd);
    if (status < 0)
        snapshot_free(s);
    return status;
}

void snapshot_free(struct snapshot *s)
{
    freshet_free(s->filter);
    if (s->block)
        munmap(s->block, s->mapped);
    *s = (struct snapshot){0};
}

/* ---- Saving ----------------------------------------------------------- */

static int write_at(int fd, const char *at, size_t len, off_t offset)
{
    while (len) {
        ssize_t n = pwrite(fd, at, len, offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        at += n;
        offset += n;
        len -= (size_t)n;
    }
    return 0;
}

static bool all_zero(const char *at, size_t len)
{
    return at[0] == 0 && memcmp(at, at + 1, len - 1) == 0;
}

/* A young filter is mostly zeroes: pages of them become holes. */
static int write_sparse(int fd, const char *at, size_t len)
{
    for (size_t i = 0, n; i < len; i += n) {
        n = len - i < PAGE ? len - i : PAGE;
        if (all_zero(at + i, n))
            continue;
        while (i + n < len) { /* as many pages as there are in one go */
            size_t more = len - i - n < PAGE ? len - i - n : PAGE;

            if (all_zero(at + i + n, more))
                break;
            n += more;
        }
        if (write_at(fd, at + i, n, (off_t)i) < 0)
            return -1;
    }
    return 0;
}

static int write_file(int fd, const freshet *f)
{
    size_t bytes;
    const void *block = freshet_block(f, &bytes);
    freshet_hash sum = saved_trailer(f);

    if (ftruncate(fd, (off_t)(bytes + SAVED_TRAILER)) < 0 ||
        write_sparse(fd, block, bytes) < 0 ||
        write_at(fd, (const char *)&sum, SAVED_TRAILER, (off_t)bytes) < 0)
        return -1;
    return fsync(fd);
}

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

static int replace(const freshet *f, const char *path, const char *temporary)
{
    struct stat old;
    int fd, status;

    (void)unlink(temporary); /* of one that was killed: the lock is ours */
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    status = write_file(fd, f);
    if (status == 0 && stat(path, &old) == 0)
        status = fchmod(fd, old.st_mode & 0777);
    if (close(fd) < 0)
        status = -1;
    if (status == 0)
        status = rename(temporary, path);
    if (status < 0) {
        int why = errno;

        (void)unlink(temporary);
        errno = why;
        return -1;
    }
    return sync_directory(path);
}

/* Behind a link, the file it leads to is replaced, not the link. */
int snapshot_save(const freshet *f, const char *path, freshet_error *err)
{
    char *real = realpath(path, NULL), temporary[NAME];
    const char *target = real ? real : path;
    int n = snprintf(temporary, sizeof temporary, "%s.tmp", target);
    int status = FRESHET_OK;

    if (n < 0 || (size_t)n >= sizeof temporary)
        status = fail(err, FRESHET_ERR_ARGUMENT, "the name is too long");
    else if (replace(f, target, temporary) < 0)
        status = fail_errno(err, "not saved: ");
    free(real);
    return status;
}

/* ---- Locking ---------------------------------------------------------- */

/* The file has one name and is to be replaced, so the lock has another. */
static int lock_name(char name[NAME], const char *path)
{
    int n = snprintf(name, NAME, "%s.lock", path);

    return n >= 0 && n < NAME ? 0 : -1;
}

/* Whoever had the lock may have removed the name between open and lock. */
static bool still_there(int fd, const char *name)
{
    struct stat ours, there;

    return fstat(fd, &ours) == 0 && stat(name, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

int snapshot_lock(const char *path, freshet_error *err)
{
    char name[NAME];

    if (lock_name(name, path) < 0)
        return fail(err, FRESHET_ERR_ARGUMENT, "the name is too long");
    for (;;) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

        if (fd < 0)
            return fail_errno(err, "cannot be locked: ");
        if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
            close(fd);
            return fail(err, FRESHET_ERR_ARGUMENT,
                        "another freshet is using it; wait for its end, or "
                        "give this one a file of its own");
        }
        if (still_there(fd, name))
            return fd;
        close(fd);
    }
}

void snapshot_unlock(const char *path, int lock)
{
    char name[NAME];

    if (lock < 0)
        return;
    if (lock_name(name, path) == 0)
        (void)unlink(name);
    close(lock);
}
