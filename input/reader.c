/*
 * reader.c - reads a file descriptor into a buffer that can grow
 */
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system.h"

int reader_init(struct reader *r, size_t window, size_t most)
{
    if (most > SIZE_MAX / 4) /* sums of sizes cannot overflow */
        most = SIZE_MAX / 4;
    *r = (struct reader){.fd = -1,
                         .window = window,
                         .size = window,
                         .most = most};
    r->buffer = malloc(r->size + 1);
    return r->buffer ? 0 : -1;
}

void reader_free(struct reader *r)
{
    reader_close(r);
    free(r->buffer);
}

/* Returns whether this is a regular file that is not compressed. */
static bool is_plain_file(const struct reader *r)
{
    unsigned char first[DECOMPRESS_MAGIC];
    ssize_t n;

    if (r->waits || r->began < 0)
        return false;
    n = pread(r->fd, first, sizeof first, r->began);
    return n > 0 && (r->as_is || !decompress_begins(first, (size_t)n));
}

/* What is common to all files: a place to begin, and nothing read yet. */
static void begin(struct reader *r, const char *name, int fd)
{
    struct stat st;

    r->name = name;
    r->fd = fd;
    r->began = lseek(fd, 0, SEEK_CUR);
    r->waits = fstat(fd, &st) == 0 && !S_ISREG(st.st_mode);
    r->is_plain = is_plain_file(r);
    r->eof = false;
    r->start = r->end = r->scanned = 0;
    r->offset = 0;
}

/* Returns false if there is no memory. */
static bool begin_unpacking(struct reader *r)
{
    if (r->blocks && unpacker_is_worth(r->fd))
        r->unpacker = unpacker_create(r->fd, UNPACKER_AHEAD, r->blocks);
    if (!r->unpacker)
        r->packed = decompress_create(r->fd, true);
    return r->unpacker || r->packed;
}

int reader_open(struct reader *r, const char *name)
{
    bool is_stdin = strcmp(name, "-") == 0;
    int fd =
        is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);

    if (fd < 0)
        return -1;
    begin(r, is_stdin ? "standard input" : name, fd);
    if (!r->as_is && !r->is_plain && !begin_unpacking(r)) {
        reader_close(r);
        errno = ENOMEM;
        return -1;
    }
    if (r->waits)
        system_widen_pipe(r->fd);
    else
        (void)posix_fadvise(r->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

void reader_adopt(struct reader *r, const char *name, int fd,
                  struct unpacker *unpacker)
{
    begin(r, name, fd);
    r->is_plain = false;
    r->unpacker = unpacker;
    unpacker_set_ahead(unpacker, UNPACKER_AHEAD);
}

void reader_close(struct reader *r)
{
    decompress_free(r->packed);
    unpacker_free(r->unpacker);
    r->packed = NULL;
    r->unpacker = NULL;
    if (r->fd > STDIN_FILENO)
        close(r->fd);
    r->fd = -1;
}

uint64_t reader_taken(const struct reader *r)
{
    off_t now = r->began < 0 ? -1 : lseek(r->fd, 0, SEEK_CUR);

    if (r->unpacker)
        return unpacker_taken(r->unpacker);
    return now < r->began ? 0 : (uint64_t)(now - r->began);
}

/* Returns the size of the buffer for this many unread bytes: the buffer grows
   for a long record, and shrinks after it. */
static size_t size_for(const struct reader *r, size_t unread)
{
    if (unread <= r->window / 2)
        return r->window;
    if (unread <= r->size / 2)
        return r->size;
    return 2 * r->size < r->most + r->window ? 2 * r->size
                                             : r->most + r->window;
}

/* Makes room after the unread bytes, by moving them to the front or by
   growing. */
static int make_room(struct reader *r)
{
    size_t unread = r->end - r->start, size = size_for(r, unread);

    memmove(r->buffer, r->buffer + r->start, unread);
    r->offset += r->start;
    r->start = 0;
    r->end = unread;
    if (size != r->size) {
        char *other = realloc(r->buffer, size + 1);

        if (!other)
            return -1;
        r->buffer = other;
        r->size = size;
    }
    return 0;
}

bool reader_hand_over(struct reader *r, struct chunk *c, size_t end)
{
    size_t unread = r->end - end, size = c->size;
    char *other = c->buffer;

    if (unread > size) {
        size = r->size;
        other = realloc(other, size + 1);
        if (!other)
            return false;
    }
    c->buffer = r->buffer;
    c->size = r->size;
    c->start = r->start;
    c->end = end;
    c->offset = r->offset;
    c->last = r->eof;
    c->is_loaded = true;
    memcpy(other, r->buffer + end, unread);
    r->buffer = other;
    r->size = size;
    r->offset += end;
    r->start = 0;
    r->end = unread;
    return true;
}

bool reader_is_ready(const struct reader *r)
{
    struct pollfd ready = {.fd = r->fd, .events = POLLIN};

    return r->eof || !r->waits ||
           (r->packed && decompress_is_ready(r->packed)) ||
           poll(&ready, 1, 0) > 0;
}

static ssize_t read_some(struct reader *r)
{
    char *to = r->buffer + r->end;
    const char *format;
    ssize_t got;

    if (r->unpacker)
        return unpacker_read(r->unpacker, to, r->size - r->end, &r->fault);
    if (!r->packed)
        return read(r->fd, to, r->size - r->end);
    got = decompress_read(r->packed, to, r->size - r->end, &r->fault);
    format = decompress_format(r->packed);
    if (got > 0 && format && strcmp(format, "plain") == 0 &&
        !decompress_is_ready(r->packed)) {
        decompress_free(r->packed); /* not needed any more */
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
    if (got < 0 && errno == EAGAIN) /* another process has made it non-
                                       blocking */
        return poll(&ready, 1, -1) >= 0 || errno == EINTR ? 1 : -1;
    if (got < 0)
        return errno == EINTR ? 1 : -1;
    r->end += (size_t)got;
    r->eof = got == 0;
    return got > 0;
}
