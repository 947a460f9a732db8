/*
 * listening_socket.c - a socket that accepts connections at an address
 */
#include "listening_socket.h"

#include <errno.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "number.h"

enum { WAITING = 16, HOST_TEXT = 256, PORT_TEXT = 8 };

struct address {
    char host[HOST_TEXT], port[PORT_TEXT];
};

/* ---- The text --------------------------------------------------------- */

static bool read_port(struct address *a, const char *text)
{
    uint64_t port = 0;
    const char *end = text;

    if (!number_is_digit(*text) || !number_digits(&port, &end) || *end ||
        port > 65535)
        return false;
    snprintf(a->port, sizeof a->port, "%u", (unsigned)port);
    return true;
}

/* Splits the text at its last colon; brackets around an IPv6 address are
   removed. */
static bool read_address(struct address *a, const char *text, struct fault *why)
{
    const char *colon = strrchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : 0;
    bool bracketed = len > 2 && text[0] == '[' && text[len - 1] == ']';

    if (!read_port(a, colon ? colon + 1 : text))
        return fault_set(why, "'%s' does not end with a port from 0 to 65535",
                         text);
    if (!colon) {
        snprintf(a->host, sizeof a->host, "127.0.0.1");
        return true;
    }
    if (!len)
        return fault_set(why,
                         "'%s' has no host; write %s for this machine alone, "
                         "or 0.0.0.0:%s for every network",
                         text, a->port, a->port);
    if (len >= sizeof a->host)
        return fault_set(why, "'%s' has a host that is too long", text);
    if (!bracketed && memchr(text, ':', len))
        return fault_set(why,
                         "'%s' is ambiguous; write an IPv6 address in "
                         "brackets: [::1]:%s",
                         text, a->port);
    snprintf(a->host, sizeof a->host, "%.*s", (int)len - 2 * bracketed,
             text + bracketed);
    return true;
}

/* ---- The socket ------------------------------------------------------- */

/* Returns a socket, or -1 and sets errno. */
static int listen_at(const struct addrinfo *at)
{
    int fd =
        socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
               at->ai_protocol);
    int on = 1, error;

    if (fd < 0)
        return -1;
    /* Connections of a former run that has ended do not occupy the port. */
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 && listen(fd, WAITING) == 0)
        return fd;
    error = errno;
    close(fd);
    errno = error;
    return -1;
}

int listening_socket_open(const char *text, struct fault *why)
{
    const struct addrinfo wanted = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    struct address a;
    int fd = -1, status;

    if (!read_address(&a, text, why))
        return -1;
    status = getaddrinfo(a.host, a.port, &wanted, &found);
    if (status) {
        fault_set(why, "'%s': %s", text, gai_strerror(status));
        return -1;
    }
    for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
        fd = listen_at(at);
    if (fd < 0)
        fault_set(why, "'%s': %s", text, strerror(errno));
    freeaddrinfo(found);
    return fd;
}

const char *listening_socket_address(char out[LISTENING_SOCKET_TEXT], int fd)
{
    struct sockaddr_storage address;
    socklen_t len = sizeof address;
    char host[LISTENING_SOCKET_TEXT - 10] = "?", port[PORT_TEXT] = "?";
    bool bracketed;

    if (getsockname(fd, (struct sockaddr *)&address, &len) == 0)
        (void)getnameinfo((struct sockaddr *)&address, len, host, sizeof host,
                          port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
    bracketed = strchr(host, ':');
    snprintf(out, LISTENING_SOCKET_TEXT, "%s%s%s:%s", bracketed ? "[" : "",
             host, bracketed ? "]" : "", port);
    return out;
}
