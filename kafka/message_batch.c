/*
 * message_batch.c - keys, times and verdicts of messages that follow each other
 */
#include "message_batch.h"

#include <inttypes.h>
#include <string.h>

#include "clock.h"

bool message_batch_init(struct message_batch *b, const struct extractor *x,
                        const struct message_by *by, uint64_t within)
{
    b->extractor = x;
    b->by = *by;
    b->within = within;
    b->timed = within;
    return window_init(&b->window, 1, MESSAGE_BATCH_MOST, b->timed, false);
}

void message_batch_free(struct message_batch *b)
{
    window_free(&b->window);
}

bool message_batch_has_time(const struct message_batch *b,
                            const rd_kafka_message_t *m)
{
    return event_time_is_set(&b->extractor->time) || message_time(m);
}

/* ---- Keys ------------------------------------------------------------- */

static uint64_t latest_time(const struct message_batch *b)
{
    return event_time_latest(b->extractor->time.max_skew);
}

/* Returns whether the time of a message is later than allowed. */
static bool is_ahead(const struct message_batch *b, const rd_kafka_message_t *m,
                     uint64_t latest)
{
    return b->timed && !event_time_is_set(&b->extractor->time) &&
           message_time(m) > latest;
}

static enum verdict without_part(const struct extractor *x)
{
    return x->missing == MISSING_DROP ? VERDICT_MISSING_DROPPED
                                      : VERDICT_MISSING_PASSED;
}

static bool stop_at(struct message_batch *b, const rd_kafka_message_t *m,
                    size_t i, const char *words, struct fault *why)
{
    b->n = i;
    return fault_set(why,
                     "partition %" PRId32 ", offset %" PRId64 ": the message "
                     "%s; use --malformed pass or drop to continue",
                     m->partition, m->offset, words);
}

/* Lists the parts to be compared as records of the window.  A message without
   a value is a tombstone, and passes. */
static bool list_records(struct message_batch *b,
                         rd_kafka_message_t *const *messages, size_t n,
                         struct fault *why)
{
    const struct extractor *x = b->extractor;
    uint64_t latest = b->timed ? latest_time(b) : 0;
    struct window *w = &b->window;

    window_begin(w);
    for (size_t i = 0; i < n; i++) {
        struct view part = {NULL, 0};

        if (!messages[i]->payload) {
            b->verdict[i] = VERDICT_MISSING_PASSED;
        } else if (!message_part(messages[i], &b->by, &part) &&
                   x->missing != MISSING_KEY) {
            b->verdict[i] = (uint8_t)without_part(x);
        } else if (!is_ahead(b, messages[i], latest)) {
            w->chunk.record[w->n] = part.at ? part : (struct view){"", 0};
            b->message[w->n++] = (uint32_t)i;
        } else if (x->malformed == MALFORMED_FAIL) {
            return stop_at(b, messages[i], i,
                           "has a time later than "
                           "--max-skew allows",
                           why);
        } else {
            b->verdict[i] = x->malformed == MALFORMED_DROP
                                ? VERDICT_MALFORMED_DROPPED
                                : VERDICT_MALFORMED_PASSED;
        }
    }
    return true;
}

/* Sets the times of messages, unless the value contains them: the message's own
   time, or that of its arrival. */
static void set_times(struct message_batch *b,
                      rd_kafka_message_t *const *messages)
{
    struct window *w = &b->window;
    uint64_t arrival = clock_wall();

    if (!b->timed || event_time_is_set(&b->extractor->time))
        return;
    for (size_t i = 0; i < w->keys.decision.n; i++) {
        size_t record = window_record_of(w, i);
        uint64_t time = message_time(messages[b->message[record]]);

        w->keys.time[i] = time ? time : arrival;
    }
}

bool message_batch_extract(struct message_batch *b,
                           rd_kafka_message_t *const *messages, size_t n,
                           const freshet_hasher *hasher, struct fault *why)
{
    struct window *w = &b->window;
    bool fine;

    b->n = n;
    fine = list_records(b, messages, n, why);
    window_extract(w, b->extractor, hasher);
    if (w->trouble == WINDOW_NO_MEMORY) {
        b->n = 0;
        return fault_set(why, "no memory for a key");
    }
    set_times(b, messages);
    if (w->trouble == WINDOW_MALFORMED) {
        size_t i = b->message[w->n];

        return stop_at(b, messages[i], i, w->words, why);
    }
    return fine;
}

/* ---- Verdicts --------------------------------------------------------- */

/* Implements rehash() of a decision, while the messages are there. */
static bool hash_again(void *context, const freshet_hasher *hasher)
{
    struct message_batch *b = context;

    window_extract(&b->window, b->extractor, hasher);
    return b->window.trouble != WINDOW_NO_MEMORY;
}

/* Submits the window's keys.  The operations stay there until it returns. */
static bool submit(struct message_batch *b, struct decider *d, uint64_t *now,
                   enum decider_operation operation, struct fault *why)
{
    static uint8_t operations[MESSAGE_BATCH_MOST];
    struct decision *keys = &b->window.keys.decision;

    memset(operations, (int)operation, keys->n);
    keys->operation = operation == DECIDER_OFFER ? NULL : operations;
    keys->now = keys->time ? *now : 0;
    keys->rehash_context = b;
    if (keys->time)
        window_advance_clock(&b->window, now, b->within);
    d->type->submit(d, keys);
    return d->type->collect(d, keys, why);
}

bool message_batch_decide(struct message_batch *b, struct decider *d,
                          uint64_t *now, enum decider_operation operation,
                          struct fault *why)
{
    struct window *w = &b->window;

    w->keys.decision.rehash = hash_again;
    if (!submit(b, d, now, operation, why))
        return false;
    window_set_verdicts(w);
    for (size_t i = 0; i < w->n; i++)
        b->verdict[b->message[i]] = w->verdict[i];
    return true;
}

bool message_batch_remember(struct message_batch *b, struct decider *d,
                            uint64_t *now, const freshet_hash *key,
                            const uint64_t *time, size_t n, struct fault *why)
{
    struct window *w = &b->window;

    window_begin(w);
    w->n = w->keys.decision.n = n;
    memcpy(w->keys.hash, key, n * sizeof *key);
    if (b->timed)
        memcpy(w->keys.time, time, n * sizeof *time);
    w->keys.decision.hash = w->keys.hash;
    w->keys.decision.time = w->keys.time;
    w->keys.decision.verdict = w->verdict;
    w->keys.decision.rehash = NULL;
    return submit(b, d, now, DECIDER_REMEMBER, why);
}
