/*
 * redis_request.c - requests to a filter's shards, and what servers answer
 *
 * A request is sent to the node that has its shard.  If that node has not got
 * it, cannot do it now or is gone, the request is late: it is sent again when
 * its answer is wanted, to the node that has the shard then.  Requests behind
 * it to the same shard are late, too, so that they do not overtake it.
 *
 * Requests that offer keys are numbered, and the first time that one is sent
 * it says so: a filter that has forgotten the client's id refuses those that
 * are sent again, for they may have been done (doc/redis.md).
 */
#include "redis_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "system.h"

/* ---- Late requests ---------------------------------------------------- */

void request_set_late(struct request *q)
{
    q->node = NULL;
    q->shard->late += !q->late;
    q->late = true;
}

void request_clear_late(struct request *q)
{
    q->shard->late -= q->late;
    q->late = false;
}

void request_drop_node(struct node *node)
{
    void *tag;

    node_close(node);
    while (node_pop_tag(node, &tag))
        if (tag)
            request_set_late(tag);
}

/* ---- Phrasing --------------------------------------------------------- */

static bool is_numbered(const struct request *q)
{
    return q->question && q->question->kind == QUESTION_OFFER;
}

/* Returns the words behind the hashes: SEED n [CLIENT id SEQ n [FIRST]]. */
static size_t words_behind(const struct request *q)
{
    return is_numbered(q) ? 6 + (q->unknown == 0) : 2;
}

static void add_behind(const struct redis *r, const struct request *q,
                       struct words *w)
{
    char id[sizeof r->id + 24];

    words_text(w, "SEED");
    words_count(w, r->info.seed);
    if (!is_numbered(q))
        return;
    snprintf(id, sizeof id, "%s-%u", r->id, q->question->slot);
    words_text(w, "CLIENT");
    words_text(w, id);
    words_text(w, "SEQ");
    words_count(w, q->question->number);
    if (q->unknown == 0)
        words_text(w, "FIRST");
}

/* Writes ASKING if the request was redirected by ASK: while a slot is migrated,
   its new owner answers only commands that follow ASKING.  Returns the number
   of replies to it. */
static unsigned add_asking(struct words *w, const struct request *q)
{
    if (!q->ask_at)
        return 0;
    words_next(w, 1);
    words_text(w, "ASKING");
    return 1;
}

/* Writes the words before and after the hashes to r->head and r->tail.  Returns
   the number of replies that come before that to the request. */
static unsigned phrase(struct redis *r, const struct request *q)
{
    static const char *const commands[] = {
        [QUESTION_OFFER] = "FR.MADDHASH",
        [QUESTION_QUERY] = "FR.QUERYHASH",
        [QUESTION_REMEMBER] = "FR.REMEMBERHASH",
    };
    unsigned replies;

    words_clear(&r->head);
    words_clear(&r->tail);
    replies = add_asking(&r->head, q);
    words_next(&r->head, 3 + words_behind(q));
    words_text(&r->head, commands[q->question->kind]);
    words_text(&r->head, q->shard->key);
    words_promise(&r->head, q->n * sizeof(freshet_hash));
    words_end_promised(&r->tail);
    add_behind(r, q, &r->tail);
    return replies;
}

/* ---- Sending ---------------------------------------------------------- */

/* The parts of a request, in the order of sending. */
struct parts {
    struct view part[3];
    size_t n;
    unsigned replies; /* that come before its own */
};

static void put_part(struct parts *p, const char *at, size_t len)
{
    if (len)
        p->part[p->n++] = (struct view){at, len};
}

/* Returns false if there is no memory. */
static bool put_parts(struct redis *r, const struct request *q, struct parts *p)
{
    *p = (struct parts){.n = 0};
    if (q->words) {
        words_clear(&r->head);
        p->replies = add_asking(&r->head, q);
        put_part(p, r->head.at, r->head.used);
        put_part(p, q->words->at, q->words->used);
    } else {
        p->replies = phrase(r, q);
        put_part(p, r->head.at, r->head.used);
        put_part(p, (const char *)(q->question->hash + q->from),
                 q->n * sizeof(freshet_hash));
        put_part(p, r->tail.at, r->tail.used);
    }
    return (!r->head.failed && !r->tail.failed) ||
           fault_set(&r->why, "no memory for a request");
}

static bool send_parts(struct redis *r, struct node *node, struct request *q)
{
    struct parts p;

    if (!put_parts(r, q, &p))
        return false;
    for (; p.replies > 0; p.replies--)
        if (!node_push_tag(node, NULL))
            return false;
    q->unknown += is_numbered(q);
    return connection_send(&node->link, p.part, p.n, r->nodes.patience,
                           &r->why) &&
           node_push_tag(node, q);
}

bool request_send_now(struct redis *r, struct request *q)
{
    struct node *node = q->ask_at ? q->ask_at : q->shard->node;

    if (node_connect(&r->nodes, node, &r->why)) {
        if (send_parts(r, node, q)) {
            q->ask_at = NULL;
            q->node = node;
            request_clear_late(q);
            return true;
        }
        request_drop_node(node);
    }
    q->ask_at = NULL;
    request_set_late(q);
    return false;
}

/* ---- Errors ----------------------------------------------------------- */

/* "MOVED 3999 127.0.0.1:6381"; IPv6 has colons of its own. */
static struct node *redirection(struct redis *r, const struct resp *error,
                                const struct node *sender)
{
    const char *end = error->text.at + error->text.len;
    const char *host = system_last_byte(error->text.at, ' ', error->text.len);
    const char *colon =
        host ? system_last_byte(host, ':', (size_t)(end - host)) : NULL;
    const char *digit;
    uint64_t port = 0;

    if (!colon)
        return NULL;
    digit = colon + 1;
    while (digit < end && number_is_digit(*digit) &&
           number_append(&port, *digit))
        digit++;
    if (digit < end || port == 0 || port > 65535)
        return NULL;
    host++;
    return cluster_at(&r->nodes, host, (size_t)(colon - host), (unsigned)port,
                      sender);
}

