/*
 * kafka_run.c - runs freshet kafka: polls, decides, makes checkpoints
 */
#include "kafka.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "partition.h"
#include "signals.h"

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

void kafka_tick(struct kafka *k)
{
    const struct kafka_host *host = &k->config->host;

    if (host->tick)
        host->tick(host->context, k);
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
    out->next = p->offsets.next;
    out->lag = -1;
    if (k->consumer &&
        rdk.rd_kafka_get_watermark_offsets(k->consumer, k->config->from, i,
                                           &low, &high) == 0 &&
        high >= p->offsets.next)
        out->lag = high - p->offsets.next;
    if (p->filter)
        freshet_get_info(p->filter, &out->info);
    else
        out->info.memory = 0;
}

uint64_t kafka_answered_at(const struct kafka *k)
{
    return k->answered_at;
}

/* ---- Checkpoints ------------------------------------------------------ */

/* Reports a file that cannot be written.  It is tried again when the next
   checkpoint is due; meanwhile nothing is committed. */
static void report_unsaved(struct kafka *k, const struct fault *why)
{
    kafka_notice(k, "%s", why->text);
    k->trouble = true;
}

static void reap(struct kafka *k)
{
    struct fault why;

    for (int32_t i = 0; i < k->partitions; i++)
        if (k->partition[i] && !partition_reap(k->partition[i], false, &why))
            report_unsaved(k, &why);
    consumer_commit(k, false);
}

/* A topic may be missing for a moment, while brokers start: it is reported
   once, and waited for. */
static void report_missing(struct kafka *k, int topic, bool is_missing)
{
    if (is_missing && !k->is_missing[topic])
        kafka_notice(k, "warning: topic %s does not exist any more; waiting",
                     topic ? k->config->to : k->config->from);
    k->is_missing[topic] = is_missing;
}

/* Both topics must keep the number of partitions that they had. */
static bool check_partitions(struct kafka *k, struct fault *why)
{
    const char *const topics[] = {k->config->from, k->config->to};
    struct fault ignored;

    for (int i = 0; i < 2; i++) {
        int32_t n = -1;

        (void)topic_partitions(&k->reader, topics[i], 0, &n, &ignored);
        if (n < 0) /* no answer */
            continue;
        k->answered_at = clock_now();
        report_missing(k, i, n == 0);
        if (n && n != k->partitions)
            return fault_set(why,
                             "topic %s has %" PRId32 " partitions now, and had "
                             "%" PRId32 " when freshet began; give both topics "
                             "as many, and start again",
                             topics[i], n, k->partitions);
    }
    return true;
}

bool kafka_flush(struct kafka *k, struct fault *why)
{
    if (!producer_flush(&k->producer))
        return fault_set(why, "%s", k->producer.why.text);
    return shared_finish(&k->shared, why);
}

static bool checkpoint(struct kafka *k, struct fault *why)
{
    struct fault reason;

    k->checkpoint_at = clock_now() + k->config->checkpoint;
    if (!kafka_flush(k, why))
        return false;
    for (int32_t i = 0; i < k->partitions; i++)
        if (k->partition[i] && !partition_checkpoint(k->partition[i], &reason))
            report_unsaved(k, &reason);
    consumer_commit(k, false);
    return check_partitions(k, why);
}

/* ---- The run ---------------------------------------------------------- */

static bool is_over(const struct kafka *k)
{
    if (signals_end())
        return true;
    if (!k->stop_at || !k->assigned)
        return false;
    for (int32_t i = 0; i < k->partitions; i++)
        if (k->partition[i] && k->partition[i]->offsets.next < k->stop_at[i])
            return false;
    return true;
}

static bool is_due(const struct kafka *k)
{
    return signals_checkpoint() || clock_now() >= k->checkpoint_at;
}

/* Returns false and sets *why if something failed.  A failure of the producer
   counts first: others may follow from it. */
static bool is_fine(const struct kafka *k, bool fine, struct fault *why)
{
    if (k->producer.failure != PRODUCER_FINE)
        return fault_set(why, "%s", k->producer.why.text);
    if (k->failed)
        return fault_set(why, "%s", k->why.text);
    return fine;
}

/* Returns false and sets *why when the run cannot continue. */
static bool run(struct kafka *k, struct fault *why)
{
    k->checkpoint_at = clock_now() + k->config->checkpoint;
    while (!is_over(k)) {
        bool fine = kafka_poll(k, why);

        producer_poll(&k->producer);
        if (!is_fine(k, fine, why))
            return false;
        shared_remember(&k->shared);
        reap(k);
        if (is_due(k) && !checkpoint(k, why))
            return false;
        kafka_tick(k);
    }
    return is_fine(k, kafka_flush(k, why), why);
}

/* ---- Beginning again -------------------------------------------------- */

enum outcome { OUTCOME_DONE, OUTCOME_AGAIN, OUTCOME_FAILED };

/* Saves what was decided.  Returns false if the producer failed meanwhile.  The
   reason why the run ended is not reported twice. */
static bool save_all(struct kafka *k, const struct fault *ended)
{
    struct fault unsaved;

    if (consumer_give_up(k, true, &unsaved))
        return true;
    if (k->producer.failure == PRODUCER_FINE) {
        if (strcmp(unsaved.text, ended->text) != 0)
            kafka_notice(k, "%s", unsaved.text);
        k->trouble = true;
    }
    return k->producer.failure == PRODUCER_FINE;
}

/* Returns what the run does after a failure of the producer. */
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

/* After a failure of the run, what was decided before is saved; a failure of
   the producer is treated like a crash. */
static enum outcome run_once(struct kafka *k, struct fault *why)
{
    const struct kafka_host *host = &k->config->host;
    bool fine;

    if (!kafka_open(k, why))
        return after_failure(k);
    fine = run(k, why);
    if (k->producer.failure != PRODUCER_FINE) {
        producer_drop(&k->producer); /* now all is known about the failure */
        *why = k->producer.why;
    }
    if (host->end && (k->producer.failure == PRODUCER_FINE ||
                      k->producer.failure == PRODUCER_HOPELESS))
        host->end(host->context, k);
    if (k->producer.failure != PRODUCER_FINE || !save_all(k, why))
        return after_failure(k);
    return fine ? OUTCOME_DONE : OUTCOME_FAILED;
}

static bool init(struct kafka *k, struct fault *why)
{
    const struct kafka_config *c = k->config;
    struct message_by by;

    k->lenient = c->extractor;
    k->lenient.malformed = MALFORMED_PASS;
    k->within = c->open_shared ? 0 : c->goal.within; /* a server has a clock */
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
            kafka_close(k);
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
