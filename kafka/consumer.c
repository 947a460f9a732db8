/*
 * consumer.c - the partitions of this process: those that the group assigns, or
 * all
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "partition.h"
#include "signals.h"

static void fail(struct kafka *k, const struct fault *why)
{
    if (!k->failed)
        k->why = *why;
    k->failed = true;
}

static int patience(const struct kafka *k)
{
    uint64_t ms = k->config->retry / 1000000;

    return ms < 1000000 ? (int)ms : 1000000;
}

/* ---- Committed offsets ------------------------------------------------ */

/* Writes the ends of the outputs into the text that is committed with an
   offset. */
static void note_ends(rd_kafka_topic_partition_t *to,
                      const struct offsets *offsets)
{
    char text[80];

    snprintf(text, sizeof text, "%" PRId64 " %" PRId64, offsets->end[OUT],
             offsets->end[DUP]);
    to->offset = offsets->next;
    to->metadata = strdup(text);
    to->metadata_size = to->metadata ? strlen(text) : 0;
}

static struct offsets read_committed(const rd_kafka_topic_partition_t *from)
{
    struct offsets offsets = {from->offset >= 0 ? from->offset : -1, {-1, -1}};
    char text[80];

    snprintf(text, sizeof text, "%.*s",
             from->metadata ? (int)from->metadata_size : 0,
             from->metadata ? (const char *)from->metadata : "");
    if (sscanf(text, "%" SCNd64 " %" SCNd64, &offsets.end[OUT],
               &offsets.end[DUP]) != 2)
        offsets.end[OUT] = offsets.end[DUP] = -1;
    return offsets;
}

/* Returns whether the group is changing, so that other processes may have the
   partitions and continue from the last commit. */
static bool is_rebalancing(rd_kafka_resp_err_t err)
{
    return err == RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION ||
           err == RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID ||
           err == RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS;
}

static void report_commit(const struct kafka *k, rd_kafka_resp_err_t err)
{
    if (err && err != RD_KAFKA_RESP_ERR__NO_OFFSET && !is_rebalancing(err))
        kafka_notice(k, "warning: offsets were not committed: %s",
                     rdk.rd_kafka_err2str(err));
}

/* Implements librdkafka's callback for commits that were not waited for. */
static void committed(rd_kafka_t *rk, rd_kafka_resp_err_t err,
                      rd_kafka_topic_partition_list_t *list, void *opaque)
{
    (void)rk, (void)list;
    report_commit(opaque, err);
}

void consumer_commit(struct kafka *k, bool wait)
{
    rd_kafka_topic_partition_list_t *list =
        rdk.rd_kafka_topic_partition_list_new(k->partitions);
    rd_kafka_resp_err_t err = 0;

    for (int32_t i = 0; i < k->partitions; i++) {
        struct partition *p = k->partition[i];

        if (!p || !p->is_kept)
            continue;
        p->is_kept = false;
        note_ends(rdk.rd_kafka_topic_partition_list_add(list, k->config->from,
                                                        i),
                  &p->kept);
    }
    if (k->config->group && list->cnt)
        err = rdk.rd_kafka_commit(k->consumer, list, !wait);
    report_commit(k, err);
    rdk.rd_kafka_topic_partition_list_destroy(list);
}

/* ---- Assigned partitions ---------------------------------------------- */

static bool open_partition(struct kafka *k, rd_kafka_topic_partition_t *at,
                           struct fault *why)
{
    struct offsets committed = read_committed(at);
    int32_t i = at->partition;

    if (i >= k->partitions)
        return fault_set(why,
                         "topic %s has more partitions than the %" PRId32
                         " it had when freshet began; give topic %s as many, "
                         "and start again",
                         at->topic, k->partitions, k->config->to);
    if (!k->partition[i])
        k->partition[i] = partition_open(k, i, &committed, why);
    if (!k->partition[i])
        return false;
    at->offset = k->partition[i]->offsets.next;
    return true;
}

/* Asks which offsets the group has committed; without a group there are
   none. */
static bool ask_committed(struct kafka *k,
                          rd_kafka_topic_partition_list_t *list,
                          struct fault *why)
{
    rd_kafka_resp_err_t err;

