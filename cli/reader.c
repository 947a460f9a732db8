/*
 * reader.c - bytes from a file descriptor, in a window that slides
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A quarter of a megabyte: system calls are rare, and the window stays in
 * the second cache between being read, hashed and copied out.
 */
enum { WINDOW = 1 << 18, PIPE = 1 << 20 };

int reader_init(struct reader *r, size_t most)
{
    if (most > SIZE_MAX / 4) /* sums of sizes cannot overflow */
        most = SIZE_MAX / 4;
    *r = (struct reader){.fd = -1, .size = WINDOW, .most = most};
    r->buffer = malloc(r->size + 1);
    return r->buffer ? 0 : -1;
}

void reader_free(struct reader *r)
{
    reader_close(r);
    free(r->buffer);
}

int reader_open(struct reader *r, const char *name)
{
    struct stat st;

    r->name = strcmp(name, "-") == 0 ? "standard input" : name;
    r->fd = STDIN_FILENO;
    if (r->name == name)
        r->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (r->fd < 0)
        return -1;
    if (!r->as_is) {
        r->packed = decompress_create(r->fd, true);
        if (!r->packed) {
            reader_close(r);
            errno = ENOMEM;
            return -1;
        }
    }
    r->eof = r->over = false;
    r->start = r->end = r->scanned = 0;
    r->offset = 0;
    r->began = lseek(r->fd, 0, SEEK_CUR);
    r->waits = fstat(r->fd, &st) == 0 && !S_ISREG(st.st_mode);
    if (r->waits) /* no harm where it is no pipe, or may not grow */
        (void)fcntl(r->fd, F_SETPIPE_SZ, PIPE);
    else
        (void)posix_fadvise(r->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

void reader_close(struct reader *r)
{
    decompress_free(r->packed);
    r->packed = NULL;
    if (r->fd > STDIN_FILENO)
        close(r->fd);
    r->fd = -1;
}

uint64_t reader_offset(const struct reader *r)
{
    return r->offset + r->start;
}

uint64_t reader_taken(const struct reader *r)
{
    off_t now = r->began < 0 ? -1 : lseek(r->fd, 0, SEEK_CUR);

    return now < r->began ? 0 : (uint64_t)(now - r->began);
}

/* Room behind what is unread: by moving it to the front, or by growing. */
static int make_room(struct reader *r)
{
    size_t unread = r->end - r->start, size = r->size * 2;

    if (unread > r->most) {
        r->over = true;
        return -1;
    }
    if (size > r->most + WINDOW)
        size = r->most + WINDOW;
    if (unread > r->size / 2 && size > r->size) {
        char *bigger = realloc(r->buffer, size + 1);

        if (!bigger)
            return -1;
        r->buffer = bigger;
        r->size = size;
    }
    memmove(r->buffer, r->buffer + r->start, unread);
    r->offset += r->start;
    r->start = 0;
    r->end = unread;
    return 0;
}

bool reader_is_ready(const struct reader *r)
{
    return !r->waits || (r->packed && decompress_is_ready(r->packed));
}

static ssize_t read_some(struct reader *r)
{
    char *to = r->buffer + r->end;
    const char *format;
    ssize_t got;

    if (!r->packed)
        return read(r->fd, to, r->size - r->end);
    got = decompress_read(r->packed, to, r->size - r->end, &r->fault);
    format = decompress_format(r->packed);
    if (got > 0 && format && strcmp(format, "plain") == 0 &&
        !decompress_is_ready(r->packed)) {
        decompress_free(r->packed); /* from here on without it */
        r->packed = NULL;
    }
    return got;
}

int reader_fill(struct reader *r)
{
    struct pollfd ready = {.fd = r->fd, .events = POLLIN};
    ssize_t got;

    if (r->eof)
        return 0;
    if (make_room(r) < 0)
        return -1;
    got = read_some(r);
    if (got < 0 && errno == EAGAIN) /* somebody else made it non-blocking */
        return poll(&ready, 1, -1) >= 0 || errno == EINTR ? 1 : -1;
    if (got < 0)
        return errno == EINTR ? 1 : -1;
    r->end += (size_t)got;
    r->eof = got == 0;
    return got > 0;
}
