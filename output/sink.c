/*
 * sink.c - writes to a file descriptor
 */
#include "sink.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "atomic_file.h"
#include "system.h"

void sink_init(struct sink *s, int fd, const char *name)
{
    *s = (struct sink){.name = name, .fd = fd};
    system_widen_pipe(fd);
}

/* Retries after a signal: decided records are written before the signal is
   handled. */
int sink_write(struct sink *s, const char *at, size_t len)
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

/* Returns whether the error means that there is nothing to sync, as for pipes
   and terminals. */
static bool cannot_be_synced(int error)
{
    return error == EINVAL || error == ENOTSUP || error == EROFS;
}

/* A directory that is not readable cannot be synced. */
static int sync_name(struct sink *s)
{
    if (!s->created || atomic_file_sync_name(s->name) == 0 || errno == EACCES ||
        cannot_be_synced(errno)) {
        s->created = false;
        return 0;
    }
    return -1;
}

int sink_sync(struct sink *s)
{
    if (fsync(s->fd) < 0)
        return cannot_be_synced(errno) ? 0 : -1;
    return sync_name(s);
}
