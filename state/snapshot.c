/*
 * snapshot.c - loads and saves filters in a file
 */
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
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
    ALIGN = 64, /* alignment of a block */
    PAGE = 4096,
    NAME = 4096
};

/* ---- Loading ---------------------------------------------------------- */

static int read_all(int fd, char *at, size_t len)
{
    while (len) {
        ssize_t n = read(fd, at, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : EIO; /* the file became shorter */
            return -1;
        }
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

/* Attaches the filter at an offset, which moves past it. */
static bool adopt_filter(freshet **f, struct snapshot *s, size_t *at,
                         struct fault *why)
{
    size_t used;

    if (!saved_block_adopt(f, (char *)s->block + *at, s->mapped - *at, &used,
                           why))
        return false;
    *at += used;
    return true;
}

/* Attaches the second filter, which must have the same hash and key. */
static bool adopt_repeated(struct snapshot *s, size_t *at, struct fault *why)
{
    freshet_hasher one = {.size = sizeof one}, two = {.size = sizeof two};
    size_t place = (*at + ALIGN - 1) / ALIGN * ALIGN;

    if (place > s->mapped)
        place = s->mapped;
    for (; *at < place; ++*at)
        if (((const char *)s->block)[*at])
            return fault_set(why, "damaged: there is unknown data between its "
                                  "parts");
    if (!adopt_filter(&s->repeated, s, at, why))
        return false;
    freshet_hasher_of(s->filter, &one);
    freshet_hasher_of(s->repeated, &two);
    return (one.key[0] == two.key[0] && one.key[1] == two.key[1]) ||
           fault_set(why, "damaged: its two filters do not belong together");
}

/* Attaches a filter, then notes and a second filter if they exist. */
static bool adopt(struct snapshot *s, struct fault *why)
{
    size_t at = 0, notes;

    if (!adopt_filter(&s->filter, s, &at, why))
        return false;
    if (at < s->mapped) {
        notes = key_note_unpack(&s->notes, s->filter, (char *)s->block + at,
                                s->mapped - at, why);
        if (!notes)
            return false;
        at += notes;
    }
    if (at < s->mapped && !adopt_repeated(s, &at, why))
        return false;
    return at == s->mapped ||
           fault_set(why, "damaged: %zu bytes follow its last part",
                     s->mapped - at);
}

static bool load(struct snapshot *s, int fd, struct fault *why)
{
    struct stat st;
    size_t len;

    if (fstat(fd, &st) < 0)
        return fault_set(why, "%s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return fault_set(why, "not a regular file");
    if (st.st_size <= SAVED_BLOCK_TRAILER)
        return fault_set(why, "too short for a saved filter");
    s->links = (unsigned)st.st_nlink;
    len = (size_t)st.st_size;
    s->block = mmap(NULL, len, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (s->block == MAP_FAILED) {
        s->block = NULL;
        return fault_set(why, "no memory to read it");
    }
    s->mapped = len;
    system_want_huge_pages(s->block, len);
    if (read_all(fd, s->block, len) < 0)
        return fault_set(why, "%s", strerror(errno));
    return adopt(s, why);
}

enum snapshot_result snapshot_load(struct snapshot *s, const char *path,
                                   struct fault *why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    bool loaded;

    *s = (struct snapshot){0};
    if (fd < 0) {
        int error = errno;

        fault_set(why, "%s", strerror(error));
        return error == ENOENT ? SNAPSHOT_NONE : SNAPSHOT_REFUSED;
    }
    loaded = load(s, fd, why);
    close(fd);
    if (!loaded)
        snapshot_free(s);
    return loaded ? SNAPSHOT_LOADED : SNAPSHOT_REFUSED;
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

/* Pages of zeros, of which a new filter has many, become holes. */
static int write_sparse(int fd, const char *at, size_t len, off_t offset)
{
    for (size_t i = 0, n; i < len; i += n) {
        n = len - i < PAGE ? len - i : PAGE;
        if (all_zero(at + i, n))
            continue;
        while (i + n < len) { /* all such pages in one call */
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

/* Returns the end of the filter in the file, or -1. */
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

bool snapshot_save(const struct snapshot_parts *parts, const char *path,
                   struct fault *why)
{
    struct atomic_file how = {.mode = 0600,
                              .durable = true,
                              .write = write_parts,
                              .what = parts};

    return atomic_file_write(path, &how) == 0 ||
           fault_set(why, "not saved: %s", strerror(errno));
}

/* ---- Locking ---------------------------------------------------------- */

/* The file itself is replaced when it is saved, so the lock is another file. */
static int lock_name(char name[NAME], const char *path)
{
    int n = snprintf(name, NAME, "%s.lock", path);

    return n >= 0 && n < NAME ? 0 : -1;
}

/* Returns whether the lock file still has its name: its last owner may have
   removed it between open and flock. */
static bool still_there(int fd, const char *name)
{
    struct stat ours, there;

    return fstat(fd, &ours) == 0 && stat(name, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* Sets *why to the error of flock().  Returns -1. */
static int set_lock_fault(struct fault *why)
{
    if (errno == EWOULDBLOCK)
        fault_set(why, "another freshet is using it; wait for its end, or give "
                       "this one a file of its own");
    else
        fault_set(why,
                  "the file system cannot lock it: %s; keep the state on a "
                  "local disk",
                  strerror(errno));
    return -1;
}

int snapshot_lock(const char *path, struct fault *why)
{
    char name[NAME];

    if (lock_name(name, path) < 0) {
        fault_set(why, "the name is too long");
        return -1;
    }
    for (;;) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

        if (fd < 0) {
            fault_set(why, "cannot be locked: %s", strerror(errno));
            return -1;
        }
        if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
            int status = set_lock_fault(why);

            close(fd);
            return status;
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