    if (!k->config->group)
        return true;
    err = rdk.rd_kafka_committed(k->consumer, list, patience(k));
    return !err || fault_set(why, "the group's offsets are not known: %s",
                             rdk.rd_kafka_err2str(err));
}

static bool open_partitions(struct kafka *k,
                            rd_kafka_topic_partition_list_t *list,
                            struct fault *why)
{
    for (int i = 0; i < list->cnt; i++)
        list->elems[i].offset = RD_KAFKA_OFFSET_INVALID;
    if (!ask_committed(k, list, why))
        return false;
    for (int i = 0; i < list->cnt; i++)
        if (!open_partition(k, &list->elems[i], why))
            return false;
    consumer_commit(k, true);
    k->assigned = true;
    return true;
}

/* ---- Revoked partitions ----------------------------------------------- */

static void close_one(struct kafka *k, int32_t i)
{
    partition_close(k->partition[i]);
    k->partition[i] = NULL;
}

static bool save_one(struct kafka *k, int32_t i, struct fault *why)
{
    return !k->partition[i] || partition_save(k->partition[i], why);
}

/* Drops partitions that another process may have by now: nothing is sent or
   saved any more. */
static void drop_partitions(struct kafka *k,
                            const rd_kafka_topic_partition_list_t *list)
{
    producer_drop(&k->producer);
    if (k->producer.failure == PRODUCER_FINE) /* then nothing was dropped */
        shared_remember(&k->shared);
    for (int i = 0; i < list->cnt; i++)
        close_one(k, list->elems[i].partition);
}

static bool give_up(struct kafka *k,
                    const rd_kafka_topic_partition_list_t *list,
                    struct fault *why)
{
    bool fine = kafka_flush(k, why);

    for (int i = 0; fine && i < list->cnt; i++)
        fine = save_one(k, list->elems[i].partition, why);
    if (fine)
        consumer_commit(k, true);
    else
        producer_drop(&k->producer); /* what is on its way counts in them */
    for (int i = 0; i < list->cnt; i++)
        close_one(k, list->elems[i].partition);
    return fine;
}

bool consumer_give_up(struct kafka *k, bool save, struct fault *why)
{
    rd_kafka_topic_partition_list_t *list =
        rdk.rd_kafka_topic_partition_list_new(k->partitions);
    bool fine = true;

    for (int32_t i = 0; i < k->partitions; i++)
        if (k->partition[i])
            rdk.rd_kafka_topic_partition_list_add(list, k->config->from, i);
    if (save)
        fine = give_up(k, list, why);
    else
        drop_partitions(k, list);
    rdk.rd_kafka_topic_partition_list_destroy(list);
    return fine;
}

/* ---- The group -------------------------------------------------------- */

static bool is_cooperative(rd_kafka_t *rk)
{
    const char *name = rdk.rd_kafka_rebalance_protocol(rk);

    return name && strcmp(name, "COOPERATIVE") == 0;
}

static void assign(struct kafka *k, rd_kafka_topic_partition_list_t *list)
{
    if (!is_cooperative(k->consumer))
        (void)rdk.rd_kafka_assign(k->consumer, list);
    else
        rdk.rd_kafka_error_destroy(
            rdk.rd_kafka_incremental_assign(k->consumer, list));
}

static void unassign(struct kafka *k, rd_kafka_topic_partition_list_t *list)
{
    if (!is_cooperative(k->consumer))
        (void)rdk.rd_kafka_assign(k->consumer, NULL);
    else
        rdk.rd_kafka_error_destroy(
            rdk.rd_kafka_incremental_unassign(k->consumer, list));
}

