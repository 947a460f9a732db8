/*
 * snapshot.c - a filter in a file
 */
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "saved_block.h"
#include "system.h"

enum {
    ALIGN = 64, /* of a block */
    PAGE = 4096,
    NAME = 4096
};

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

/* The filter at an offset. */
static int adopt_filter(freshet **f, struct snapshot *s, size_t *at,
                        freshet_error *err)
{
    size_t used;
    int status = saved_block_adopt(f, (char *)s->block + *at, s->mapped - *at,
                                   &used, err);

    if (status == FRESHET_OK)
        *at += used;
    return status;
}

/* Both filters are asked by the same hashes. */
static int adopt_repeated(struct snapshot *s, size_t *at, freshet_error *err)
{
    freshet_info one = {.size = sizeof one}, two = {.size = sizeof two};
    size_t place = (*at + ALIGN - 1) / ALIGN * ALIGN;
    int status;

    if (place > s->mapped)
        place = s->mapped;
    for (; *at < place; ++*at)
        if (((const char *)s->block)[*at])
            return fail(err, FRESHET_ERR_DAMAGED,
                        "damaged: there is something between its parts");
    status = adopt_filter(&s->repeated, s, at, err);
    if (status < 0)
        return status;
    freshet_get_info(s->filter, &one);
    freshet_get_info(s->repeated, &two);
    return one.seed == two.seed
               ? FRESHET_OK
               : fail(err, FRESHET_ERR_DAMAGED,
                      "damaged: its two filters do not belong together");
}

/* A filter; perhaps notes; after notes, perhaps another filter. */
static int adopt(struct snapshot *s, freshet_error *err)
{
    size_t at = 0;
    int status = adopt_filter(&s->filter, s, &at, err);

    if (status == FRESHET_OK && at < s->mapped) {
        long got = key_note_unpack(&s->notes, s->filter, (char *)s->block + at,
                                   s->mapped - at, err);

        status = got < 0 ? (int)got : FRESHET_OK;
        at += got < 0 ? 0 : (size_t)got;
    }
    if (status == FRESHET_OK && at < s->mapped)
        status = adopt_repeated(s, &at, err);
    if (status == FRESHET_OK && at < s->mapped)
        return fail(err, FRESHET_ERR_DAMAGED,
                    "%zu bytes too many for what is inside", s->mapped - at);
    return status;
}

static int load(struct snapshot *s, int fd, freshet_error *err)
{
    struct stat st;
    size_t len;

    if (fstat(fd, &st) < 0)
        return fail_errno(err, "");
    if (!S_ISREG(st.st_mode))
        return fail(err, FRESHET_ERR_FOREIGN, "not a file");
    if (st.st_size <= SAVED_BLOCK_TRAILER)
        return fail(err, FRESHET_ERR_DAMAGED, "too short for a saved filter");
    len = (size_t)st.st_size;
    s->block = mmap(NULL, len, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s->block == MAP_FAILED) {
        s->block = NULL;
        return fail(err, FRESHET_ERR_MEMORY, "no memory to read it into");
    }
    s->mapped = len;
    system_want_huge_pages(s->block, len);
    if (read_all(fd, s->block, len) < 0)
        return fail_errno(err, "");
    return adopt(s, err);
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
    freshet_free(s->repeated);
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
static int write_sparse(int fd, const char *at, size_t len, off_t offset)
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
        if (write_at(fd, at + i, n, offset + (off_t)i) < 0)
            return -1;
    }
    return 0;
}

/* Where it ends, or -1. */
static off_t write_filter(int fd, const freshet *f, off_t offset)
{
    size_t bytes;
    const void *block = freshet_block(f, &bytes);
    freshet_hash sum = saved_block_trailer(f);
    off_t end = offset + (off_t)bytes;

    if (ftruncate(fd, end) < 0 || write_sparse(fd, block, bytes, offset) < 0 ||
        write_at(fd, (const char *)&sum, SAVED_BLOCK_TRAILER, end) < 0)
        return -1;
    return end + SAVED_BLOCK_TRAILER;
}

static off_t write_notes(int fd, const struct snapshot_parts *parts,
                         off_t offset)
{
    char bytes[KEY_NOTE_BYTES];
    size_t n = key_note_pack(parts->notes, parts->filter, bytes);

    return write_at(fd, bytes, n, offset) < 0 ? -1 : offset + (off_t)n;
}

static int write_parts(int fd, const void *what)
{
    const struct snapshot_parts *parts = what;
    off_t end = write_filter(fd, parts->filter, 0);

    if (end >= 0 && parts->notes)
        end = write_notes(fd, parts, end);
    if (end >= 0 && parts->repeated)
        end = write_filter(fd, parts->repeated,
                           (end + ALIGN - 1) / ALIGN * ALIGN);
    return end < 0 ? -1 : 0;
}

int snapshot_save(const struct snapshot_parts *parts, const char *path,
                  freshet_error *err)
{
    struct atomic_file how = {.mode = 0600,
                              .durable = true,
                              .write = write_parts,
                              .what = parts};

    return atomic_file_file(path, &how) < 0 ? fail_errno(err, "not saved: ")
                                            : FRESHET_OK;
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
