/*
 * partition.c - decides the messages of a partition, and sends them on
 */
#include "partition.h"

#include "clock.h"

enum { PASSES = VERDICT_BIT(NEW) | VERDICTS_PASSED };

static bool is_in(uint8_t verdict, unsigned verdicts)
{
    return verdicts >> verdict & 1;
}

/* ---- Sending ---------------------------------------------------------- */

static bool send_to(struct partition *p, int output,
                    const rd_kafka_message_t *m)
{
    struct kafka *k = p->k;

    if (!k->topic[output])
        return true;
    if (output == OUT) {
        p->figures->produced++;
        p->figures->written += m->len + m->key_len;
    }
    return producer_send(&k->producer, k->topic[output], m,
                         &p->arrivals[output]);
}

/* Sends a message where its verdict says. */
static bool send_on(struct partition *p, const rd_kafka_message_t *m,
                    uint8_t verdict)
{
    if (is_in(verdict, PASSES))
        return send_to(p, OUT, m);
    return !is_in(verdict, VERDICTS_REPEATS) || send_to(p, DUP, m);
}

/* The first n messages have their verdicts: count them. */
static void count(struct partition *p, rd_kafka_message_t **messages, size_t n)
{
    struct engine_counts *counts = &p->figures->counts;

    counts_add(counts, p->k->batch.verdict, n);
    counts->late += p->k->batch.window.counts.late;
    for (size_t i = 0; i < n; i++)
        counts->bytes_read += messages[i]->len + messages[i]->key_len;
    if (n)
        p->offsets.next = messages[n - 1]->offset + 1;
}

/* ---- After a crash ---------------------------------------------------- */

enum { AT_ONCE = 1024 }; /* keys */

static bool remember(struct partition *p, const freshet_hash *key,
                     const uint64_t *time, size_t n, struct fault *why)
{
    return message_batch_remember(&p->k->batch, p->decider, &p->now, key, time,
                                  n, why) &&
           shared_asked(&p->k->shared, n, NULL, why);
}

/* A message without a key is as good as not there. */
bool partition_remember_tail(struct partition *p, struct fault *why)
{
    const struct tail *t = &p->tail[OUT];
    freshet_hash key[AT_ONCE];
    uint64_t time[AT_ONCE];
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct tail_entry *e = &t->entry[i];

        if (!e->taken && e->keyed) {
            time[n] = e->time;
            key[n++] = e->key;
        }
        if (n && (n == AT_ONCE || i + 1 == t->n)) {
            if (!remember(p, key, time, n, why))
                return false;
            n = 0;
        }
    }
    return true;
}

/* What is left in the tail is not ours. */
static void drop_tail(struct partition *p)
{
    p->figures->foreign += p->tail[OUT].left;
    tail_free(&p->tail[OUT]);
}

/* The filter that knows the others' messages is saved at once, so that another
   crash finds the same verdicts. */
static bool end_replay(struct partition *p, struct fault *why)
{
    bool has_left = p->tail[OUT].left;

    if (!partition_remember_tail(p, why))
        return false;
    drop_tail(p);
    return !has_left || !p->state.path ||
           (kafka_flush(p->k, why) && partition_save(p, why));
}

static bool decide_one(struct partition *p, rd_kafka_message_t **m,
                       enum decider_operation operation, struct fault *why)
{
    struct message_batch *b = &p->k->batch;

    return message_batch_extract(b, m, 1, &p->decider->hasher, why) &&
           message_batch_decide(b, p->decider, &p->now, operation, why);
}

/*
 * A message that the former run may have decided.  It is asked about first: if
 * it passes and the output does not have it, the rest of the tail must be
 * remembered before it is decided.
 */
static bool replay(struct partition *p, rd_kafka_message_t **m,
                   struct fault *why)
{
    const freshet_hasher *hasher = &p->decider->hasher;
    const uint8_t *verdict = p->k->batch.verdict;
    bool is_there = false;

    if (!decide_one(p, m, DECIDER_QUERY, why))
        return false;
    if (p->tail[OUT].left && is_in(*verdict, PASSES)) {
        is_there = tail_take(&p->tail[OUT], message_identity(*m, hasher));
        if (!is_there && !end_replay(p, why))
            return false;
    }
    if (!decide_one(p, m, DECIDER_OFFER, why))
        return false;
    count(p, m, 1);
    if (p->tail[DUP].left && is_in(*verdict, VERDICTS_REPEATS)) {
        is_there = tail_take(&p->tail[DUP], message_identity(*m, hasher));
        if (!is_there)
            tail_free(&p->tail[DUP]);
    }
    p->figures->matched += is_there;
    return is_there || send_on(p, *m, *verdict);
}

/*
 * A shared filter knows the keys of the tail, and those of others: its verdict
 * is not that of the former run.  A message is in the output if the tail has
 * it.  The former run sent those that pass in order, so that one which is not
 * there ends the tail.
 */
static bool is_sent_before(struct partition *p, const rd_kafka_message_t *m,
                           uint8_t *verdict)
{
    freshet_hash identity = message_identity(m, &p->decider->hasher);
    struct tail *dup = &p->tail[DUP];

    if (tail_take(&p->tail[OUT], identity)) {
        *verdict = VERDICT_NEW;
        return true;
    }
    if (is_in(*verdict, PASSES)) {
        drop_tail(p);
        return false;
    }
    if (is_in(*verdict, VERDICTS_REPEATS) && tail_take(dup, identity))
        return true;
    if (!p->tail[OUT].left)
        tail_free(dup);
    return false;
}

/* ---- The usual way ---------------------------------------------------- */

static bool is_replaying(const struct partition *p)
{
    return p->tail[OUT].left || p->tail[DUP].left;
}

/* Sends the messages of the batch where their verdicts say. */
static bool send_all(struct partition *p, rd_kafka_message_t **messages)
{
    struct message_batch *b = &p->k->batch;

    for (size_t i = 0; i < b->n; i++) {
        if (is_replaying(p) && is_sent_before(p, messages[i], &b->verdict[i]))
            p->figures->matched++;
        else if (!send_on(p, messages[i], b->verdict[i]))
            return false;
    }
    return true;
}

static bool decide(struct partition *p, rd_kafka_message_t **messages, size_t n,
                   struct fault *why)
{
    struct message_batch *b = &p->k->batch;
    bool fine = message_batch_extract(b, messages, n, &p->decider->hasher, why);
    struct fault reason;

    if (!message_batch_decide(b, p->decider, &p->now, DECIDER_OFFER, &reason))
        return fault_set(why, "%s", reason.text);
    if (!p->filter) /* to wait for a server is no pause */
        producer_begin(&p->k->producer);
    if (!send_all(p, messages))
        return fault_set(why, "%s", p->k->producer.why.text);
    count(p, messages, b->n);
    return shared_asked(&p->k->shared, b->window.keys.decision.n, p->arrivals,
                        why) &&
           fine;
}

bool partition_decide(struct partition *p, rd_kafka_message_t **messages,
                      size_t n, struct fault *why)
{
    for (; n && p->filter && is_replaying(p); messages++, n--)
        if (!replay(p, messages, why))
            return false;
    return !n || decide(p, messages, n, why);
}

/* The former run cannot have read beyond the end. */
bool partition_at_end(struct partition *p, int64_t offset, struct fault *why)
{
    if (offset > p->offsets.next)
        p->offsets.next = offset;
    tail_free(&p->tail[DUP]);
    if (!p->filter)
        drop_tail(p);
    return !p->tail[OUT].left || end_replay(p, why);
}
