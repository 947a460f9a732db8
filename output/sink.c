/*
 * sink.c - records out, in large writes
 */
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "system.h"

enum { BUFFER = 1 << 18, DIRECT = 1 << 16 };

/* A run without bytes begins at the buffer, where no caller's bytes are:
   sink_put() then needs no test for NULL. */
static void end_run(struct sink *s)
{
    s->run = (struct view){s->buffer, 0};
}

int sink_init(struct sink *s, int fd, const char *name)
{
    *s = (struct sink){.name = name, .fd = fd};
    s->buffer = malloc(BUFFER);
    if (!s->buffer)
        return -1;
    end_run(s);
    system_widen_pipe(fd);
    return 0;
}

void sink_free(struct sink *s)
{
    free(s->buffer);
    s->buffer = NULL;
}

/* A signal only interrupts: what was decided is written, then it counts. */
static int write_all(struct sink *s, const char *at, size_t len)
{
    while (len) {
        ssize_t n = write(s->fd, at, len);
        struct pollfd ready = {.fd = s->fd, .events = POLLOUT};

        if (n >= 0) {
            at += n;
            len -= (size_t)n;
            s->written += (uint64_t)n;
        } else if (errno == EAGAIN) {
            (void)poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return -1;
        }
    }
    return 0;
}

static int empty(struct sink *s)
{
    size_t used = s->used;

    s->used = 0;
    return write_all(s, s->buffer, used);
}

int sink_settle(struct sink *s)
{
    struct view run = s->run;

    end_run(s);
    if (run.len == 0)
        return 0;
    if (run.len > BUFFER - s->used && empty(s) < 0)
        return -1;
    if (run.len >= DIRECT)
        return empty(s) < 0 ? -1 : write_all(s, run.at, run.len);
    memcpy(s->buffer + s->used, run.at, run.len);
    s->used += run.len;
    return 0;
}

int sink_flush(struct sink *s)
{
    return sink_settle(s) < 0 ? -1 : empty(s);
}

int sink_sync(const struct sink *s)
{
    if (fsync(s->fd) == 0)
        return 0;
    /* Pipes, terminals and the like keep nothing to be synced. */
    return errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : -1;
}
