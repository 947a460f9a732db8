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
    void **tags; /* a ring */
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

/* Makes nodes of the servers of the URL, without connecting.  Returns false
   if there is no memory. */
bool cluster_init(struct cluster *all, const struct redis_url *url,
                  uint64_t patience);
void cluster_free(struct cluster *all);

/* Returns the node at "HOST:PORT", or NULL if that is no address or there is
   no memory.  An empty host means the host of the node that named it. */
struct node *cluster_at(struct cluster *all, const char *host, size_t len,
                        unsigned port, const struct node *sender);

/*
 * Asks nodes which node owns which slot, by a connection of its own, until one
 * answers.  A server without a cluster owns all slots.  Returns false and sets
 * *why if no node answers.
 */
bool cluster_learn(struct cluster *all, struct fault *why);

/* Makes the next cluster_learn() begin with another node. */
void cluster_try_next(struct cluster *all);

/* Connects and logs in.  Returns false and sets *why if that fails. */
bool node_connect(struct cluster *all, struct node *node, struct fault *why);

/* Closes the connection.  node_pop_tag() still returns the requests that were
   not answered. */
void node_close(struct node *node);

/* Appends a tag.  Returns false if there is no memory. */
bool node_push_tag(struct node *node, void *tag);

/* Removes the oldest tag.  Returns false if there is none. */
bool node_pop_tag(struct node *node, void **tag);

/* Makes the reply to a request be ignored. */
void node_ignore(struct node *node, const void *tag);

#endif
