/*
 * producer.h - messages on their way to the output, and which have arrived
 *
 * The producer is idempotent where the brokers can: what it sends arrives once
 * and in order.  Otherwise it sends one request at a time and none twice.  In
 * both cases, after a delivery that failed nothing more is sent: the caller
 * begins anew, as after a crash.
 */
#ifndef PRODUCER_H
#define PRODUCER_H

#include "message.h"
#include "rdkafka_library.h"

enum producer_failure {
    PRODUCER_FINE,
    PRODUCER_FAILED,  /* a delivery: try again from the last checkpoint */
    PRODUCER_OLD,     /* the brokers know no idempotent producers */
    PRODUCER_HOPELESS /* trying again would fail again */
};

/* What was sent to a partition of an output, and what has arrived there; both
   are in the same order. */
struct arrivals {
    int64_t *end; /* at least the offset + 1 of what has arrived */
    uint64_t sent, arrived;
};

struct producer {
    rd_kafka_t *rk;
    enum producer_failure failure;
    struct fault why;    /* of the failure */
    bool offset_unknown; /* a message arrived, and not said at which offset */
};

/* conf becomes the producer's, or is freed. */
bool producer_open(struct producer *p, rd_kafka_conf_t *conf,
                   struct fault *why);

/* Drops what is on its way. */
void producer_close(struct producer *p);

/*
 * Send a copy of a message to the same partition of a topic, and count it in
 * *arrivals, which must live until it has arrived, or until producer_drop()
 * returns.  Waits while too many are on their way.  Returns false after a
 * failure.
 */
bool producer_send(struct producer *p, rd_kafka_topic_t *topic,
                   const rd_kafka_message_t *m, struct arrivals *arrivals);

/* Serve what has arrived. */
void producer_poll(struct producer *p);

/* Wait until all has arrived.  Returns false if something failed. */
bool producer_flush(struct producer *p);

/* Drop what is on its way. */
void producer_drop(struct producer *p);

#endif
