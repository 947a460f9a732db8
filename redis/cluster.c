/*
 * cluster.c - the servers that have a filter: one, or those of a cluster
 */
#include "cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "resp.h"

/* ---- The list --------------------------------------------------------- */

static struct node *add(struct cluster *all, const char *host, size_t len,
                        unsigned port)
{
    struct node **list = array_add(all->node, all->n, sizeof(struct node *));
    struct node *node = calloc(1, sizeof *node);

    if (list)
        all->node = list;
    if (!list || !node || len >= sizeof node->host) {
        free(node);
        return NULL;
    }
    /* analyzer: says that node may be NULL here; it is looked at above */
    memcpy(node->host, host, len);
    node->port = port;
    node->link.fd = -1;
    all->node[all->n++] = node;
    return node;
}

bool cluster_init(struct cluster *all, const struct redis_url *url,
                  uint64_t patience)
{
    const struct redis_server *first = &url->server;

    *all = (struct cluster){.url = *url, .patience = patience};
    if (!add(all, first->host, strlen(first->host), first->port))
        return false;
    for (size_t i = 0; i < url->others; i++) {
        const struct redis_server *other = &url->other[i];

        if (!cluster_at(all, other->host, strlen(other->host), other->port,
                        NULL))
            return false;
    }
    return true;
}

void cluster_free(struct cluster *all)
{
    for (size_t i = 0; i < all->n; i++) {
        connection_close(&all->node[i]->link);
        free(all->node[i]->tags);
        free(all->node[i]);
    }
    free(all->node);
    all->node = NULL;
    all->n = 0;
}

struct node *cluster_at(struct cluster *all, const char *host, size_t len,
                        unsigned port, const struct node *sender)
{
    if (len == 0 && sender) {
        host = sender->host;
        len = strlen(host);
    }
    for (size_t i = 0; i < all->n; i++) {
        struct node *node = all->node[i];

        if (node->port == port && strlen(node->host) == len &&
            memcmp(node->host, host, len) == 0)
            return node;
    }
    return port ? add(all, host, len, port) : NULL;
}

/* ---- Connecting ------------------------------------------------------- */

/* Sends a request and waits for its reply, on a connection without other
   requests. */
static bool call(const struct cluster *all, struct connection *l,
                 const struct words *request, struct view *reply,
                 struct fault *why)
{
    struct view bytes = {request->at, request->used};

    if (request->failed) {
        fault_set(why, "no memory for a request");
        return false;
    }
    return connection_send(l, &bytes, 1, all->patience, why) &&
           connection_receive(l, reply, all->patience, why);
}

static bool log_in(struct cluster *all, struct connection *l, struct fault *why)
{
    const struct redis_url *url = &all->url;
    struct words words = {0};
    struct view reply;
    struct resp item;
    bool done;

    if (!*url->password)
        return true;
    words_begin(&words, *url->user ? 3 : 2);
    words_text(&words, "AUTH");
    if (*url->user)
        words_text(&words, url->user);
    words_text(&words, url->password);
    done = call(all, l, &words, &reply, why);
    words_free(&words);
    if (!done)
        return false;
    if (resp_next(&reply, &item) && item.type != RESP_ERROR)
        return true;
    all->refused = true;
    return fault_set(why, "%.*s", (int)item.text.len, item.text.at);
}

static bool open_link(struct cluster *all, const struct node *node,
                      struct connection *l, struct fault *why)
{
    if (!connection_open(l, all->url.kind, node->host, node->port,
                         all->patience, why))
        return false;
    if (log_in(all, l, why))
        return true;
    connection_close(l);
    return false;
}

bool node_connect(struct cluster *all, struct node *node, struct fault *why)
{
    return node->link.fd >= 0 || open_link(all, node, &node->link, why);
}

void node_close(struct node *node)
{
    connection_close(&node->link);
}

bool node_push_tag(struct node *node, void *tag)
{
    if (node->n == node->room) {
        size_t room = 2 * node->room + 16;
        void **ring = malloc(room * sizeof *ring);

        if (!ring)
            return false;
        for (size_t i = 0; i < node->n; i++)
            ring[i] = node->tags[(node->first + i) % node->room];
        free(node->tags);
        node->tags = ring;
        node->first = 0;
        node->room = room;
    }
    node->tags[(node->first + node->n++) % node->room] = tag;
    return true;
}

