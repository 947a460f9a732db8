/*
 * judge.c - keys, times and verdicts of messages that follow each other
 */
#include "judge.h"

#include <inttypes.h>
#include <string.h>

#include "clock.h"

bool judge_init(struct judge *j, const struct extractor *x,
                const struct message_by *by, uint64_t within)
{
    j->extractor = x;
    j->by = *by;
    j->within = within;
    j->timed = within;
    return window_init(&j->window, 1, JUDGE_MOST, j->timed, false);
}

void judge_free(struct judge *j)
{
    window_free(&j->window);
}

bool judge_has_time(const struct judge *j, const rd_kafka_message_t *m)
{
    return event_time_is_set(&j->extractor->time) || message_time(m);
}

/* ---- Keys ------------------------------------------------------------- */

static uint64_t latest_time(const struct judge *j)
{
    return event_time_latest(j->extractor->time.max_skew);
}

/* Returns whether the message says a time that is later than allowed. */
static bool is_ahead(const struct judge *j, const rd_kafka_message_t *m,
                     uint64_t latest)
{
    return j->timed && !event_time_is_set(&j->extractor->time) &&
           message_time(m) > latest;
}

static enum verdict without_part(const struct extractor *x)
{
    return x->missing == MISSING_DROP ? VERDICT_MISSING_DROPPED
                                      : VERDICT_MISSING_PASSED;
}

static bool stop_at(struct judge *j, const rd_kafka_message_t *m, size_t i,
                    const char *words, struct fault *why)
{
    j->n = i;
    return fault_set(why,
                     "partition %" PRId32 ", offset %" PRId64 ": the message "
                     "%s; use --malformed pass or drop to continue",
                     m->partition, m->offset, words);
}

/* Lists the parts to be compared as records of the window.  A message without
   a value is a tombstone, and passes. */
static bool list_records(struct judge *j, rd_kafka_message_t *const *messages,
                         size_t n, struct fault *why)
{
    const struct extractor *x = j->extractor;
    uint64_t latest = j->timed ? latest_time(j) : 0;
    struct window *w = &j->window;

    window_begin(w);
    for (size_t i = 0; i < n; i++) {
        struct view part = {NULL, 0};

        if (!messages[i]->payload) {
            j->verdict[i] = VERDICT_MISSING_PASSED;
        } else if (!message_part(messages[i], &j->by, &part) &&
                   x->missing != MISSING_KEY) {
            j->verdict[i] = (uint8_t)without_part(x);
        } else if (!is_ahead(j, messages[i], latest)) {
            w->chunk.record[w->n] = part.at ? part : (struct view){"", 0};
            j->message[w->n++] = (uint32_t)i;
        } else if (x->malformed == MALFORMED_FAIL) {
            return stop_at(j, messages[i], i,
                           "has a time later than "
                           "--max-skew allows",
                           why);
        } else {
            j->verdict[i] = x->malformed == MALFORMED_DROP
                                ? VERDICT_MALFORMED_DROPPED
                                : VERDICT_MALFORMED_PASSED;
        }
    }
    return true;
}

/* Where no place in the value says it, the time is the message's own, or that
   of its arrival. */
static void take_times(struct judge *j, rd_kafka_message_t *const *messages)
{
    struct window *w = &j->window;
    uint64_t arrival = clock_wall();

    if (!j->timed || event_time_is_set(&j->extractor->time))
        return;
    for (size_t i = 0; i < w->keys.decision.n; i++) {
        size_t record = window_record_of(w, i);
        uint64_t time = message_time(messages[j->message[record]]);

        w->keys.time[i] = time ? time : arrival;
    }
}

bool judge_extract(struct judge *j, rd_kafka_message_t *const *messages,
                   size_t n, const freshet_hasher *hasher, struct fault *why)
{
    struct window *w = &j->window;
    bool fine;

    j->n = n;
    fine = list_records(j, messages, n, why);
    window_extract(w, j->extractor, hasher);
    if (w->trouble == WINDOW_NO_MEMORY) {
        j->n = 0;
        return fault_set(why, "no memory for a key");
    }
    take_times(j, messages);
    if (w->trouble == WINDOW_MALFORMED) {
        size_t i = j->message[w->n];

        return stop_at(j, messages[i], i, w->words, why);
    }
    return fine;
}

/* ---- Verdicts --------------------------------------------------------- */

/* Submits the window's keys.  The operations stay there until it returns. */
static bool submit(struct judge *j, struct decider *d, uint64_t *now,
                   enum decider_operation operation, struct fault *why)
{
    static uint8_t operations[JUDGE_MOST];
    struct decision *b = &j->window.keys.decision;

    memset(operations, (int)operation, b->n);
    b->operation = operation == DECIDER_OFFER ? NULL : operations;
    b->now = b->time ? *now : 0;
    b->rehash = NULL;
    if (b->time)
        window_advance_clock(&j->window, now, j->within);
    d->type->submit(d, b);
    return d->type->collect(d, b, why);
}

bool judge_decide(struct judge *j, struct decider *d, uint64_t *now,
                  enum decider_operation operation, struct fault *why)
{
    struct window *w = &j->window;

    if (!submit(j, d, now, operation, why))
        return false;
    window_set_verdicts(w);
    for (size_t i = 0; i < w->n; i++)
        j->verdict[j->message[i]] = w->verdict[i];
    return true;
}

bool judge_remember(struct judge *j, struct decider *d, uint64_t *now,
                    const freshet_hash *key, const uint64_t *time, size_t n,
                    struct fault *why)
{
    struct window *w = &j->window;

    window_begin(w);
    w->n = w->keys.decision.n = n;
    memcpy(w->keys.hash, key, n * sizeof *key);
    if (j->timed)
        memcpy(w->keys.time, time, n * sizeof *time);
    w->keys.decision.hash = w->keys.hash;
    w->keys.decision.time = w->keys.time;
    w->keys.decision.verdict = w->verdict;
    return submit(j, d, now, DECIDER_REMEMBER, why);
}