/* A filter that was lost had memory, which a thread of the server may still be
   freeing. */
static bool lacks_memory_again(const struct request *q,
                               const struct resp *error)
{
    return q->words == &q->shard->reserve && resp_begins_with(error, "OOM");
}

static bool means_later(const struct request *q, const struct resp *error)
{
    static const char *const words[] = {"TRYAGAIN",   "CLUSTERDOWN",
                                        "LOADING",    "READONLY",
                                        "MASTERDOWN", "NOREPLICAS",
                                        "BUSY",       "MISCONF",
                                        "UNBLOCKED",  "OOM command"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (resp_begins_with(error, words[i]))
            return true;
    return lacks_memory_again(q, error);
}

/* The filter has forgotten the client id, or never knew it.  If the request
   was sent before, it may have been done. */
static enum reply_kind handle_forgotten(struct request *q)
{
    q->doubtful |= q->unknown > 0;
    q->unknown = 0;
    request_set_late(q);
    return REPLY_FORGOTTEN;
}

/* A request that is answered by an error was not done. */
static enum reply_kind handle_error(struct redis *r, struct request *q,
                                    const struct resp *error,
                                    const struct node *sender)
{
    bool moved = resp_begins_with(error, "MOVED"),
         ask = resp_begins_with(error, "ASK");
    struct node *node = moved || ask ? redirection(r, error, sender) : NULL;

    fault_set(&r->why, "%.*s", (int)error->text.len, error->text.at);
    q->unknown -= is_numbered(q);
    if (is_numbered(q) && resp_begins_with(error, "FORGOTTEN"))
        return handle_forgotten(q);
    if (!q->words && resp_begins_with(error, "OTHERSEED")) {
        request_set_late(q);
        return REPLY_REPLACED;
    }
    if (!node && !means_later(q, error) &&
        (q->words || !resp_begins_with(error, "ERR not found")))
        return REPLY_REFUSED;
    request_set_late(q);
    if (moved && node)
        q->shard->node = node;
    else if (node)
        q->ask_at = node;
    if (node)
        return REPLY_MOVED;
    return means_later(q, error) ? REPLY_TRY_LATER : REPLY_NO_FILTER;
}

/* ---- Answers ---------------------------------------------------------- */

static enum reply_kind parse_verdicts(struct redis *r, struct request *q,
                                      const struct resp *item)
{
    uint8_t *to = q->question->verdict + q->from;
    uint8_t seen = q->doubtful ? VERDICT_UNDECIDED : VERDICT_REPEAT;

    if (item->type != RESP_TEXT || item->text.len != q->n) {
        fault_set(&r->why,
                  "the server answered something else than %zu "
                  "verdicts",
                  q->n);
        return REPLY_REFUSED;
    }
    for (size_t i = 0; i < q->n; i++)
        to[i] = item->text.at[i] == '1' ? VERDICT_NEW : seen;
    r->compared += q->n;
    return REPLY_ANSWER;
}

/* Handles the reply to FR.REMEMBERHASH, which is OK. */
static enum reply_kind parse_status(struct redis *r, const struct resp *item)
{
    if (item->type == RESP_STATUS)
        return REPLY_ANSWER;
    fault_set(&r->why, "the server did not answer OK to FR.REMEMBERHASH");
    return REPLY_REFUSED;
}

static enum reply_kind keep_reply(struct redis *r, struct view reply)
{
    char *copy = malloc(reply.len);

    free(r->reply_bytes);
    r->reply_bytes = copy;
    if (!copy) {
        fault_set(&r->why, "no memory for a reply");
        return REPLY_REFUSED;
    }
    memcpy(copy, reply.at, reply.len);
    r->reply = (struct view){copy, reply.len};
    return REPLY_ANSWER;
}

static enum reply_kind handle_reply(struct redis *r, struct request *q,
                                    struct view reply, const struct node *node)
{
    enum reply_kind kind = REPLY_REFUSED;
    struct view rest = reply;
    struct resp item;

    (void)resp_next(&rest, &item);
    if (item.type == RESP_ERROR) {
        kind = handle_error(r, q, &item, node);
        if (kind != REPLY_REFUSED || !q->words)
            return kind;
    }
    if (q->words)
        return keep_reply(r, reply);
    return q->question->kind == QUESTION_REMEMBER ? parse_status(r, &item)
                                                  : parse_verdicts(r, q, &item);
}

bool request_introduce(struct redis *r, const struct request *q)
{
    struct words words = {0};
    bool done;

    words_begin(&words, 3 + words_behind(q));
    words_text(&words, "FR.MADDHASH");
    words_text(&words, q->shard->key);
    words_text(&words, "");
    add_behind(r, q, &words);
    done = redis_call(r, q->shard, &words);
    words_free(&words);
    return done;
}

enum reply_kind request_receive(struct redis *r, struct node *node,
                                const struct request **replied)
{
    struct request *q;
    struct view reply;
    void *tag = NULL;
    enum reply_kind kind;

    *replied = NULL;
    if (!connection_receive(&node->link, &reply, r->nodes.patience, &r->why)) {
        request_drop_node(node);
        return REPLY_LOST;
    }
    (void)node_pop_tag(node, &tag);
    *replied = q = tag;
    if (!q)
        return REPLY_ANSWER;
    q->node = NULL;
    kind = handle_reply(r, q, reply, node);
    q->answered = kind == REPLY_ANSWER;
    r->fatal |= kind == REPLY_REFUSED;
    return kind;
}
