/*
 * decider_redis.c - questions to a filter on a server or cluster
 *
 * A question is a batch of hashes in the order of the stream.  It becomes one
 * request to each shard (redis_request.c); the answers are put back into that
 * order when the decision is collected.
 */
#include "redis_internal.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define AWAY UINT64_C(5000000000) /* ns until a server is tried again */

/* ---- Questions -------------------------------------------------------- */

/*
 * Returns the shard of a hash.  All clients must compute the same one, so
 * doc/redis.md describes it.  All bits count, so that the hashes of one shard
 * are as random as all of them.
 */
static size_t shard_of(freshet_hash hash, size_t shards)
{
    uint64_t x = (hash.lo ^ hash.hi) * UINT64_C(0x9e3779b97f4a7c15);

    return (size_t)(((x >> 32) * shards) >> 32);
}

/* Sorts hashes by shard; those of one shard stay in the order of the stream. */
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
        q->index[part->from++] = (uint32_t)i;
    }
    for (size_t s = 0; s < r->shards; s++)
        q->request[s].from -= q->request[s].n;
    q->hash = q->sorted;
}

void question_begin(struct redis *r, struct question *q,
                    const freshet_hash *hashes, size_t n)
{
    q->number = ++r->numbers;
    q->version = r->hash.version;
    q->n = n;
    q->hash = hashes;
    if (r->shards > 1)
        sort(r, q, hashes);
    else
        q->request[0].n = n;
    for (size_t s = 0; s < r->shards; s++) {
        q->request[s].answered = q->request[s].n == 0;
        q->request[s].unknown = 0;
        q->request[s].doubtful = false;
    }
}

void question_send(struct redis *r, struct question *q)
{
    for (size_t s = 0; s < r->shards; s++)
        if (!q->request[s].answered)
            request_send(r, &q->request[s]);
}

void question_give_up(struct redis *r, struct question *q)
{
    for (size_t s = 0; s < r->shards; s++)
        if (!q->request[s].answered)
            request_give_up(&q->request[s]);
}

static void put_verdicts(const struct redis *r, const struct question *q,
                         uint8_t *verdict)
{
    if (r->shards == 1)
        memcpy(verdict, q->verdict, q->n);
    else
        for (size_t i = 0; i < q->n; i++)
            verdict[q->index[i]] = q->verdict[i];
}

/* ---- A filter that was made again by another seed --------------------- */

bool redis_set_hasher(struct redis *r, struct fault *why)
{
    freshet_error err;

    r->hash.hasher = (freshet_hasher){.size = sizeof r->hash.hasher,
                                      .hash = r->hash.name,
                                      .key = {r->info.seed, r->hash.seed_high}};
    return freshet_hasher_init(&r->hash.hasher, &err) == 0 ||
           fault_set(why, "%s", err.message);
}

/* Hashes keys again if the filter has another hash than the run began with,
   which the engine still uses.  Returns false and sets r->why if that is not
   possible. */
static bool hash_again(struct redis *r, const struct decision *b)
{
    if (r->hash.version == 0 ||
        (b->rehash && b->rehash(b->rehash_context, &r->hash.hasher)))
        return true;
    r->fatal = true;
    return fault_set(&r->why,
                     "another client has made %s again with another seed, and "
                     "keys that were read cannot be hashed again; run this "
                     "again",
                     r->nodes.url.name);
}

/* Returns whether the filter, as it is or was, may know some of the keys by
   this question. */
static bool may_be_done(struct redis *r, struct question *q)
{
    const struct request *replied;
    bool done = false;

    for (size_t s = 0; s < r->shards; s++) {
        struct request *part = &q->request[s];

        while (part->node)
            (void)request_receive(r, part->node, &replied);
        done |= part->n && (part->answered || part->unknown);
    }
    return done && q->kind == QUESTION_OFFER;
}

/* Asks the question again with the hashes of another seed.  If the first one
   was carried out, a key must not be called a repeat of itself. */
static bool ask_again(struct redis *r, struct question *q,
                      const struct decision *b)
{
    bool done = may_be_done(r, q);

    question_give_up(r, q);
    if (!hash_again(r, b))
        return false;
    question_begin(r, q, b->hash, b->n);
    for (size_t s = 0; s < r->shards; s++)
        q->request[s].doubtful = done;
    question_send(r, q);
    return true;
}

/* ---- Servers that do not answer --------------------------------------- */

void redis_notice(const struct redis *r, const struct fault *text)
{
    if (r->base.notice)
        r->base.notice(r->base.notice_context, text->text);
}

/* No server answers: reports that once, and sets the time of the next
   attempt. */
static void go_away(struct redis *r)
{
    struct fault text;

    fault_set(&text,
              "warning: %s: %s; records pass uncompared until it is back",
              r->nodes.url.server.host, r->why.text);
    if (!r->outage.away_until)
        redis_notice(r, &text);
    requests_drop(r);
    r->outage.away_until = clock_now() + AWAY;
    r->fatal = false;
    r->outage.since = 0;
}

static void come_back(struct redis *r)
{
    struct fault text;

    fault_set(&text, "%s: is back", r->nodes.url.server.host);
    if (r->outage.away_until)
        redis_notice(r, &text);
    r->outage.away_until = 0;
}

static bool is_away(const struct redis *r)
{
    return r->outage.away_until && clock_now() < r->outage.away_until;
}

