/*
 * producer.c - sends messages to the output, and counts those that have arrived
 */
#include "producer.h"

#include <inttypes.h>

#include "clock.h"
#include "duration.h"
#include "signals.h"

enum { WAIT = 100, PATIENT = 1000 }; /* milliseconds */

/* Keeps the first failure, unless a later one shows that trying again is
   useless. */
static void fail(struct producer *p, enum producer_failure failure,
                 const char *words)
{
    if (p->failure == PRODUCER_HOPELESS ||
        (p->failure != PRODUCER_FINE && failure != PRODUCER_HOPELESS))
        return;
    p->failure = failure;
    fault_set(&p->why, "%s", words);
}

static bool is_hopeless(rd_kafka_resp_err_t err)
{
    return err == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE ||
           err == RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE ||
           err == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED ||
           err == RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED ||
           err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
           err == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
           err == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION;
}

static bool is_too_large(rd_kafka_resp_err_t err)
{
    return err == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE ||
           err == RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE;
}

static void fail_delivery(struct producer *p, rd_kafka_resp_err_t err,
                          const rd_kafka_message_t *m)
{
    struct fault why;

    fault_set(&why,
              "partition %" PRId32 ": a message of %zu bytes was not delivered:"
              " %s%s",
              m->partition, m->len + m->key_len, rdk.rd_kafka_err2str(err),
              is_too_large(err) ? "; raise the output's limit, or "
                                  "-X message.max.bytes"
                                : "");
    fail(p, is_hopeless(err) ? PRODUCER_HOPELESS : PRODUCER_FAILED, why.text);
}

/* Handles an error after which this producer sends nothing more. */
static void fail_fatally(struct producer *p, rd_kafka_t *rk)
{
    char text[512] = "";
    rd_kafka_resp_err_t err = rdk.rd_kafka_fatal_error(rk, text, sizeof text);

    fail(p,
         err == RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE ? PRODUCER_OLD
                                                       : PRODUCER_FAILED,
         text);
}

static void delivered(rd_kafka_t *rk, const rd_kafka_message_t *m, void *opaque)
{
    struct producer *p = opaque;
    struct arrivals *arrivals = m->_private;

    arrivals->arrived += !m->err;
    if (m->err == RD_KAFKA_RESP_ERR__FATAL)
        fail_fatally(p, rk);
    else if (m->err)
        fail_delivery(p, m->err, m);
    else if (m->offset < 0)
        p->offset_unknown = true;
    else if (*arrivals->end <= m->offset)
        *arrivals->end = m->offset + 1;
}

/* Only an error that no later attempt can mend is a failure here: librdkafka
   keeps trying to connect, and deliveries have their time-out. */
static void trouble(rd_kafka_t *rk, int err, const char *reason, void *opaque)
{
    if (err == RD_KAFKA_RESP_ERR__AUTHENTICATION)
        fail(opaque, PRODUCER_HOPELESS, reason);
    else if (err == RD_KAFKA_RESP_ERR__FATAL)
        fail_fatally(opaque, rk);
}

bool producer_open(struct producer *p, rd_kafka_conf_t *conf, struct fault *why)
{
    char text[512];

    *p = (struct producer){0};
    rdk.rd_kafka_conf_set_opaque(conf, p);
    rdk.rd_kafka_conf_set_dr_msg_cb(conf, delivered);
    rdk.rd_kafka_conf_set_error_cb(conf, trouble);
    signals_hold(true);
    p->rk = rdk.rd_kafka_new(RD_KAFKA_PRODUCER, conf, text, sizeof text);
    signals_hold(false);
    if (p->rk)
        return true;
    rdk.rd_kafka_conf_destroy(conf);
    return fault_set(why, "%s", text);
}

void producer_drop(struct producer *p)
{
    (void)rdk.rd_kafka_purge(p->rk, RD_KAFKA_PURGE_F_QUEUE |
                                        RD_KAFKA_PURGE_F_INFLIGHT);
    while (rdk.rd_kafka_outq_len(p->rk) > 0)
        (void)rdk.rd_kafka_poll(p->rk, WAIT);
}

