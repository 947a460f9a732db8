/*
 * remote.c - asking a filter on a server or cluster
 *
 * A request is sent to the node that has its shard.  When that says it has
 * not, cannot now, or is gone, the request is late: it is sent again, to
 * whoever has the shard then, when its answer is wanted; and what would come
 * behind it in the same shard is late, too, so that it does not overtake.
 */
#define _GNU_SOURCE /* memrchr */
#include "remote_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "signals.h"
#include "stats.h"

#define MS   UINT64_C(1000000)
#define AWAY (5000 * MS) /* between looks whether a server has come back */

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
static void phrase(struct remote *r, const struct request *q)
{
    char id[sizeof r->id + 24];
    uint64_t number = q->question->number;

    snprintf(id, sizeof id, "%s-%u", r->id, (unsigned)(number % REMOTE_DEPTH));
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

static bool send_words(struct remote *r, struct node *node, struct view bytes,
                       bool more)
{
    return link_send(&node->link, bytes, more, r->nodes.patience, &r->why);
}

static bool send_hashes(struct remote *r, struct node *node,
                        const struct request *q)
{
    struct view hashes = {(const char *)(q->question->hash + q->from),
                          q->n * sizeof(freshet_hash)};

    phrase(r, q);
    if (r->head.failed || r->tail.failed) {
        fault_set(&r->why, "no memory for a request");
        return false;
    }
    return send_words(r, node, view_of(&r->head), true) &&
           send_words(r, node, hashes, true) &&
           send_words(r, node, view_of(&r->tail), false);
}

/* A node that takes a slot over answers only who says that he knows. */
static bool send_asking(struct remote *r, struct node *node)
{
    static const char asking[] = "*1\r\n$6\r\nASKING\r\n";

    return node_owes(node, NULL) &&
           send_words(r, node, (struct view){asking, sizeof asking - 1}, true);
}

/* False: r->why, and the request is late. */
static bool send_request(struct remote *r, struct request *q)
{
    struct node *node = q->ask_at ? q->ask_at : q->shard->node;

    if (node_connect(&r->nodes, node, &r->why)) {
        if ((!q->ask_at || send_asking(r, node)) &&
            (q->words ? send_words(r, node, view_of(q->words), false)
                      : send_hashes(r, node, q)) &&
            node_owes(node, q)) {
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

/* ---- Receiving -------------------------------------------------------- */

/* What a node said; the last two ask for patience. */
enum said { SAID_ANSWER, SAID_ELSEWHERE, SAID_LATER, SAID_GONE, SAID_NO };

/* "MOVED 3999 127.0.0.1:6381"; IPv6 has colons of its own. */
static struct node *redirection(struct remote *r, const struct resp *error,
                                const struct node *said)
{
    const char *end = error->text.at + error->text.len;
    const char *host = memrchr(error->text.at, ' ', error->text.len);
    const char *colon = host ? memrchr(host, ':', (size_t)(end - host)) : NULL;
    unsigned port = 0;

    if (!colon)
        return NULL;
    for (const char *c = colon + 1; c < end && port < 65536; c++)
        port =
            *c >= '0' && *c <= '9' ? port * 10 + (unsigned)(*c - '0') : 65536;
    if (port == 0 || port > 65535)
        return NULL;
    host++;
    return nodes_at(&r->nodes, host, (size_t)(colon - host), port, said);
}

static bool means_later(const struct resp *error)
{
    static const char *const words[] = {"TRYAGAIN", "CLUSTERDOWN", "LOADING",
                                        "READONLY", "MASTERDOWN",  "BUSY"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (resp_says(error, words[i]))
            return true;
    return false;
}

static enum said take_error(struct remote *r, struct request *q,
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

static enum said take_verdicts(struct remote *r, struct request *q,
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

static enum said take_reply(struct remote *r, struct request *q,
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
static enum said receive(struct remote *r, struct node *node)
{
    struct view reply, rest;
    struct resp item;
    struct request *q;
    enum said said = SAID_NO;
    void *owed = NULL;

    if (!link_receive(&node->link, &reply, r->nodes.patience, &r->why)) {
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

static void find_shards(struct remote *r)
{
    for (size_t i = 0; i < r->shards + r->probes; i++) {
        struct node *owner = r->nodes.owner[r->shard[i].slot];

        if (owner)
            r->shard[i].node = owner;
    }
}

/* Wait a little, longer each time, and see who is there now.  False: it is
   enough. */
static bool again(struct remote *r)
{
    uint64_t now = stats_clock();
    unsigned ms = r->tries < 4 ? 10u << r->tries : 200;
    struct timespec pause = {0, (long)(ms * MS)};
    struct fault why;

    if (!r->trouble_since)
        r->trouble_since = now;
    if (r->away_until || signals_end() || r->fatal ||
        now - r->trouble_since >= r->retry)
        return false;
    r->tries++;
    (void)nanosleep(&pause, NULL);
    if (r->nodes.cluster && nodes_learn(&r->nodes, &why))
        find_shards(r);
    return true;
}

/* Until a request is answered.  False: r->why. */
static bool pursue(struct remote *r, struct request *q)
{
    unsigned moves = 0;

    while (!q->answered) {
        enum said said = SAID_GONE;

        if (q->node || send_request(r, q))
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

bool remote_call(struct remote *r, struct shard *shard,
                 const struct words *words)
{
    struct request q = {.shard = shard, .words = words};

    if (words->failed) {
        fault_set(&r->why, "no memory for a request");
        return false;
    }
    if (pursue(r, &q))
        return true;
    if (q.node)
        drop(q.node); /* it must not owe to what is no more */
    be_in_time(&q);
    return false;
}

/* ---- Questions -------------------------------------------------------- */

/*
 * A client of any kind must come to the same shard: doc/redis.md tells how.
 * All bits have a say, so that a filter's hashes stay as random as they were.
 */
static size_t shard_of(freshet_hash hash, size_t shards)
{
    uint64_t x = (hash.lo ^ hash.hi) * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t)(((x >> 32) * shards) >> 32);
}

/* Sorted by shard, each in the order of the stream. */
static void sort(const struct remote *r, struct question *q,
                 const freshet_hash *hashes)
{
    size_t at = 0;

    for (size_t s = 0; s < r->shards; s++)
        q->request[s].n = 0;
    for (size_t i = 0; i < q->n; i++)
        q->request[shard_of(hashes[i], r->shards)].n++;
    for (size_t s = 0; s < r->shards; at += q->request[s++].n)
        q->request[s].from = at;
    for (size_t i = 0; i < q->n; i++) {
        struct request *part = &q->request[shard_of(hashes[i], r->shards)];

        q->sorted[part->from] = hashes[i];
        q->of[part->from++] = (uint32_t)i;
    }
    for (size_t s = 0; s < r->shards; s++)
        q->request[s].from -= q->request[s].n;
    q->hash = q->sorted;
}

static void begin_question(struct remote *r, struct question *q,
                           const freshet_hash *hashes, size_t n)
{
    q->number = r->asked++;
    q->n = n;
    q->hash = hashes;
    if (r->shards > 1)
        sort(r, q, hashes);
    else
        q->request[0].n = n;
    for (size_t s = 0; s < r->shards; s++)
        q->request[s].answered = q->request[s].n == 0;
}

unsigned remote_unheard(const struct remote *r)
{
    return (unsigned)(r->asked - r->heard);
}

void remote_ask(struct remote *r, const freshet_hash *hashes, size_t n)
{
    struct question *q = &r->question[r->asked % REMOTE_DEPTH];

    begin_question(r, q, hashes, n);
    for (size_t s = 0; s < r->shards; s++) {
        struct request *part = &q->request[s];

        if (part->answered)
            continue;
        if (part->shard->late || r->away_until)
            be_late(part);
        else
            (void)send_request(r, part); /* or it is late */
    }
}

/* Nobody answers: say so, once, and look again later. */
static void go_away(struct remote *r)
{
    if (!r->away_until)
        cli_fail("warning: %s: %s; records pass uncompared until it is back",
                 r->nodes.url.host, r->why.text);
    for (size_t i = 0; i < r->nodes.n; i++)
        drop(r->nodes.node[i]);
    r->away_until = stats_clock() + AWAY;
    r->fatal = false;
    r->trouble_since = 0;
}

static void come_back(struct remote *r)
{
    if (r->away_until)
        cli_fail("%s: is back", r->nodes.url.host);
    r->away_until = 0;
}

static bool answer_all(struct remote *r, struct question *q)
{
    struct fault why;

    if (r->away_until && stats_clock() < r->away_until)
        return false;
    if (r->away_until && r->nodes.cluster && nodes_learn(&r->nodes, &why))
        find_shards(r);
    for (size_t s = 0; s < r->shards; s++)
        if (!pursue(r, &q->request[s]))
            return false;
    return true;
}

/* What was not answered is not known. */
static void give_up(struct remote *r, struct question *q)
{
    if (!r->away_until || stats_clock() >= r->away_until)
        go_away(r);
    for (size_t s = 0; s < r->shards; s++) {
        struct request *part = &q->request[s];

        if (part->answered)
            continue;
        be_in_time(part);
        memset(q->verdict + part->from, REMOTE_UNKNOWN, part->n);
    }
}

bool remote_hear(struct remote *r, uint8_t *seen, struct fault *why)
{
    struct question *q = &r->question[r->heard % REMOTE_DEPTH];

    r->heard++;
    if (answer_all(r, q)) {
        come_back(r);
    } else if (r->on_error == REMOTE_STOP) {
        *why = r->why;
        return false;
    } else {
        give_up(r, q);
    }
    if (r->shards == 1)
        memcpy(seen, q->verdict, q->n);
    else
        for (size_t i = 0; i < q->n; i++)
            seen[q->of[i]] = q->verdict[i];
    return true;
}

/* ---- Memory ----------------------------------------------------------- */

static bool make_question(const struct remote *r, struct question *q)
{
    bool several = r->shards > 1;

    q->verdict = malloc(REMOTE_MOST);
    q->request = calloc(r->shards, sizeof *q->request);
    if (several) {
        q->sorted = malloc(REMOTE_MOST * sizeof *q->sorted);
        q->of = malloc(REMOTE_MOST * sizeof *q->of);
    }
    if (!q->verdict || !q->request || (several && (!q->sorted || !q->of)))
        return false;
    for (size_t s = 0; s < r->shards; s++) {
        q->request[s].shard = &r->shard[s];
        q->request[s].question = q;
    }
    return true;
}

bool remote_make_questions(struct remote *r)
{
    for (size_t i = 0; i < REMOTE_DEPTH; i++)
        if (!make_question(r, &r->question[i]))
            return false;
    return true;
}

void remote_free(struct remote *r)
{
    for (size_t i = 0; i < REMOTE_DEPTH; i++) {
        struct question *q = &r->question[i];

        free(q->sorted);
        free(q->of);
        free(q->verdict);
        free(q->request);
    }
    nodes_free(&r->nodes);
    words_free(&r->head);
    words_free(&r->tail);
    free(r->reply_bytes);
    free(r->shard);
    free(r);
}

void remote_close(struct remote *r)
{
    if (r)
        remote_free(r);
}

const freshet_info *remote_info(const struct remote *r)
{
    return &r->info;
}
