/*
 * kafka_poll.c - passes messages and events of the consumer to their partitions
 */
#include <inttypes.h>

#include "clock.h"
#include "partition.h"

enum { WAIT = 100 }; /* milliseconds for a message */

static bool is_before_stop(const struct kafka *k, const rd_kafka_message_t *m)
{
    return !k->stop_at || m->offset < k->stop_at[m->partition];
}

/* Decides the messages that follow each other in one partition. */
static bool decide_run(struct kafka *k, rd_kafka_message_t **m, size_t n,
                       struct fault *why)
{
    struct partition *p = k->partition[m[0]->partition];

    if (!p) /* another process has it now */
        return true;
    while (n && !is_before_stop(k, m[n - 1])) {
        if (p->offsets.next < k->stop_at[p->number] && n == 1)
            p->offsets.next = k->stop_at[p->number];
        n--;
    }
    while (n && m[0]->offset < p->offsets.next) { /* decided before */
        m++;
        n--;
    }
    return !n || partition_decide(p, m, n, why);
}

static bool handle_event(struct kafka *k, const rd_kafka_message_t *m,
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

static bool handle_batch(struct kafka *k, rd_kafka_message_t **m, size_t n,
                         struct fault *why)
{
    for (size_t i = 0, end; i < n; i = end) {
        bool fine;

        end = i + 1;
        if (!m[i]->err)
            while (end < n && !m[end]->err &&
                   m[end]->partition == m[i]->partition)
                end++;
        fine = m[i]->err ? handle_event(k, m[i], why)
                         : decide_run(k, m + i, end - i, why);
        if (!fine)
            return false;
    }
    return true;
}

bool kafka_poll(struct kafka *k, struct fault *why)
{
    static rd_kafka_message_t *m[MESSAGE_BATCH_MOST];
    ssize_t more = 0;
    size_t n;
    bool fine;

    producer_begin(&k->producer);
    m[0] = rdk.rd_kafka_consumer_poll(k->consumer, WAIT);
    if (!m[0])
        return true;
    more = rdk.rd_kafka_consume_batch_queue(k->queue, 0, m + 1,
                                            MESSAGE_BATCH_MOST - 1);
    n = 1 + (more > 0 ? (size_t)more : 0);
    if (!m[n - 1]->err)
        k->answered_at = clock_now();
    fine = handle_batch(k, m, n, why);
    for (size_t i = 0; i < n; i++)
        rdk.rd_kafka_message_destroy(m[i]);
    return fine;
}
