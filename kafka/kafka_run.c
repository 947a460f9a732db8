/*
 * kafka_run.c - a topic without repeats: the run
 */
#include "kafka.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "partition.h"
#include "signals.h"

enum { WAIT = 100 };               /* milliseconds for a message */
enum { AGAIN_AFTER = 1000000000 }; /* nanoseconds after a failure */

void kafka_notice(const struct kafka *k, const char *format, ...)
{
    const struct kafka_host *host = &k->config->host;
    struct fault text;
    va_list ap;

    va_start(ap, format);
    vsnprintf(text.text, sizeof text.text, format, ap);
    va_end(ap);
    if (host->notice)
        host->notice(host->context, text.text);
}

const char *kafka_topic_name(const struct kafka *k, int output)
{
    return output == OUT ? k->config->to : k->config->dup;
}

/* ---- Figures ---------------------------------------------------------- */

int32_t kafka_partitions(const struct kafka *k)
{
    return k->partitions;
}

void kafka_get_figures(const struct kafka *k, int32_t i, bool inside,
                       struct kafka_figures *out)
{
    const struct partition *p = k->partition[i];
    int64_t low, high;

    *out = k->figures[i];
    out->partition = i;
    out->info.size = inside ? sizeof out->info : offsetof(freshet_info, slots);
    if (!p)
        return;
    out->next = p->place.next;
    out->lag = -1;
    if (k->consumer &&
        rdk.rd_kafka_get_watermark_offsets(k->consumer, k->config->from, i,
                                           &low, &high) == 0 &&
        high >= p->place.next)
        out->lag = high - p->place.next;
    freshet_get_info(p->filter, &out->info);
}

/* ---- Checkpoints ------------------------------------------------------ */

/* A file that cannot be written is told, and tried again when the next
   checkpoint is due; meanwhile nothing is committed. */
static void tell_unsaved(struct kafka *k, const struct fault *why)
{
    kafka_notice(k, "%s", why->text);
    k->trouble = true;
}

static void reap(struct kafka *k)
{
    struct fault why;

    for (int32_t i = 0; i < k->partitions; i++)
        if (k->partition[i] && !partition_reap(k->partition[i], false, &why))
            tell_unsaved(k, &why);
    consumer_commit(k, false);
}

/* Both topics must keep the number of partitions that they had. */
static bool check_partitions(struct kafka *k, struct fault *why)
{
    const char *const topics[] = {k->config->from, k->config->to};
    struct fault ignored;
    int32_t n;

    for (int i = 0; i < 2; i++)
        if (topic_partitions(&k->reader, topics[i], 0, &n, &ignored) &&
            n != k->partitions)
            return fault_set(why,
                             "topic %s has %" PRId32 " partitions now, and had "
                             "%" PRId32 " when freshet began; give both topics "
                             "as many, and start again",
                             topics[i], n, k->partitions);
    return true;
}

static bool checkpoint(struct kafka *k, struct fault *why)
{
    struct fault reason;

    k->checkpoint_at = clock_now() + k->config->checkpoint;
    if (!producer_flush(&k->producer))
        return fault_set(why, "%s", k->producer.why.text);
    for (int32_t i = 0; i < k->partitions; i++)
        if (k->partition[i] && !partition_checkpoint(k->partition[i], &reason))
            tell_unsaved(k, &reason);
    consumer_commit(k, false);
    return check_partitions(k, why);
}

/* ---- Messages --------------------------------------------------------- */

static bool is_before_stop(const struct kafka *k, const rd_kafka_message_t *m)
{
    return !k->stop_at || m->offset < k->stop_at[m->partition];
}

/* Decides the messages that follow each other in one partition. */
static bool take_run(struct kafka *k, rd_kafka_message_t **m, size_t n,
                     struct fault *why)
{
    struct partition *p = k->partition[m[0]->partition];

    if (!p) /* it went to somebody else */
        return true;
    while (n && !is_before_stop(k, m[n - 1])) {
        if (p->place.next < k->stop_at[p->number] && n == 1)
            p->place.next = k->stop_at[p->number];
        n--;
    }
    while (n && m[0]->offset < p->place.next) { /* taken before */
        m++;
        n--;
    }
    return !n || partition_take(p, m, n, why);
}

static bool take_event(struct kafka *k, const rd_kafka_message_t *m,
                       struct fault *why)
{
    struct partition *p = m->partition >= 0 && m->partition < k->partitions
                              ? k->partition[m->partition]
                              : NULL;