static void rebalance(rd_kafka_t *rk, rd_kafka_resp_err_t err,
                      rd_kafka_topic_partition_list_t *list, void *opaque)
{
    struct kafka *k = opaque;
    struct fault why = {""};

    if (err == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        if (k->failed || !open_partitions(k, list, &why)) {
            if (!k->failed)
                fail(k, &why);
            (void)rdk.rd_kafka_assign(rk, NULL);
        } else {
            assign(k, list);
            producer_begin(&k->producer); /* to open them takes time */
        }
        return;
    }
    k->assigned = false;
    if (k->failed || rdk.rd_kafka_assignment_lost(rk))
        drop_partitions(k, list);
    else if (!give_up(k, list, &why) && k->producer.failure == PRODUCER_FINE)
        fail(k, &why);
    unassign(k, list);
}

/* librdkafka keeps trying; only an error that no later attempt can mend ends
   the run.  What it says of each broker is the reason why there is none. */
static void trouble(rd_kafka_t *rk, int err, const char *reason, void *opaque)
{
    struct kafka *k = opaque;
    struct fault why;

    (void)rk;
    if (err == RD_KAFKA_RESP_ERR__AUTHENTICATION ||
        err == RD_KAFKA_RESP_ERR__FATAL) {
        fault_set(&why, "%s", reason);
        fail(k, &why);
    } else if (err == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
        kafka_notice(k, "warning: no broker can be reached (%s); trying again",
                     k->unreachable.text[0] ? k->unreachable.text : reason);
    } else {
        fault_set(&k->unreachable, "%s", reason);
    }
}

/* ---- Opening ---------------------------------------------------------- */

static bool create(struct kafka *k, struct fault *why)
{
    rd_kafka_conf_t *conf =
        settings_make(k->config, SETTINGS_CONSUMER, false, why);
    char text[512];

    if (!conf || !settings_share_fetch(conf, k->config, k->partitions, why)) {
        if (conf)
            rdk.rd_kafka_conf_destroy(conf);
        return false;
    }
    rdk.rd_kafka_conf_set_opaque(conf, k);
    rdk.rd_kafka_conf_set_rebalance_cb(conf, rebalance);
    rdk.rd_kafka_conf_set_offset_commit_cb(conf, committed);
    rdk.rd_kafka_conf_set_error_cb(conf, trouble);
    signals_hold(true);
    k->consumer = rdk.rd_kafka_new(RD_KAFKA_CONSUMER, conf, text, sizeof text);
    signals_hold(false);
    if (!k->consumer) {
        rdk.rd_kafka_conf_destroy(conf);
        return fault_set(why, "%s", text);
    }
    (void)rdk.rd_kafka_poll_set_consumer(k->consumer);
    k->queue = rdk.rd_kafka_queue_get_consumer(k->consumer);
    return true;
}

static bool join(struct kafka *k, struct fault *why)
{
    rd_kafka_topic_partition_list_t *list =
        rdk.rd_kafka_topic_partition_list_new(1);
    rd_kafka_resp_err_t err;

    rdk.rd_kafka_topic_partition_list_add(list, k->config->from,
                                          RD_KAFKA_PARTITION_UA);
    err = rdk.rd_kafka_subscribe(k->consumer, list);
    rdk.rd_kafka_topic_partition_list_destroy(list);
    return !err || fault_set(why, "topic %s: %s", k->config->from,
                             rdk.rd_kafka_err2str(err));
}

static bool assign_all(struct kafka *k, struct fault *why)
{
    rd_kafka_topic_partition_list_t *list =
        rdk.rd_kafka_topic_partition_list_new(k->partitions);
    bool fine;

    for (int32_t i = 0; i < k->partitions; i++)
        rdk.rd_kafka_topic_partition_list_add(list, k->config->from, i);
    fine = open_partitions(k, list, why);
    if (fine)
        (void)rdk.rd_kafka_assign(k->consumer, list);
    rdk.rd_kafka_topic_partition_list_destroy(list);
    return fine;
}

bool consumer_open(struct kafka *k, struct fault *why)
{
    k->assigned = false;
    return create(k, why) &&
           (k->config->group ? join(k, why) : assign_all(k, why));
}

void consumer_close(struct kafka *k)
{
    if (!k->consumer)
        return;
    rdk.rd_kafka_queue_destroy(k->queue);
    (void)rdk.rd_kafka_consumer_close(k->consumer);
    rdk.rd_kafka_destroy(k->consumer);
    k->consumer = NULL;
}
