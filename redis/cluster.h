/*
 * cluster.h - the servers that have a filter: one, its replicas, or those of a
 * cluster
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"
#include "keyslot.h"
#include "redis_url.h"

/* A server, and tags of the caller for the requests that it has not answered
   yet, oldest first; NULL: the reply is to be ignored. */
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
    bool refused; /* a server did not accept the user: it will not later */
    size_t n;
    struct node **node;
    size_t first;                 /* of them, to be asked for the owners */
    struct node *owner[KEYSLOTS]; /* NULL: the cluster does not say */
};

/* The servers of the URL, not connected yet.  False: no memory. */
bool cluster_init(struct cluster *all, const struct redis_url *url,
                  uint64_t patience);
void cluster_free(struct cluster *all);

/* Returns the node at "HOST:PORT".  An empty host is that of the node that
   said so.  NULL: that is no address, or there is no memory. */
struct node *cluster_at(struct cluster *all, const char *host, size_t len,
                        unsigned port, const struct node *said);

/*
 * Ask the first node that answers which node owns which slot, by a connection
 * of its own.  A server that is no cluster owns them all.  Returns false and
 * why if none answers.
 */
bool cluster_learn(struct cluster *all, struct fault *why);

/* Begin with another node next time: the first did not do. */
void cluster_try_next(struct cluster *all);

/* Connect and log in.  Returns false and why if that fails. */
bool node_connect(struct cluster *all, struct node *node, struct fault *why);

/* What was not answered is still told by node_owed(). */
void node_close(struct node *node);

/* Append a tag.  False: no memory. */
bool node_owes(struct node *node, void *tag);

/* Remove the oldest tag.  False: there is none. */
bool node_owed(struct node *node, void **tag);

/* The reply to a request is to be ignored. */
void node_ignore(struct node *node, const void *tag);

#endif