/* Returns false if the question was not answered as a whole. */
static bool answer_all(struct redis *r, struct question *q,
                       const struct decision *b)
{
    size_t s = 0;

    if (is_away(r))
        return false;
    if (r->outage.away_until)
        redis_find_shards(r);
    while (s < r->shards) {
        if (q->version != r->hash.version) {
            if (!ask_again(r, q, b))
                return false;
            s = 0;
        }
        if (!request_complete(r, &q->request[s]))
            return false;
        s += q->version == r->hash.version;
    }
    return true;
}

/* Gives up a question: keys without an answer are undecided. */
static void give_up(struct redis *r, struct question *q)
{
    if (!is_away(r))
        go_away(r);
    question_give_up(r, q);
    for (size_t s = 0; s < r->shards; s++) {
        const struct request *part = &q->request[s];

        if (!part->answered)
            memset(q->verdict + part->from, VERDICT_UNDECIDED, part->n);
    }
}

/* ---- The decider ------------------------------------------------------ */

static void submit(struct decider *d, struct decision *b)
{
    struct redis *r = (struct redis *)d;
    struct question *q;

    pthread_mutex_lock(&r->lock);
    q = &r->question[r->submitted++ % REDIS_DEPTH];
    (void)hash_again(r, b); /* or r->fatal */
    question_begin(r, q, b->hash, b->n);
    question_send(r, q);
    pthread_mutex_unlock(&r->lock);
}

static bool collect_question(struct redis *r, struct question *q,
                             struct decision *b)
{
    if (r->remembering.failed)
        return false;
    if (answer_all(r, q, b))
        come_back(r);
    else if (r->on_error == REDIS_STOP)
        return false;
    else
        give_up(r, q);
    put_verdicts(r, q, b->verdict);
    return !r->remembering.on || remember_collected(r, b);
}

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    struct redis *r = (struct redis *)d;
    bool done;

    pthread_mutex_lock(&r->lock);
    done = collect_question(r, &r->question[r->collected++ % REDIS_DEPTH], b);
    if (!done)
        redis_trouble(r, r->nodes.url.name, why);
    pthread_mutex_unlock(&r->lock);
    return done;
}

static void written(struct decider *d, uint64_t keys)
{
    struct redis *r = (struct redis *)d;

    pthread_mutex_lock(&r->lock);
    if (r->remembering.on)
        remember_written(r, keys);
    pthread_mutex_unlock(&r->lock);
}

static bool finish(struct decider *d, struct fault *why)
{
    struct redis *r = (struct redis *)d;
    bool done;

    pthread_mutex_lock(&r->lock);
    done = !r->remembering.on || remember_finish(r);
    if (!done)
        redis_trouble(r, r->nodes.url.name, why);
    pthread_mutex_unlock(&r->lock);
    return done;
}

static void info(struct decider *d, freshet_info *out)
{
    struct redis *r = (struct redis *)d;

    pthread_mutex_lock(&r->lock);
    redis_info(d, out);
    pthread_mutex_unlock(&r->lock);
}

/* ---- Memory ----------------------------------------------------------- */

bool question_make(const struct redis *r, struct question *q)
{
    bool several = r->shards > 1;

    q->verdict = malloc(REDIS_MOST);
    q->request = calloc(r->shards, sizeof *q->request);
    if (several) {
        q->sorted = malloc(REDIS_MOST * sizeof *q->sorted);
        q->index = malloc(REDIS_MOST * sizeof *q->index);
    }
    if (!q->verdict || !q->request || (several && (!q->sorted || !q->index)))
        return false;
    for (size_t s = 0; s < r->shards; s++) {
        q->request[s].shard = &r->shard[s];
        q->request[s].question = q;
    }
    return true;
}

void question_free(struct question *q)
{
    free(q->sorted);
    free(q->index);
    free(q->verdict);
    free(q->request);
}

bool redis_make_questions(struct redis *r)
{
    for (unsigned i = 0; i < REDIS_DEPTH; i++) {
        r->question[i].slot = i;
        if (r->remembering.on)
            r->question[i].kind = QUESTION_QUERY;
        if (!question_make(r, &r->question[i]))
            return false;
    }
    return !r->remembering.on || remember_make(r);
}

static void close_redis(struct decider *d)
{
    struct redis *r = (struct redis *)d;

    for (size_t i = 0; i < REDIS_DEPTH; i++)
        question_free(&r->question[i]);
    remember_free(r);
    cluster_free(&r->nodes);
    words_free(&r->head);
    words_free(&r->tail);
    for (size_t s = 0; r->shard && s < r->shards; s++)
        words_free(&r->shard[s].reserve);
    free(r->reply_bytes);
    free(r->shard);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static const struct decider_type redis_type = {
    .name = "redis",
    .submit = submit,
    .collect = collect,
    .written = written,
    .finish = finish,
    .info = info,
    .close = close_redis,
};

struct decider *decider_redis(const struct redis_args *args,
                              const struct goal_args *goal, struct fault *why)
{
    struct redis *r = calloc(1, sizeof *r);

    if (!r) {
        fault_set(why, "no memory for a server");
        return NULL;
    }
    r->base = (struct decider){.type = &redis_type,
                               .most = REDIS_MOST,
                               .depth = REDIS_DEPTH - 1};
    pthread_mutex_init(&r->lock, NULL);
    if (redis_open(r, args, goal, why) && redis_set_hasher(r, why)) {
        r->base.hasher = r->hash.hasher;
        return &r->base;
    }
    close_redis(&r->base);
    return NULL;
}
