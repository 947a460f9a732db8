/*
 * topic_reader.c - reads the partitions, offsets and messages of topics
 */
#include "topic_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "duration.h"
#include "signals.h"

enum { SLICE = 1000, MOMENT = 100, BATCH = 1024 }; /* ms, ms, messages */

/* ---- Errors ----------------------------------------------------------- */

/* Returns what is wrong with a certificate: OpenSSL's numbers X509_V_ERR_. */
static const char *certificate_words(int error)
{
    switch (error) {
    case 9:
        return "is not valid yet";
    case 10:
        return "has expired";
    case 62:
    case 64:
        return "is for another host";
    default:
        return "is of an authority that -X ssl.ca.location does not name, or "
               "is not valid";
    }
}

/* Implements librdkafka's callback, in its threads: keeps OpenSSL's verdict. */
static int verify(rd_kafka_t *rk, const char *broker, int32_t id, int *error,
                  int depth, const char *buf, size_t size, char *text,
                  size_t text_size, void *opaque)
{
    struct topic_reader *r = opaque;

    (void)rk, (void)broker, (void)id, (void)depth, (void)buf, (void)size;
    if (!*error)
        return 1;
    r->certificate = *error;
    snprintf(text, text_size, "it %s", certificate_words(*error));
    return 0;
}

static void trouble(rd_kafka_t *rk, int err, const char *reason, void *opaque)
{
    struct topic_reader *r = opaque;

    (void)rk;
    if (err == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN && r->trouble.text[0])
        return;
    r->is_tls = err == RD_KAFKA_RESP_ERR__SSL;
    if (err == RD_KAFKA_RESP_ERR__AUTHENTICATION ||
        (r->is_tls && r->certificate))
        r->is_refused = true;
    fault_set(&r->trouble, "%s", reason);
}

static bool refused(const struct topic_reader *r, struct fault *why)
{
    if (!r->is_tls)
        return fault_set(why, "the brokers refuse the connection: %s",
                         r->trouble.text);
    return fault_set(why, "a broker's certificate %s (%s)",
                     certificate_words(r->certificate), r->trouble.text);
}

static bool no_answer(const struct topic_reader *r, uint64_t retry,
                      rd_kafka_resp_err_t err, struct fault *why)
{
    char text[DURATION_TEXT];

    if (signals_end())
        return fault_set(why, "ended by a signal");
    if (r->is_refused)
        return refused(r, why);
    return fault_set(why, "no broker answered within %s: %s; check %s",
                     duration_text(text, retry),
                     r->trouble.text[0] ? r->trouble.text
                                        : rdk.rd_kafka_err2str(err),
                     r->is_tls ? "-X security.protocol and the certificates"
                               : "--brokers, or wait longer by --retry");
}

/* ---- Opening ---------------------------------------------------------- */

bool topic_open(struct topic_reader *r, rd_kafka_conf_t *conf, uint64_t retry,
                struct fault *why)
{
    char text[512];

    *r = (struct topic_reader){.retry = retry};
    rdk.rd_kafka_conf_set_opaque(conf, r);
    rdk.rd_kafka_conf_set_error_cb(conf, trouble);
    (void)rdk.rd_kafka_conf_set_ssl_cert_verify_cb(conf, verify);
    signals_hold(true);
    r->rk = rdk.rd_kafka_new(RD_KAFKA_CONSUMER, conf, text, sizeof text);
    signals_hold(false);
    if (r->rk)
        return true;
    rdk.rd_kafka_conf_destroy(conf);
    return fault_set(why, "%s", text);
}

void topic_close(struct topic_reader *r)
{
    if (r->rk)
        rdk.rd_kafka_destroy(r->rk);
    r->rk = NULL;
}

/* Returns whether to ask once more: no answer yet, and time left. */
static bool may_ask_again(struct topic_reader *r, uint64_t until)
{
    (void)rdk.rd_kafka_poll(r->rk, 0);
    return !r->is_refused && !signals_end() && clock_now() < until;
}

/* ---- Topics ----------------------------------------------------------- */

static bool count_partitions(const struct rd_kafka_metadata *found,
                             const char *topic, int32_t *n, struct fault *why)
{
    for (int i = 0; i < found->topic_cnt; i++) {
        const struct rd_kafka_metadata_topic *t = &found->topics[i];

        if (strcmp(t->topic, topic) != 0)
            continue;
        if (t->err)
            return fault_set(why, "topic %s: %s", topic,
                             rdk.rd_kafka_err2str(t->err));
        *n = t->partition_cnt;
        return *n > 0 || fault_set(why, "topic %s has no partitions", topic);
    }
    *n = 0;
    return fault_set(why, "there is no topic %s; make it first", topic);
}

/* Returns how long one question may take, in milliseconds. */
static int slice(uint64_t retry)
{
    uint64_t ms = retry / 1000000;

    return ms > 0 && ms < SLICE ? (int)ms : SLICE;
}

/* Asks for all topics: to ask for one might create it. */
bool topic_partitions(struct topic_reader *r, const char *topic, uint64_t retry,
                      int32_t *n, struct fault *why)
{
    uint64_t until = clock_now() + retry;
    const struct rd_kafka_metadata *found;
    rd_kafka_resp_err_t err;
    bool known;

    do
        err = rdk.rd_kafka_metadata(r->rk, 1, NULL, &found, slice(retry));
    while (err && may_ask_again(r, until));
    if (err)
        return no_answer(r, retry, err, why);
    known = count_partitions(found, topic, n, why);
    rdk.rd_kafka_metadata_destroy(found);
    return known;
}

