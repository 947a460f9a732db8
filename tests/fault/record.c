/*
 * record.c - a library to be preloaded that records what is done to files
 *
 * Each change of a file or a directory adds an entry to the file POWER_LOG,
 * after it was made: a struct entry, the name, the bytes.  power.py makes of
 * it what a disk may hold after a power loss.
 *
 * The C library's own streams write without calling write(): the bytes of a
 * file are therefore recorded once more when the file is renamed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct entry {
    uint32_t what;        /* 'C'reate, 'T'runcate, 'W'rite, 'S'ync, sync a
                      'D'irectory, 'R'ename, 'U'nlink, 'V': all bytes */
    uint32_t name, bytes; /* how many follow */
    uint32_t unused;
    uint64_t file; /* its inode */
    uint64_t at;   /* offset, or size */
};

#define REAL(name) ((__typeof__(&name))find(#name))

static void *find(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    if (!found)
        abort();
    return found;
}

/* ---- Entries ---------------------------------------------------------- */

/* One call, so that entries of several processes do not mix. */
static void put(struct entry e, const char *name, const void *bytes)
{
    const char *log = getenv("POWER_LOG");
    struct iovec part[] = {{&e, sizeof e},
                           {(void *)(uintptr_t)name, e.name},
                           {(void *)(uintptr_t)bytes, e.bytes}};
    int why = errno;
    long fd;

    if (!log)
        return;
    fd =
        syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (syscall(SYS_writev, fd, part, 3) < (long)(sizeof e + e.name + e.bytes))
        abort();
    syscall(SYS_close, fd);
    errno = why;
}

/* An entry about an open file, if that is a regular one. */
static void put_file(uint32_t what, int fd, uint64_t at, const void *bytes,
                     size_t n)
{
    struct stat st;

    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        put((struct entry){.what = what,
                           .bytes = (uint32_t)n,
                           .file = st.st_ino,
                           .at = at},
            "", bytes);
}

/* An entry about names: "from", or "from\nto". */
static void put_name(uint32_t what, const char *from, const char *to)
{
    char names[8300];
    struct stat st = {0};
    int n = snprintf(names, sizeof names, to ? "%s\n%s" : "%s", from, to);

    (void)stat(to ? to : from, &st);
    put((struct entry){.what = what, .name = (uint32_t)n, .file = st.st_ino},
        names, "");
}

static void put_contents(const char *path)
{
    int fd = open(path, O_RDONLY);
    struct stat st;
    char *bytes;

    if (fd >= 0 && fstat(fd, &st) == 0 && (bytes = malloc(st.st_size + 1))) {
        if (pread(fd, bytes, st.st_size, 0) == st.st_size)
            put_file('V', fd, 0, bytes, st.st_size);
        free(bytes);
    }
    if (fd >= 0)
        syscall(SYS_close, fd);
}

/* ---- Calls ------------------------------------------------------------ */

int open(const char *path, int flags, ...)
{
    struct stat st;
    mode_t mode;
    va_list ap;
    int there = stat(path, &st) == 0, fd;

    va_start(ap, flags);
    mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    fd = REAL(open)(path, flags, mode);
    if (fd >= 0 && !there && flags & O_CREAT)
        put_name('C', path, NULL);
    if (fd >= 0 && there && flags & O_TRUNC)
        put_file('T', fd, 0, "", 0);
    return fd;
}

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open(path, flags, 0);
}

ssize_t write(int fd, const void *from, size_t n)
{
    ssize_t done = REAL(write)(fd, from, n);

    if (done > 0)
        put_file('W', fd, (uint64_t)(lseek(fd, 0, SEEK_CUR) - done), from,
                 (size_t)done);
    return done;
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
    ssize_t done = REAL(pwrite)(fd, from, n, at);

    if (done > 0)
        put_file('W', fd, (uint64_t)at, from, (size_t)done);
    return done;
}

int ftruncate(int fd, off_t size)
{
    int status = REAL(ftruncate)(fd, size);

    if (status == 0)
        put_file('T', fd, (uint64_t)size, "", 0);
    return status;
}

int fsync(int fd)
{
    int status = REAL(fsync)(fd);
    char link[64], path[4096];
    struct stat st;
    ssize_t n;

    if (status != 0 || fstat(fd, &st) != 0)
        return status;
    if (!S_ISDIR(st.st_mode)) {
        put_file('S', fd, 0, "", 0);
        return 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path);
    put((struct entry){.what = 'D', .name = (uint32_t)n}, path, "");
    return 0;
}

int rename(const char *from, const char *to)
{
    int status;

    put_contents(from);
    status = REAL(rename)(from, to);
    if (status == 0)
        put_name('R', from, to);
    return status;
}

int unlink(const char *path)
{
    int status = REAL(unlink)(path);

    if (status == 0)
        put_name('U', path, NULL);
    return status;
}