void producer_close(struct producer *p)
{
    if (!p->rk)
        return;
    producer_drop(p);
    rdk.rd_kafka_destroy(p->rk);
    p->rk = NULL;
}

void producer_poll(struct producer *p)
{
    (void)rdk.rd_kafka_poll(p->rk, 0);
}

static rd_kafka_headers_t *copy_headers(const rd_kafka_message_t *m)
{
    rd_kafka_headers_t *headers;

    if (rdk.rd_kafka_message_headers(m, &headers) != 0)
        return NULL;
    return rdk.rd_kafka_headers_copy(headers);
}

static rd_kafka_resp_err_t error_code(rd_kafka_error_t *error)
{
    rd_kafka_resp_err_t code = RD_KAFKA_RESP_ERR_NO_ERROR;

    if (error) {
        code = rdk.rd_kafka_error_code(error);
        rdk.rd_kafka_error_destroy(error);
    }
    return code;
}

static rd_kafka_resp_err_t try_send(struct producer *p, rd_kafka_topic_t *topic,
                                    const rd_kafka_message_t *m,
                                    struct arrivals *arrivals)
{
    rd_kafka_headers_t *headers = copy_headers(m);
    rd_kafka_vu_t part[] = {
        {.vtype = RD_KAFKA_VTYPE_RKT, .u.rkt = topic},
        {.vtype = RD_KAFKA_VTYPE_PARTITION, .u.i32 = m->partition},
        {.vtype = RD_KAFKA_VTYPE_MSGFLAGS, .u.i = RD_KAFKA_MSG_F_COPY},
        {.vtype = RD_KAFKA_VTYPE_VALUE, .u.mem = {m->payload, m->len}},
        {.vtype = RD_KAFKA_VTYPE_KEY, .u.mem = {m->key, m->key_len}},
        {.vtype = RD_KAFKA_VTYPE_TIMESTAMP,
         .u.i64 = (int64_t)(message_time(m) / 1000000)},
        {.vtype = RD_KAFKA_VTYPE_OPAQUE, .u.ptr = arrivals},
        {.vtype = RD_KAFKA_VTYPE_HEADERS, .u.headers = headers}, /* the last */
    };
    size_t n = sizeof part / sizeof *part - (headers == NULL);
    rd_kafka_resp_err_t err =
        error_code(rdk.rd_kafka_produceva(p->rk, part, n));

    if (err && headers)
        rdk.rd_kafka_headers_destroy(headers);
    return err;
}

void producer_begin(struct producer *p)
{
    p->send_until = clock_now() + p->time_out;
}

static void check_time(struct producer *p, const rd_kafka_message_t *m)
{
    char text[DURATION_TEXT];
    struct fault why;

    if (!p->time_out || clock_now() <= p->send_until)
        return;
    fault_set(&why,
              "partition %" PRId32 ": a message was fetched more than %s ago, "
              "and another process may have sent it",
              m->partition, duration_text(text, p->time_out));
    fail(p, PRODUCER_FAILED, why.text);
}

bool producer_send(struct producer *p, rd_kafka_topic_t *topic,
                   const rd_kafka_message_t *m, struct arrivals *arrivals)
{
    rd_kafka_resp_err_t err;

    check_time(p, m);
    while (p->failure == PRODUCER_FINE) {
        err = try_send(p, topic, m, arrivals);
        if (!err) {
            arrivals->sent++;
            return true;
        }
        if (err == RD_KAFKA_RESP_ERR__FATAL)
            fail_fatally(p, p->rk);
        else if (err != RD_KAFKA_RESP_ERR__QUEUE_FULL)
            fail_delivery(p, err, m);
        else
            (void)rdk.rd_kafka_poll(p->rk, WAIT);
    }
    return false;
}

bool producer_flush(struct producer *p)
{
    while (p->failure == PRODUCER_FINE && rdk.rd_kafka_outq_len(p->rk) > 0)
        (void)rdk.rd_kafka_flush(p->rk, PATIENT);
    return p->failure == PRODUCER_FINE;
}
