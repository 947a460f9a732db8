/*
 * redis_retry.c - sending requests again, waiting, finding the shards
 */
#include "redis_internal.h"

#include <time.h>

#include "clock.h"
#include "signals.h"

#define MS UINT64_C(1000000)

/* Redirections in a row before the next one has to wait. */
enum { MOVES = 8 };

/* ---- Shards ----------------------------------------------------------- */

/* A server that is no cluster has replicas if the URL names several. */
void redis_find_shards(struct redis *r)
{
    struct cluster *nodes = &r->nodes;
    struct fault why;

    if (!nodes->cluster && nodes->n < 2)
        return;
    if (!nodes->cluster)
        cluster_try_next(nodes);
    if (!cluster_learn(nodes, &why))
        return; /* those we know must do */
    for (size_t i = 0; i < r->shards + r->probes; i++) {
        struct node *owner = nodes->owner[r->shard[i].slot];

        if (owner)
            r->shard[i].node = owner;
    }
}

/* ---- Waiting ---------------------------------------------------------- */

bool redis_wait(struct redis *r)
{
    uint64_t now = clock_now();
    unsigned ms = r->outage.tries < 4 ? 10u << r->outage.tries : 200;
    struct timespec pause = {0, (long)(ms * MS)};

    if (!r->outage.since)
        r->outage.since = now;
    if (r->outage.away_until || signals_end() || r->fatal ||
        now - r->outage.since >= r->retry)
        return false;
    r->outage.tries++;
    (void)nanosleep(&pause, NULL);
    return true;
}

/* Waits, longer each time, and then asks which nodes there are. */
static bool wait_and_find(struct redis *r)
{
    if (!redis_wait(r))
        return false;
    redis_find_shards(r);
    return true;
}

/* ---- Requests --------------------------------------------------------- */

void request_send(struct redis *r, struct request *q)
{
    if (q->shard->late || r->outage.away_until)
        request_set_late(q);
    else
        (void)request_send_now(r, q); /* or it is late */
}

/* Acts on the reply of a node, to this request or another one.  Returns false
   if the request is to be given up. */
static bool handle_outcome(struct redis *r, const struct request *q,
                           enum reply_kind kind, bool own, unsigned *moves)
{
    switch (kind) {
    case REPLY_ANSWER:
        r->outage.since = 0;
        r->outage.tries = 0;
        return true;
    case REPLY_MOVED:
    case REPLY_FORGOTTEN:
        return ++*moves % MOVES != 0 || wait_and_find(r);
    case REPLY_NO_FILTER:
        return !own || (redis_make_again(r, q->shard) &&
                        (++*moves % MOVES != 0 || wait_and_find(r)));
    case REPLY_REPLACED:
        return !own || redis_use_new_seed(r, q->shard);
    case REPLY_TRY_LATER:
    case REPLY_LOST:
        return wait_and_find(r);
    case REPLY_REFUSED:
        break;
    }
    return false;
}

bool request_complete(struct redis *r, struct request *q)
{
    unsigned moves = 0;

    while (!q->answered &&
           (!q->question || q->question->version == r->hash.version)) {
        const struct request *replied = q;
        enum reply_kind kind = REPLY_LOST;

        if (q->node || request_send_now(r, q))
            kind = request_receive(r, q->node, &replied);
        if (!handle_outcome(r, q, kind, replied == q, &moves))
            return false;
    }
    return true;
}

bool redis_call(struct redis *r, struct shard *shard, const struct words *words)
{
    struct request q = {.shard = shard, .words = words};

    if (words->failed) {
        fault_set(&r->why, "no memory for a request");
        return false;
    }
    if (request_complete(r, &q))
        return true;
    request_give_up(&q);
    return false;
}

/* No node keeps a tag of a request that is freed. */
void request_give_up(struct request *q)
{
    if (q->node)
        node_ignore(q->node, q);
    q->node = NULL;
    request_clear_late(q);
}

void requests_drop(struct redis *r)
{
    for (size_t i = 0; i < r->nodes.n; i++)
        request_drop_node(r->nodes.node[i]);
}
