/*
 * topic_reader.h - reads the partitions, offsets and messages of topics
 */
#ifndef TOPIC_READER_H
#define TOPIC_READER_H

#include <stdatomic.h>
#include <stdint.h>

#include "fault.h"
#include "rdkafka_library.h"

struct topic_reader {
    rd_kafka_t *rk;
    uint64_t retry;  /* nanoseconds to wait for an answer */
    bool is_refused; /* by the brokers, or their certificate by us: waiting does
                        not help */
    struct fault trouble;   /* the last error that librdkafka reported */
    bool is_tls;            /* which is one of TLS */
    atomic_int certificate; /* what is wrong with a broker's certificate, by
                               OpenSSL's numbers, or 0; set by its threads */
};

/* conf becomes the reader's, or is freed. */
bool topic_open(struct topic_reader *r, rd_kafka_conf_t *conf, uint64_t retry,
                struct fault *why);
void topic_close(struct topic_reader *r);

/*
 * Sets *n to the number of partitions of a topic, and to 0 if the brokers do
 * not have it; leaves *n if they do not answer.  A topic that is missing is not
 * made by asking.  `retry` is the time to wait in nanoseconds.
 */
bool topic_partitions(struct topic_reader *r, const char *topic, uint64_t retry,
                      int32_t *n, struct fault *why);

/* Sets the first offset of a partition, and the one after its last. */
bool topic_ends(struct topic_reader *r, const char *topic, int32_t partition,
                int64_t *low, int64_t *high, struct fault *why);

/* Returns the offset of the first message of this time (nanoseconds since 1970)
   or later, or -1 if the broker does not know. */
int64_t topic_offset_at(struct topic_reader *r, const char *topic,
                        int32_t partition, uint64_t time);

/* Messages from one offset up to another; take() is called for each batch of
   them. */
struct topic_range {
    const char *topic;
    int32_t partition;
    int64_t from, to;
    bool (*take)(void *context, rd_kafka_message_t **messages, size_t n,
                 struct fault *why);
    void *context;
};

bool topic_read(struct topic_reader *r, const struct topic_range *range,
                struct fault *why);

#endif