bool node_pop_tag(struct node *node, void **tag)
{
    if (node->n == 0)
        return false;
    *tag = node->tags[node->first];
    node->first = (node->first + 1) % node->room;
    node->n--;
    return true;
}

void node_ignore(struct node *node, const void *tag)
{
    for (size_t i = 0; i < node->n; i++) {
        void **at = &node->tags[(node->first + i) % node->room];

        if (*at == tag)
            *at = NULL;
    }
}

/* ---- Slots ------------------------------------------------------------ */

/* Parses [address, port, ...].  Returns the node, or NULL if the reply has
   another form. */
static struct node *parse_node(struct cluster *all, struct view *rest,
                               const struct node *sender)
{
    struct view inside = *rest;
    struct resp list, host, port;

    resp_skip(rest);
    if (!resp_next(&inside, &list) || list.type != RESP_ARRAY ||
        list.count < 2 || !resp_next(&inside, &host) ||
        (host.type != RESP_TEXT && host.type != RESP_NULL) ||
        !resp_next(&inside, &port) || port.type != RESP_COUNT ||
        port.count < 1 || port.count > 65535)
        return NULL;
    if (host.type == RESP_NULL || resp_begins_with(&host, "?"))
        host.text.len = 0;
    return cluster_at(all, host.text.at, host.text.len, (unsigned)port.count,
                      sender);
}

/* Parses [first, last, primary, replica, ...].  Replicas are kept, as they
   may become primaries. */
static void parse_range(struct cluster *all, struct view *rest,
                        const struct node *sender)
{
    struct view inside = *rest;
    struct resp list, first, last;

    resp_skip(rest);
    if (!resp_next(&inside, &list) || list.type != RESP_ARRAY ||
        list.count < 3 || !resp_next(&inside, &first) ||
        first.type != RESP_COUNT || !resp_next(&inside, &last) ||
        last.type != RESP_COUNT || first.count < 0 || last.count >= KEYSLOTS)
        return;
    for (int64_t i = 2; i < list.count; i++) {
        /* analyzer: sees a leak; all->node owns the nodes */
        struct node *node = parse_node(all, &inside, sender);

        for (int64_t s = first.count; i == 2 && s <= last.count; s++)
            all->owner[s] = node;
    }
}

/* Parses the reply to CLUSTER SLOTS.  Returns false if a node of a cluster
   does not know the slots now. */
static bool parse_slots(struct cluster *all, struct view reply,
                        struct node *sender)
{
    struct resp list;

    if (!resp_next(&reply, &list) || (all->cluster && list.type != RESP_ARRAY))
        return false;
    all->cluster = list.type == RESP_ARRAY;
    for (size_t s = 0; s < KEYSLOTS; s++)
        all->owner[s] = all->cluster ? NULL : sender;
    for (int64_t i = 0; all->cluster && i < list.count; i++)
        parse_range(all, &reply, sender);
    return true;
}

static bool learn_from(struct cluster *all, struct node *node,
                       struct fault *why)
{
    struct words words = {0};
    struct connection l;
    struct view reply;
    bool done;

    if (!open_link(all, node, &l, why))
        return false;
    words_begin(&words, 2);
    words_text(&words, "CLUSTER");
    words_text(&words, "SLOTS");
    done = call(all, &l, &words, &reply, why);
    words_free(&words);
    if (done && !parse_slots(all, reply, node)) {
        fault_set(why, "the cluster does not report which node has which slot");
        done = false;
    }
    connection_close(&l);
    return done;
}

bool cluster_learn(struct cluster *all, struct fault *why)
{
    size_t known = all->n;

    for (size_t i = 0; i < known; i++) {
        size_t node = (all->first + i) % known;

        if (learn_from(all, all->node[node], why)) {
            all->first = node;
            return true;
        }
    }
    return false;
}

void cluster_try_next(struct cluster *all)
{
    all->first = (all->first + 1) % all->n;
}
