/*
 * decider_redis.c - questions to a filter on a server or cluster
 *
 * A question is a batch of hashes in the order of the stream.  It becomes one
 * request to each shard (redis_request.c); what they answer is put back into
 * that order when the question is heard.
 */
#include "redis_internal.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define AWAY UINT64_C(5000000000) /* between looks whether a server is back */

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
static void sort(const struct redis *r, struct question *q,
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

static void begin_question(struct redis *r, struct question *q,
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

static void submit(struct decider *d, struct decision *b)
{
    struct redis *r = (struct redis *)d;
    struct question *q = &r->question[r->asked % REDIS_DEPTH];

    begin_question(r, q, b->hash, b->n);
    for (size_t s = 0; s < r->shards; s++)
        if (!q->request[s].answered)
            request_send(r, &q->request[s]);
}

static void notice(const struct redis *r, const struct fault *text)
{
    if (r->base.notice)
        r->base.notice(r->base.notice_context, text->text);
}

/* Nobody answers: say so, once, and look again later. */
static void go_away(struct redis *r)
{
    struct fault text;

    fault_set(&text,
              "warning: %s: %s; records pass uncompared until it is back",
              r->nodes.url.host, r->why.text);
    if (!r->away_until)
        notice(r, &text);
    requests_drop(r);
    r->away_until = clock_now() + AWAY;
    r->fatal = false;
    r->trouble_since = 0;
}

static void come_back(struct redis *r)
{
    struct fault text;

    fault_set(&text, "%s: is back", r->nodes.url.host);
    if (r->away_until)
        notice(r, &text);
    r->away_until = 0;
}

static bool answer_all(struct redis *r, struct question *q)
{
    if (r->away_until && clock_now() < r->away_until)
        return false;
    if (r->away_until)
        redis_find_shards(r);
    for (size_t s = 0; s < r->shards; s++)
        if (!request_pursue(r, &q->request[s]))
            return false;
    return true;
}

/* What was not answered is not known. */
static void give_up(struct redis *r, struct question *q)
{
    if (!r->away_until || clock_now() >= r->away_until)
        go_away(r);
    for (size_t s = 0; s < r->shards; s++) {
        struct request *part = &q->request[s];

        if (part->answered)
            continue;
        request_give_up(part);
        memset(q->verdict + part->from, VERDICT_UNDECIDED, part->n);
    }
}

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    struct redis *r = (struct redis *)d;
    struct question *q = &r->question[r->heard % REDIS_DEPTH];

    r->heard++;
    if (answer_all(r, q)) {
        come_back(r);
    } else if (r->on_error == REDIS_STOP) {
        *why = r->why;
        return false;
    } else {
        give_up(r, q);
    }
    if (r->shards == 1)
        memcpy(b->verdict, q->verdict, q->n);
    else
        for (size_t i = 0; i < q->n; i++)
            b->verdict[q->of[i]] = q->verdict[i];
    return true;
}

/* ---- Memory ----------------------------------------------------------- */

static bool make_question(const struct redis *r, struct question *q)
{
    bool several = r->shards > 1;

    q->verdict = malloc(REDIS_MOST);
    q->request = calloc(r->shards, sizeof *q->request);
    if (several) {
        q->sorted = malloc(REDIS_MOST * sizeof *q->sorted);
        q->of = malloc(REDIS_MOST * sizeof *q->of);
    }
    if (!q->verdict || !q->request || (several && (!q->sorted || !q->of)))
        return false;
    for (size_t s = 0; s < r->shards; s++) {
        q->request[s].shard = &r->shard[s];
        q->request[s].question = q;
    }
    return true;
}

bool redis_make_questions(struct redis *r)
{
    for (size_t i = 0; i < REDIS_DEPTH; i++)
        if (!make_question(r, &r->question[i]))
            return false;
    return true;
}

static void close_redis(struct decider *d)
{
    struct redis *r = (struct redis *)d;

    for (size_t i = 0; i < REDIS_DEPTH; i++) {
        struct question *q = &r->question[i];

        free(q->sorted);
        free(q->of);
        free(q->verdict);
        free(q->request);
    }
    cluster_free(&r->nodes);
    words_free(&r->head);
    words_free(&r->tail);
    free(r->reply_bytes);
    free(r->shard);
    free(r);
}

static const struct decider_type redis_type = {
    .name = "redis",
    .submit = submit,
    .collect = collect,
    .info = redis_info,
    .close = close_redis,
};

static bool make_hasher(struct redis *r, struct fault *why)
{
    freshet_hasher *hasher = &r->base.hasher;
    freshet_error err;

    *hasher =
        (freshet_hasher){.size = sizeof *hasher, .key = {r->info.seed, 0}};
    return freshet_hasher_init(hasher, &err) == 0 ||
           fault_set(why, "%s", err.message);
}

struct decider *decider_redis(const struct redis_args *args,
                              const struct goal_args *aim, struct fault *why)
{
    struct redis *r = calloc(1, sizeof *r);

    if (!r) {
        fault_set(why, "no memory for a server");
        return NULL;
    }
    r->base = (struct decider){.type = &redis_type,
                               .most = REDIS_MOST,
                               .depth = REDIS_DEPTH - 1};
    if (redis_reserve(r, args, aim, why) && make_hasher(r, why))
        return &r->base;
    close_redis(&r->base);
    return NULL;
}
