/*
 * producer.h - sends messages to the output, and counts those that have arrived
 *
 * The producer is idempotent if the brokers support it: what it sends arrives
 * once and in order.  Otherwise it sends one request at a time and none twice.
 * In both cases nothing more is sent after a delivery has failed: the caller
 * begins anew, as after a crash.
 */
#ifndef PRODUCER_H
#define PRODUCER_H

#include "message.h"
#include "rdkafka_library.h"

enum producer_failure {
    PRODUCER_FINE,
    PRODUCER_FAILED,  /* a delivery failed: try again from the checkpoint */
    PRODUCER_OLD,     /* the brokers do not support idempotent producers */
    PRODUCER_HOPELESS /* trying again would fail again */
};

/* Counts of the messages sent to a partition of an output, and of those that
   have arrived; they arrive in the order of sending. */
struct arrivals {
    int64_t *end; /* at least the offset + 1 of what has arrived */
    uint64_t sent, arrived;
};

struct producer {
    rd_kafka_t *rk;
    enum producer_failure failure;
    struct fault why;    /* of the failure */
    bool offset_unknown; /* a broker did not report the offset of a message */
    uint64_t time_out;   /* ns after which fetched messages are not sent any
                            more; 0: they are always sent */
    uint64_t send_until; /* that time, by clock_now() */
};

/* conf becomes the producer's, or is freed. */
bool producer_open(struct producer *p, rd_kafka_conf_t *conf,
                   struct fault *why);

/* Drops the messages that are on their way. */
void producer_close(struct producer *p);

/*
 * Sends a copy of a message to the same partition of a topic, and counts it in
 * *arrivals, which must live until it has arrived, or until producer_drop()
 * returns.  Waits while too many are on their way.  Returns false after a
 * failure.
 */
bool producer_send(struct producer *p, rd_kafka_topic_t *topic,
                   const rd_kafka_message_t *m, struct arrivals *arrivals);

/*
 * To be called before messages are fetched.  They are sent within the time-out,
 * or not at all: a process that is paused for longer may have lost their
 * partition to another one of its group, which sends them.
 */
void producer_begin(struct producer *p);

/* Counts the messages that have arrived. */
void producer_poll(struct producer *p);

/* Waits until all messages have arrived.  Returns false if one failed. */
bool producer_flush(struct producer *p);

/* Drops the messages that are on their way. */
void producer_drop(struct producer *p);

#endif