    if (m->err == RD_KAFKA_RESP_ERR__PARTITION_EOF)
        return !p || partition_at_end(p, m->offset, why);
    if (m->err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET)
        return fault_set(why,
                         "topic %s, partition %" PRId32 ": messages were "
                         "deleted before they were read; start again to go on "
                         "with those that are there (%s)",
                         k->config->from, m->partition,
                         rdk.rd_kafka_err2str(m->err));
    if (m->err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
        m->err == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED)
        return fault_set(why, "topic %s: %s", k->config->from,
                         rdk.rd_kafka_err2str(m->err));
    kafka_notice(k, "warning: topic %s: %s", k->config->from,
                 rdk.rd_kafka_err2str(m->err));
    return true;
}

static bool take_batch(struct kafka *k, rd_kafka_message_t **m, size_t n,
                       struct fault *why)
{
    for (size_t i = 0, end; i < n; i = end) {
        bool fine;

        end = i + 1;
        if (!m[i]->err)
            while (end < n && !m[end]->err &&
                   m[end]->partition == m[i]->partition)
                end++;
        fine = m[i]->err ? take_event(k, m[i], why)
                         : take_run(k, m + i, end - i, why);
        if (!fine)
            return false;
    }
    return true;
}

/* Waits for a message, and takes those that are there then. */
static bool poll_once(struct kafka *k, struct fault *why)
{
    static rd_kafka_message_t *m[MESSAGE_BATCH_MOST];
    ssize_t more = 0;
    size_t n;
    bool fine;

    m[0] = rdk.rd_kafka_consumer_poll(k->consumer, WAIT);
    if (!m[0])
        return true;
    more = rdk.rd_kafka_consume_batch_queue(k->queue, 0, m + 1,
                                            MESSAGE_BATCH_MOST - 1);
    n = 1 + (more > 0 ? (size_t)more : 0);
    fine = take_batch(k, m, n, why);
    for (size_t i = 0; i < n; i++)
        rdk.rd_kafka_message_destroy(m[i]);
    return fine;
}

/* ---- The run ---------------------------------------------------------- */

static bool is_over(const struct kafka *k)
{
    if (signals_end())
        return true;
    if (!k->stop_at || !k->assigned)
        return false;
    for (int32_t i = 0; i < k->partitions; i++)
        if (k->partition[i] && k->partition[i]->place.next < k->stop_at[i])
            return false;
    return true;
}

static bool is_due(const struct kafka *k)
{
    return signals_checkpoint() || clock_now() >= k->checkpoint_at;
}

/* A failure of the producer comes before what followed from it. */
static bool is_fine(const struct kafka *k, bool fine, struct fault *why)
{
    if (k->producer.failure != PRODUCER_FINE)
        return fault_set(why, "%s", k->producer.why.text);
    if (k->failed)
        return fault_set(why, "%s", k->why.text);
    return fine;
}

/* Returns false and why when the run cannot go on. */
static bool run(struct kafka *k, struct fault *why)
{
    const struct kafka_host *host = &k->config->host;

    k->checkpoint_at = clock_now() + k->config->checkpoint;
    while (!is_over(k)) {
        bool fine = poll_once(k, why);

        producer_poll(&k->producer);
        if (!is_fine(k, fine, why))
            return false;
        reap(k);
        if (is_due(k) && !checkpoint(k, why))
            return false;
        if (host->tick)
            host->tick(host->context, k);
    }
    return is_fine(k, producer_flush(&k->producer), why);
}

/* ---- Opening and closing ---------------------------------------------- */

static bool open_reader(struct kafka *k, struct fault *why)
{
    rd_kafka_conf_t *conf =
        settings_make(k->config, SETTINGS_READER, false, why);

    return conf && topic_open(&k->reader, conf, k->config->retry, why);
}

static bool open_producer(struct kafka *k, struct fault *why)
{
    rd_kafka_conf_t *conf =
        settings_make(k->config, SETTINGS_PRODUCER, k->idempotent, why);

    if (!conf || !producer_open(&k->producer, conf, why))
        return false;
    for (int i = 0; i < OUTPUTS; i++)
        if (kafka_topic_name(k, i))
            k->topic[i] = rdk.rd_kafka_topic_new(k->producer.rk,
                                                 kafka_topic_name(k, i), NULL);
    return true;
}

static bool count_partitions(struct kafka *k, struct fault *why)
{
    const struct kafka_config *c = k->config;
    const char *const topics[] = {c->from, c->to, c->dup};
    int32_t n[3] = {0, 0, 0};

    for (int i = 0; i < 3; i++) {
        if (topics[i] &&
            !topic_partitions(&k->reader, topics[i], c->retry, &n[i], why))
            return false;
        if (topics[i] && n[i] != n[0])
            return fault_set(why,
                             "topic %s has %" PRId32 " partitions and topic %s "
                             "has %" PRId32 "; give both as many",
                             c->from, n[0], topics[i], n[i]);
    }
    if (k->partitions && n[0] != k->partitions)
        return fault_set(why,
                         "topic %s has %" PRId32 " partitions now, and had "
                         "%" PRId32 " when freshet began; start again",
                         c->from, n[0], k->partitions);
    k->partitions = n[0];
    return true;
}

