/*
 * redis_request.c - requests on their way to a filter's shards
 *
 * A request is sent to the node that has its shard.  When that says it has
 * not, cannot now, or is gone, the request is late: it is sent again, to
 * whoever has the shard then, when its answer is wanted; and what would come
 * behind it in the same shard is late, too, so that it does not overtake.
 */
#include "redis_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "number.h"
#include "signals.h"
#include "system.h"

#define MS UINT64_C(1000000)

/* ---- Late requests ---------------------------------------------------- */

static void be_late(struct request *q)
{
    q->node = NULL;
    q->shard->late += !q->late;
    q->late = true;
}

static void be_in_time(struct request *q)
{
    q->shard->late -= q->late;
    q->late = false;
}

/* The connection is of no use any more; whatever it owes is late. */
static void drop(struct node *node)
{
    void *owed;

    node_close(node);
    while (node_owed(node, &owed))
        if (owed)
            be_late(owed);
}

/* ---- Sending ---------------------------------------------------------- */

/* FR.MADDHASH key hashes CLIENT id SEQ n */
static void phrase(struct redis *r, const struct request *q)
{
    char id[sizeof r->id + 24];
    uint64_t number = q->question->number;

    snprintf(id, sizeof id, "%s-%u", r->id, (unsigned)(number % REDIS_DEPTH));
    words_begin(&r->head, 7);
    words_text(&r->head, "FR.MADDHASH");
    words_text(&r->head, q->shard->key);
    words_promise(&r->head, q->n * sizeof(freshet_hash));
    r->tail.used = 0;
    words_end_promised(&r->tail);
    words_text(&r->tail, "CLIENT");
    words_text(&r->tail, id);
    words_text(&r->tail, "SEQ");
    words_count(&r->tail, number + 1);
}

static struct view view_of(const struct words *w)
{
    return (struct view){w->at, w->used};
}

/* The parts of a request about hashes; 0: no memory. */
static size_t put_hashes(struct redis *r, const struct request *q,
                         struct view *part)
{
    phrase(r, q);
    if (r->head.failed || r->tail.failed) {
        fault_set(&r->why, "no memory for a request");
        return 0;
    }
    part[0] = view_of(&r->head);
    part[1] = (struct view){(const char *)(q->question->hash + q->from),
                            q->n * sizeof(freshet_hash)};
    part[2] = view_of(&r->tail);
    return 3;
}

/* A node that takes a slot over answers only who says that he knows. */
static bool send_parts(struct redis *r, struct node *node, struct request *q)
{
    static const char asking[] = "*1\r\n$6\r\nASKING\r\n";
    struct view part[CONNECTION_PARTS] = {{asking, sizeof asking - 1}};
    size_t ask = q->ask_at != NULL, n = 1;

    if (ask && !node_owes(node, NULL))
        return false;
    if (q->words)
        part[ask] = view_of(q->words);
    else
        n = put_hashes(r, q, part + ask);
    return n &&
           connection_send(&node->link, part, ask + n, r->nodes.patience,
                           &r->why) &&
           node_owes(node, q);
}

/* False: r->why, and the request is late. */
static bool send_now(struct redis *r, struct request *q)
{
    struct node *node = q->ask_at ? q->ask_at : q->shard->node;

    if (node_connect(&r->nodes, node, &r->why)) {
        if (send_parts(r, node, q)) {
            q->ask_at = NULL;
            q->node = node;
            be_in_time(q);
            return true;
        }
        drop(node);
    }
    q->ask_at = NULL;
    be_late(q);
    return false;
}

void request_send(struct redis *r, struct request *q)
{
    if (q->shard->late || r->away_until)
        be_late(q);
    else
        (void)send_now(r, q); /* or it is late */
}

/* ---- Receiving -------------------------------------------------------- */

/* What a node said; the last two ask for patience. */
enum said { SAID_ANSWER, SAID_ELSEWHERE, SAID_LATER, SAID_GONE, SAID_NO };

/* "MOVED 3999 127.0.0.1:6381"; IPv6 has colons of its own. */
static struct node *redirection(struct redis *r, const struct resp *error,
                                const struct node *said)
{
    const char *end = error->text.at + error->text.len;
    const char *host = system_last_byte(error->text.at, ' ', error->text.len);
    const char *colon =
        host ? system_last_byte(host, ':', (size_t)(end - host)) : NULL;
    const char *digit = colon + 1;
    uint64_t port = 0;

    if (!colon)
        return NULL;
    while (digit < end && number_is_digit(*digit) &&
           number_append(&port, *digit))
        digit++;
    if (digit < end || port == 0 || port > 65535)
        return NULL;
    host++;
    return cluster_at(&r->nodes, host, (size_t)(colon - host), (unsigned)port,
                      said);
}

