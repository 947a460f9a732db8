/*
 * connection.h - a connection to a server: requests out, replies in
 *
 * Nothing here waits longer than it is told to.
 */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"
#include "redis_url.h"
#include "view.h"

struct tls;

struct connection {
    int fd; /* -1: not connected */
    struct tls *tls;
    char *in; /* what came and was not taken yet */
    size_t start, end, size;
};

/* Connect within so many nanoseconds; the way is that of kind, to host and
   port.  False: why not, and not connected. */
bool connection_open(struct connection *l, enum redis_kind kind,
                     const char *host, unsigned port, uint64_t patience,
                     struct fault *why);
void connection_close(struct connection *l);

/* Send the parts of a request, at most CONNECTION_PARTS.  False: why not; to be
   closed. */
enum { CONNECTION_PARTS = 4 };
bool connection_send(struct connection *l, const struct view *part, size_t n,
                     uint64_t patience, struct fault *why);

/* The next whole reply, good until the next call.  As connection_send(). */
bool connection_receive(struct connection *l, struct view *reply,
                        uint64_t patience, struct fault *why);

#endif
