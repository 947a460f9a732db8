/*
 * sink.c - bytes out, to a file descriptor
 */
#include "sink.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "system.h"

void sink_init(struct sink *s, int fd, const char *name)
{
    *s = (struct sink){.name = name, .fd = fd};
    system_widen_pipe(fd);
}

/* A signal only interrupts: what was decided is written, then it counts. */
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

int sink_sync(const struct sink *s)
{
    if (fsync(s->fd) == 0)
        return 0;
    /* Pipes, terminals and the like keep nothing to be synced. */
    return errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : -1;
}