static bool means_later(const struct resp *error)
{
    static const char *const words[] = {"TRYAGAIN", "CLUSTERDOWN", "LOADING",
                                        "READONLY", "MASTERDOWN",  "NOREPLICAS",
                                        "BUSY"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (resp_says(error, words[i]))
            return true;
    return false;
}

static enum said take_error(struct redis *r, struct request *q,
                            const struct resp *error, const struct node *said)
{
    struct node *node = NULL;
    bool moved = resp_says(error, "MOVED"), ask = resp_says(error, "ASK");

    fault_set(&r->why, "%.*s", (int)error->text.len, error->text.at);
    if (moved || ask)
        node = redirection(r, error, said);
    if (node) {
        if (moved)
            q->shard->node = node;
        else
            q->ask_at = node;
        be_late(q);
        return SAID_ELSEWHERE;
    }
    if (means_later(error)) {
        be_late(q);
        return SAID_LATER;
    }
    return SAID_NO;
}

static enum said take_verdicts(struct redis *r, struct request *q,
                               const struct resp *item)
{
    uint8_t *to = q->question->verdict + q->from;

    if (item->type != RESP_TEXT || item->text.len != q->n) {
        fault_set(&r->why,
                  "the answer to FR.MADDHASH is no string of %zu "
                  "verdicts",
                  q->n);
        return SAID_NO;
    }
    for (size_t i = 0; i < q->n; i++)
        to[i] = item->text.at[i] == '1' ? FRESHET_NEW : FRESHET_SEEN;
    q->answered = true;
    return SAID_ANSWER;
}

static enum said take_reply(struct redis *r, struct request *q,
                            struct view reply)
{
    char *copy = malloc(reply.len);

    free(r->reply_bytes);
    r->reply_bytes = copy;
    if (!copy) {
        fault_set(&r->why, "no memory for a reply");
        return SAID_NO;
    }
    memcpy(copy, reply.at, reply.len);
    r->reply = (struct view){copy, reply.len};
    q->answered = true;
    return SAID_ANSWER;
}

/* The next reply of a node, to whatever it owes next. */
static enum said receive(struct redis *r, struct node *node)
{
    struct view reply, rest;
    struct resp item;
    struct request *q;
    enum said said = SAID_NO;
    void *owed = NULL;

    if (!connection_receive(&node->link, &reply, r->nodes.patience, &r->why)) {
        drop(node);
        return SAID_GONE;
    }
    rest = reply;
    (void)resp_next(&rest, &item);
    (void)node_owed(node, &owed);
    q = owed;
    if (!q)
        return SAID_ANSWER;
    q->node = NULL;
    if (item.type == RESP_ERROR)
        said = take_error(r, q, &item, node);
    if (said == SAID_NO && q->words)
        said = take_reply(r, q, reply);
    else if (said == SAID_NO && item.type != RESP_ERROR)
        said = take_verdicts(r, q, &item);
    if (said == SAID_NO)
        r->fatal = true;
    return said;
}

/* ---- Patience --------------------------------------------------------- */

void redis_find_shards(struct redis *r)
{
    struct fault why;

    if (!r->nodes.cluster || !cluster_learn(&r->nodes, &why))
        return; /* those we know must do */
    for (size_t i = 0; i < r->shards + r->probes; i++) {
        struct node *owner = r->nodes.owner[r->shard[i].slot];

        if (owner)
            r->shard[i].node = owner;
    }
}

/* Wait a little, longer each time, and see who is there now.  False: it is
   enough. */
static bool again(struct redis *r)
{
    uint64_t now = clock_now();
    unsigned ms = r->tries < 4 ? 10u << r->tries : 200;
    struct timespec pause = {0, (long)(ms * MS)};

    if (!r->trouble_since)
        r->trouble_since = now;
    if (r->away_until || signals_end() || r->fatal ||
        now - r->trouble_since >= r->retry)
        return false;
    r->tries++;
    (void)nanosleep(&pause, NULL);
    redis_find_shards(r);
    return true;
}

bool request_pursue(struct redis *r, struct request *q)
{
    unsigned moves = 0;

    while (!q->answered) {
        enum said said = SAID_GONE;

        if (q->node || send_now(r, q))
            said = receive(r, q->node);
        if (said == SAID_ANSWER) {
            r->trouble_since = 0;
            r->tries = 0;
        } else if (said == SAID_NO ||
                   ((said != SAID_ELSEWHERE || ++moves % 8 == 0) &&
                    !again(r))) {
            return false;
        }
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
    if (request_pursue(r, &q))
        return true;
    if (q.node)
        drop(q.node); /* it must not owe to what is no more */
    request_give_up(&q);
    return false;
}

void request_give_up(struct request *q)
{
    be_in_time(q);
}

void requests_drop(struct redis *r)
{
    for (size_t i = 0; i < r->nodes.n; i++)
        drop(r->nodes.node[i]);
}
