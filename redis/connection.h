/*
 * connection.h - a connection to a server: requests out, replies in
 *
 * No function waits longer than the time that it is given.
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

/* Connects to host and port within this many nanoseconds, in the way of
   kind.  Returns false and sets *why if that fails. */
bool connection_open(struct connection *l, enum redis_kind kind,
                     const char *host, unsigned port, uint64_t patience,
                     struct fault *why);
void connection_close(struct connection *l);

/* Sends the parts of a request, at most CONNECTION_PARTS.  Returns false and
   sets *why if that fails: the connection is then to be closed. */
enum { CONNECTION_PARTS = 4 };
bool connection_send(struct connection *l, const struct view *part, size_t n,
                     uint64_t patience, struct fault *why);

/* Waits for the next whole reply, which is valid until the next call.
   Returns as connection_send() does. */
bool connection_receive(struct connection *l, struct view *reply,
                        uint64_t patience, struct fault *why);

#endif