/*
 * Asks for the offset at a time, or at one of librdkafka's numbers for the
 * beginning and the end.  rd_kafka_query_watermark_offsets() would do that as
 * well, and waits for ever if the broker is gone (librdkafka 2.0).
 */
static rd_kafka_resp_err_t ask_offset(struct topic_reader *r, const char *topic,
                                      int32_t partition, int64_t at,
                                      int64_t *offset)
{
    rd_kafka_topic_partition_list_t *list =
        rdk.rd_kafka_topic_partition_list_new(1);
    rd_kafka_resp_err_t err;

    rdk.rd_kafka_topic_partition_list_add(list, topic, partition)->offset = at;
    err = rdk.rd_kafka_offsets_for_times(r->rk, list, slice(r->retry));
    if (!err)
        err = list->elems[0].err;
    *offset = list->elems[0].offset;
    rdk.rd_kafka_topic_partition_list_destroy(list);
    return err;
}

/* Learns the partitions' leaders anew: the one that was known may be gone. */
static void refresh_leaders(struct topic_reader *r)
{
    const struct rd_kafka_metadata *found;

    if (rdk.rd_kafka_metadata(r->rk, 1, NULL, &found, slice(r->retry)) == 0)
        rdk.rd_kafka_metadata_destroy(found);
}

bool topic_ends(struct topic_reader *r, const char *topic, int32_t partition,
                int64_t *low, int64_t *high, struct fault *why)
{
    uint64_t until = clock_now() + r->retry;
    rd_kafka_resp_err_t err;

    do {
        err = ask_offset(r, topic, partition, RD_KAFKA_OFFSET_BEGINNING, low);
        if (!err)
            err = ask_offset(r, topic, partition, RD_KAFKA_OFFSET_END, high);
        if (err)
            refresh_leaders(r);
    } while (err && may_ask_again(r, until));
    return !err || no_answer(r, r->retry, err, why);
}

int64_t topic_offset_at(struct topic_reader *r, const char *topic,
                        int32_t partition, uint64_t time)
{
    int64_t offset;

    return ask_offset(r, topic, partition, (int64_t)(time / 1000000),
                      &offset) == 0
               ? offset
               : -1;
}

/* ---- Messages --------------------------------------------------------- */

struct reading {
    const struct topic_range *range;
    rd_kafka_topic_t *topic;
    rd_kafka_message_t *message[BATCH];
    int64_t next; /* all before it are taken */
    struct fault *why;
};

/* Hands out the messages of a batch that are before the end of the range. */
static bool hand_out(struct reading *g, size_t n)
{
    const struct topic_range *range = g->range;
    size_t good = 0;

    for (size_t i = 0; i < n; i++) {
        const rd_kafka_message_t *m = g->message[i];

        if (m->err == RD_KAFKA_RESP_ERR__PARTITION_EOF)
            g->next = m->offset > g->next ? m->offset : g->next;
        else if (m->err)
            return fault_set(g->why, "topic %s, partition %" PRId32 ": %s",
                             range->topic, range->partition,
                             rdk.rd_kafka_err2str(m->err));
        else if (m->offset < range->to) {
            rd_kafka_message_t *swap = g->message[good];

            g->next = m->offset + 1;
            g->message[good++] = g->message[i];
            g->message[i] = swap;
        } else
            g->next = range->to;
    }
    return !good || range->take(range->context, g->message, good, g->why);
}

/* Waits for one message, and fetches those that have come then. */
static size_t fetch(struct reading *g)
{
    int32_t partition = g->range->partition;
    ssize_t more;

    g->message[0] = rdk.rd_kafka_consume(g->topic, partition, MOMENT);
    if (!g->message[0])
        return 0;
    more = rdk.rd_kafka_consume_batch(g->topic, partition, 0, g->message + 1,
                                      BATCH - 1);
    return 1 + (more > 0 ? (size_t)more : 0);
}

static bool read_all(struct topic_reader *r, struct reading *g)
{
    uint64_t until = clock_now() + r->retry;

    while (g->next < g->range->to) {
        size_t n = fetch(g);
        bool fine;

        if (!n && !may_ask_again(r, until))
            return no_answer(r, r->retry, RD_KAFKA_RESP_ERR__TIMED_OUT, g->why);
        if (!n)
            continue;
        until = clock_now() + r->retry;
        fine = hand_out(g, n);
        for (size_t i = 0; i < n; i++)
            rdk.rd_kafka_message_destroy(g->message[i]);
        if (!fine || signals_end())
            return fine && fault_set(g->why, "ended by a signal");
    }
    return true;
}

bool topic_read(struct topic_reader *r, const struct topic_range *range,
                struct fault *why)
{
    struct reading g = {.range = range, .next = range->from, .why = why};
    bool fine;

    if (range->from >= range->to)
        return true;
    g.topic = rdk.rd_kafka_topic_new(r->rk, range->topic, NULL);
    if (!g.topic ||
        rdk.rd_kafka_consume_start(g.topic, range->partition, range->from) < 0)
        fine = fault_set(why, "topic %s: %s", range->topic,
                         rdk.rd_kafka_err2str(rdk.rd_kafka_last_error()));
    else {
        fine = read_all(r, &g);
        (void)rdk.rd_kafka_consume_stop(g.topic, range->partition);
    }
    if (g.topic)
        rdk.rd_kafka_topic_destroy(g.topic);
    return fine;
}
