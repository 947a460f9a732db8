/*
 * connection.c - a connection to a server: requests out, replies in
 */
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"
#include "resp.h"
#include "tls.h"

enum { FIRST = 1 << 16 };

/* ---- Waiting ---------------------------------------------------------- */

/* Waits until the socket is ready or the time is over. */
static bool wait_for(const struct connection *l, short events, uint64_t until,
                     struct fault *why)
{
    struct pollfd ready = {.fd = l->fd, .events = events};

    for (;;) {
        uint64_t now = clock_now();
        int n = now < until
                    ? poll(&ready, 1, (int)((until - now) / 1000000) + 1)
                    : 0;

        if (n > 0)
            return true;
        if (n == 0) {
            fault_set(why, "no answer in time");
            return false;
        }
        if (errno != EINTR) {
            fault_set(why, "%s", strerror(errno));
            return false;
        }
    }
}

/* Returns whether a read or write that returned -1 may be tried again. */
static bool may_again(const struct connection *l, short events, uint64_t until,
                      struct fault *why)
{
    if (errno == EINTR)
        return true;
    if (errno == EAGAIN)
        return wait_for(l, l->tls ? tls_wants(l->tls) : events, until, why);
    if (errno != EPROTO)
        fault_set(why, "%s", strerror(errno));
    return false;
}

/* ---- Opening ---------------------------------------------------------- */

static bool connect_to(struct connection *l, const struct sockaddr *address,
                       socklen_t len, uint64_t until, struct fault *why)
{
    int on = 1, error = 0;
    socklen_t size = sizeof error;

    l->fd = socket(address->sa_family,
                   SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (l->fd < 0) {
        fault_set(why, "%s", strerror(errno));
        return false;
    }
    if (address->sa_family != AF_UNIX)
        (void)setsockopt(l->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(l->fd, address, len) == 0)
        return true;
    if (errno == EINPROGRESS) {
        if (!wait_for(l, POLLOUT, until, why))
            return false;
        (void)getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        errno = error;
    }
    if (errno == 0)
        return true;
    fault_set(why, "%s", strerror(errno));
    return false;
}

static bool connect_unix(struct connection *l, const char *path, uint64_t until,
                         struct fault *why)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path) {
        fault_set(why, "the path of a socket has at most %zu bytes",
                  sizeof address.sun_path - 1);
        return false;
    }
    strcpy(address.sun_path, path);
    return connect_to(l, (const struct sockaddr *)&address, sizeof address,
                      until, why);
}

/* Tries each address of the host until one accepts. */
static bool connect_host(struct connection *l, const char *host, unsigned port,
                         uint64_t until, struct fault *why)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *all;
    char service[16];
    bool done = false;
    int error;

    snprintf(service, sizeof service, "%u", port);
    error = getaddrinfo(host, service, &hints, &all);
    if (error) {
        fault_set(why, "%s", gai_strerror(error));
        return false;
    }
    for (struct addrinfo *a = all; a && !done; a = a->ai_next) {
        connection_close(l);
        done = connect_to(l, a->ai_addr, a->ai_addrlen, until, why);
    }
    freeaddrinfo(all);
    return done;
}

static bool greet(struct connection *l, const char *host, uint64_t until,
                  struct fault *why)
{
    l->tls = tls_create(l->fd, host, why);
    if (!l->tls)
        return false;
    for (;;) {
        ssize_t n = tls_greet(l->tls, why);

        if (n > 0)
            return true;
        if (n == 0) {
            fault_set(why, "TLS: connection closed");
            return false;
        }
        if (!may_again(l, POLLIN, until, why))
            return false;
    }
}

bool connection_open(struct connection *l, enum redis_kind kind,
                     const char *host, unsigned port, uint64_t patience,
                     struct fault *why)
{
    uint64_t until = clock_now() + patience;

