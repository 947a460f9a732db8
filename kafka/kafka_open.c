/*
 * kafka_open.c - opens the clients, topics and tables of a run
 */
#include <inttypes.h>
#include <stdlib.h>

#include "clock.h"
#include "partition.h"
#include "signals.h"

#define CREATION UINT64_C(5000000000) /* ns for a broker to create a topic */

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
    uint64_t time_out = conf ? settings_time_out(conf) : 0;

    if (!conf || !producer_open(&k->producer, conf, why))
        return false;
    if (k->config->group)
        k->producer.time_out = time_out;
    for (int i = 0; i < OUTPUTS; i++)
        if (kafka_topic_name(k, i))
            k->topic[i] = rdk.rd_kafka_topic_new(k->producer.rk,
                                                 kafka_topic_name(k, i), NULL);
    return true;
}

static bool open_shared(struct kafka *k, struct fault *why)
{
    const struct kafka_config *c = k->config;

    if (!c->open_shared)
        return true;
    k->shared.decider = c->open_shared(c->shared_context, why);
    return k->shared.decider;
}

static bool try_to_count(struct kafka *k, struct fault *why)
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
    k->answered_at = clock_now();
    return true;
}

/* Waits for a topic that is missing: a broker creates topics and partitions a
   moment after it was asked to. */
static bool count_partitions(struct kafka *k, struct fault *why)
{
    uint64_t retry = k->config->retry;
    uint64_t until = clock_now() + (retry < CREATION ? retry : CREATION);

    while (!try_to_count(k, why)) {
        if (k->reader.is_refused || signals_end() || clock_now() >= until)
            return false;
        (void)signals_wait(-1, CREATION / 50);
    }
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

    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): topics have partitions */
    k->share = memory / n;
    if (!k->partition)
        k->partition = calloc(n, sizeof *k->partition);
    if (!k->figures)
        k->figures = calloc(n, sizeof *k->figures);
    return (k->partition && k->figures) || fault_set(why, "out of memory");
}

bool kafka_open(struct kafka *k, struct fault *why)
{
    k->failed = false;
    return open_reader(k, why) && count_partitions(k, why) &&
           make_tables(k, why) && find_stop(k, why) && open_producer(k, why) &&
           open_shared(k, why) && consumer_open(k, why);
}

void kafka_close(struct kafka *k)
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
    shared_close(&k->shared);
    topic_close(&k->reader);
}