static bool find_stop(struct kafka *k, struct fault *why)
{
    int64_t low;

    if (!k->config->until_end || k->stop_at)
        return true;
    k->stop_at = calloc((size_t)k->partitions, sizeof *k->stop_at);
    if (!k->stop_at)
        return fault_set(why, "out of memory");
    for (int32_t i = 0; i < k->partitions; i++)
        if (!topic_ends(&k->reader, k->config->from, i, &low, &k->stop_at[i],
                        why))
            return false;
    return true;
}

static bool make_tables(struct kafka *k, struct fault *why)
{
    size_t n = (size_t)k->partitions;
    uint64_t memory =
        k->config->goal.memory ? k->config->goal.memory : UINT64_C(256) << 20;

    k->share = memory / n;
    if (!k->partition)
        k->partition = calloc(n, sizeof *k->partition);
    if (!k->figures)
        k->figures = calloc(n, sizeof *k->figures);
    return (k->partition && k->figures) || fault_set(why, "out of memory");
}

static bool open_all(struct kafka *k, struct fault *why)
{
    k->failed = false;
    return open_reader(k, why) && count_partitions(k, why) &&
           make_tables(k, why) && find_stop(k, why) && open_producer(k, why) &&
           consumer_open(k, why);
}

static void close_all(struct kafka *k)
{
    struct fault ignored;

    if (k->producer.rk && k->partition)
        (void)consumer_give_up(k, false, &ignored);
    consumer_close(k);
    for (int i = 0; i < OUTPUTS; i++) {
        if (k->topic[i])
            rdk.rd_kafka_topic_destroy(k->topic[i]);
        k->topic[i] = NULL;
    }
    producer_close(&k->producer);
    topic_close(&k->reader);
}

enum outcome { OUTCOME_DONE, OUTCOME_AGAIN, OUTCOME_FAILED };

/* Saves what was decided.  Returns false if the producer failed meanwhile. */
static bool save_all(struct kafka *k)
{
    struct fault unsaved;

    if (consumer_give_up(k, true, &unsaved))
        return true;
    if (k->producer.failure == PRODUCER_FINE) {
        kafka_notice(k, "%s", unsaved.text);
        k->trouble = true;
    }
    return k->producer.failure == PRODUCER_FINE;
}

/* What a failure of the producer means for the run. */
static enum outcome after_failure(struct kafka *k)
{
    switch (k->producer.failure) {
    case PRODUCER_OLD:
        k->idempotent = false;
        return OUTCOME_AGAIN;
    case PRODUCER_FAILED:
        kafka_notice(k, "%s; beginning again at the last checkpoint",
                     k->producer.why.text);
        (void)signals_wait(-1, AGAIN_AFTER);
        return OUTCOME_AGAIN;
    case PRODUCER_FINE:
    case PRODUCER_HOPELESS:
        break;
    }
    return OUTCOME_FAILED;
}

/* A failure of the run leaves what was decided before to be saved; one of the
   producer does not: it is like a crash. */
static enum outcome run_once(struct kafka *k, struct fault *why)
{
    const struct kafka_host *host = &k->config->host;
    bool fine;

    if (!open_all(k, why))
        return after_failure(k);
    fine = run(k, why);
    if (host->end && (k->producer.failure == PRODUCER_FINE ||
                      k->producer.failure == PRODUCER_HOPELESS))
        host->end(host->context, k);
    if (k->producer.failure != PRODUCER_FINE || !save_all(k))
        return after_failure(k);
    return fine ? OUTCOME_DONE : OUTCOME_FAILED;
}

static bool init(struct kafka *k, struct fault *why)
{
    const struct kafka_config *c = k->config;
    struct message_by by;

    k->lenient = c->extractor;
    k->lenient.malformed = MALFORMED_PASS;
    k->within = c->goal.within;
    k->idempotent = settings_are_idempotent(c);
    return message_by_read(&by, c->by, why) &&
           (message_batch_init(&k->batch, &c->extractor, &by, k->within) ||
            fault_set(why, "out of memory"));
}

bool kafka_run(const struct kafka_config *config, struct fault *why)
{
    struct kafka *k = calloc(1, sizeof *k);
    enum outcome outcome = OUTCOME_FAILED;
    bool fine;

    if (!k)
        return fault_set(why, "out of memory");
    k->config = config;
    if (rdkafka_load(why) && init(k, why))
        do {
            outcome = run_once(k, why);
            close_all(k);
        } while (outcome == OUTCOME_AGAIN && !signals_end());
    fine = outcome == OUTCOME_DONE && !k->trouble;
    if (outcome == OUTCOME_DONE)
        why->text[0] = '\0';
    message_batch_free(&k->batch);
    free(k->partition);
    free(k->figures);
    free(k->stop_at);
    free(k);
    return fine;
}
