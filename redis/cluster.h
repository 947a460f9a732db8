/*
 * cluster.h - the servers that have a filter: one, or those of a cluster
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"
#include "keyslot.h"
#include "redis_url.h"

/* A server.  What it owes answers to, in the order of asking, is up to whoever
   asks; NULL: to something whose answer does not matter. */
struct node {
    char host[256];
    unsigned port;
    struct connection link;
    void **owed; /* a ring */
    size_t first, n, room;
};

struct cluster {
    struct redis_url url;
    uint64_t patience; /* nanoseconds to wait for one answer */
    bool cluster;
    size_t n;
    struct node **node;
    struct node *owner[KEYSLOTS]; /* NULL: nobody says */
};

/* The server of the URL, not connected yet.  False: no memory. */
bool cluster_init(struct cluster *all, const struct redis_url *url,
                  uint64_t patience);
void cluster_free(struct cluster *all);

/* Who is at "HOST:PORT"?  An empty host is that of the node who said so.
   NULL: that is no address, or there is no memory. */
struct node *cluster_at(struct cluster *all, const char *host, size_t len,
                        unsigned port, const struct node *said);

/*
 * Ask whichever node answers who owns which slot, by a connection of its own.
 * A server that is no cluster owns them all.  False: why not.
 */
bool cluster_learn(struct cluster *all, struct fault *why);

/* Connected and known to it.  False: why not. */
bool node_connect(const struct cluster *all, struct node *node,
                  struct fault *why);

/* Who owes is told by node_owed(), until that is false. */
void node_close(struct node *node);
bool node_owes(struct node *node, void *to);
bool node_owed(struct node *node, void **to);

#endif
