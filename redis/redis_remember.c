/*
 * redis_remember.c - --at-least-once: remembering what was written
 *
 * The server is asked, and remembers nothing.  Keys that it calls new are
 * passed; they count as seen in this run from then on.  When their records
 * have been written, the server is told to remember them.  A run that is
 * killed in between leaves nothing that was remembered and not written.
 *
 * A question that was answered before the server remembered a key may be
 * collected afterwards: so a key counts as seen here until all questions are
 * collected that were asked before it was remembered.
 */
#include "redis_internal.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

/* Keys that the server knows, and that count as seen here as well until as
   many questions have been collected. */
struct remembered {
    struct remembered *next;
    uint64_t until;
    size_t n;
    freshet_hash hash[];
};

/* ---- Memory ----------------------------------------------------------- */

bool remember_make(struct redis *r)
{
    struct remembering *m = &r->remembering;

    m->question.kind = QUESTION_REMEMBER;
    m->hash = malloc(REDIS_MOST * sizeof *m->hash);
    return m->hash && question_make(r, &m->question);
}

void remember_free(struct redis *r)
{
    struct remembering *m = &r->remembering;

    while (m->oldest) {
        struct remembered *next = m->oldest->next;

        free(m->oldest);
        m->oldest = next;
    }
    pending_keys_free(&m->pending);
    question_free(&m->question);
    free(m->passed);
    free(m->hash);
}

/* ---- Keys that were passed -------------------------------------------- */

/* Hashes of another seed mean nothing to the filter as it is now: such keys
   are not remembered, and may be passed once more by a later run. */
static void forget_other_seed(struct redis *r)
{
    struct remembering *m = &r->remembering;

    if (m->question.version == r->hash.version)
        return;
    m->question.version = r->hash.version;
    m->first = m->n = 0;
    pending_keys_free(&m->pending);
}

static bool add_passed(struct remembering *m, freshet_hash hash,
                       uint64_t position)
{
    struct passed_key *key;

    if (m->first && m->first + m->n == m->room) {
        memmove(m->passed, m->passed + m->first, m->n * sizeof *m->passed);
        m->first = 0;
    }
    key = array_reserve(m->passed, &m->room, m->first + m->n + 1, sizeof *key);
    if (!key)
        return false;
    m->passed = key;
    if (!pending_keys_add(&m->pending, hash))
        return false;
    m->passed[m->first + m->n++] = (struct passed_key){hash, position};
    return true;
}

static void drop_remembered(struct redis *r)
{
    struct remembering *m = &r->remembering;

    while (m->oldest && m->oldest->until <= r->collected) {
        struct remembered *next = m->oldest->next;

        for (size_t i = 0; i < m->oldest->n; i++)
            pending_keys_remove(&m->pending, m->oldest->hash[i]);
        free(m->oldest);
        m->oldest = next;
    }
    if (!m->oldest)
        m->newest = NULL;
}

bool remember_collected(struct redis *r, const struct decision *b)
{
    struct remembering *m = &r->remembering;

    forget_other_seed(r);
    for (size_t i = 0; i < b->n; i++) {
        if (b->verdict[i] != VERDICT_NEW)
            continue;
        if (pending_keys_have(&m->pending, b->hash[i]))
            b->verdict[i] = VERDICT_REPEAT;
        else if (!add_passed(m, b->hash[i], m->collected + i))
            return fault_set(&r->why, "no memory for keys that were passed");
    }
    m->collected += b->n;
    drop_remembered(r);
    return true;
}

/* ---- Remembering ------------------------------------------------------ */

/* The server knows them now.  Without memory they count as seen here for
   ever, which they are. */
static void keep_until_collected(struct redis *r)
{
    struct remembering *m = &r->remembering;
    size_t n = m->question.n;
    struct remembered *new = malloc(sizeof *new + n * sizeof *new->hash);

    if (!new)
        return;
    *new = (struct remembered){.until = r->submitted, .n = n};
    memcpy(new->hash, m->hash, n * sizeof *new->hash);
    if (m->newest)
        m->newest->next = new;
    else
        m->oldest = new;
    m->newest = new;
}

/* Wait until the question is answered.  Returns false and sets r->why if it is
   not. */
static bool wait_for_answer(struct redis *r)
{
    struct remembering *m = &r->remembering;

    bool done = true;

    for (size_t s = 0; s < r->shards && m->question.n && done; s++)
        done = request_complete(r, &m->question.request[s]);
    if (m->question.n && done && m->question.version == r->hash.version)
        keep_until_collected(r);
    else if (m->question.n)
        question_give_up(r, &m->question);
    m->question.n = 0;
    return done;
}

/* Returns whether there was something to remember. */
static bool send_written(struct redis *r)
{
    struct remembering *m = &r->remembering;
    size_t n = 0;

    while (n < m->n && n < REDIS_MOST &&
           m->passed[m->first + n].position < m->written) {
        m->hash[n] = m->passed[m->first + n].hash;
        n++;
    }
    if (n == 0)
        return false;
    m->first += n;
    m->n -= n;
    question_begin(r, &m->question, m->hash, n);
    question_send(r, &m->question);
    return true;
}

/* Where records shall pass, those that cannot be remembered are printed again
   by a later run; else the run stops. */
void remember_written(struct redis *r, uint64_t n)
{
    struct remembering *m = &r->remembering;

    m->written += n;
    if (r->outage.away_until)
        return;
    forget_other_seed(r);
    do {
        if (!wait_for_answer(r)) {
            m->failed |= r->on_error == REDIS_STOP;
            return;
        }
    } while (send_written(r) && m->n &&
             m->passed[m->first].position < m->written);
}

bool remember_finish(struct redis *r)
{
    struct remembering *m = &r->remembering;

    if (m->failed)
        return false;
    remember_written(r, 0);
    return (!m->failed && wait_for_answer(r)) || r->on_error == REDIS_PASS;
}