    *l = (struct connection){.fd = -1};
    if ((kind == REDIS_UNIX ? connect_unix(l, host, until, why)
                            : connect_host(l, host, port, until, why)) &&
        (kind != REDIS_TLS || greet(l, host, until, why)))
        return true;
    connection_close(l);
    return false;
}

void connection_close(struct connection *l)
{
    tls_free(l->tls);
    /* A connection that was closed has none.
       NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    free(l->in);
    if (l->fd >= 0)
        close(l->fd);
    *l = (struct connection){.fd = -1};
}

/* ---- Out and in ------------------------------------------------------- */

/* Writes some of the parts.  Returns as tls_write() does. */
static ssize_t send_some(struct connection *l, struct iovec *part, size_t n,
                         struct fault *why)
{
    struct msghdr message = {.msg_iov = part, .msg_iovlen = n};

    return l->tls ? tls_write(l->tls, part->iov_base, part->iov_len, why)
                  : sendmsg(l->fd, &message, MSG_NOSIGNAL);
}

bool connection_send(struct connection *l, const struct view *part, size_t n,
                     uint64_t patience, struct fault *why)
{
    uint64_t until = clock_now() + patience;
    struct iovec left[CONNECTION_PARTS];
    size_t at = 0;

    for (size_t i = 0; i < n; i++)
        left[i] = (struct iovec){(void *)(uintptr_t)part[i].at, part[i].len};
    while (at < n) {
        ssize_t sent = send_some(l, left + at, n - at, why);

        if (sent <= 0 && (sent == 0 || !may_again(l, POLLOUT, until, why)))
            return false;
        for (; at < n && sent >= (ssize_t)left[at].iov_len; at++)
            sent -= (ssize_t)left[at].iov_len;
        /* All n parts were set above.
           NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        if (sent > 0) {
            left[at].iov_base = (char *)left[at].iov_base + sent;
            left[at].iov_len -= (size_t)sent;
        }
        /* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    }
    return true;
}

/* Makes memory for more bytes behind those that were not read yet. */
static bool make_room(struct connection *l)
{
    size_t unread = l->end - l->start;
    size_t size = l->size ? l->size : FIRST;
    char *other;

    /* What was read is in l->in.
       NOLINTBEGIN(clang-analyzer-core.NonNullParamChecker) */
    if (l->start)
        memmove(l->in, l->in + l->start, unread);
    /* NOLINTEND(clang-analyzer-core.NonNullParamChecker) */
    l->start = 0;
    l->end = unread;
    if (unread > size / 2)
        size *= 2;
    if (size == l->size)
        return true;
    other = realloc(l->in, size);
    if (!other)
        return false;
    l->in = other;
    l->size = size;
    return true;
}

static bool receive_some(struct connection *l, uint64_t until,
                         struct fault *why)
{
    if (!make_room(l)) {
        fault_set(why, "no memory for a reply");
        return false;
    }
    for (;;) {
        char *to = l->in + l->end;
        ssize_t n = l->tls ? tls_read(l->tls, to, l->size - l->end, why)
                           : recv(l->fd, to, l->size - l->end, 0);

        if (n > 0) {
            l->end += (size_t)n;
            return true;
        }
        if (n == 0) {
            fault_set(why, "the server closed the connection");
            return false;
        }
        if (!may_again(l, POLLIN, until, why))
            return false;
    }
}

bool connection_receive(struct connection *l, struct view *reply,
                        uint64_t patience, struct fault *why)
{
    uint64_t until = clock_now() + patience;

    for (;;) {
        struct view there = {l->in ? l->in + l->start : NULL,
                             l->end - l->start};
        long n = there.at ? resp_length(there) : 0;

        if (n > 0) {
            *reply = (struct view){there.at, (size_t)n};
            l->start += (size_t)n;
            return true;
        }
        if (n < 0) {
            fault_set(why, "the answer is not that of a Redis server");
            return false;
        }
        if (!receive_some(l, until, why))
            return false;
    }
}
