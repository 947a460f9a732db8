/*
 * kafka_internal.h - the run of freshet kafka, as its own files see it
 */
#ifndef KAFKA_INTERNAL_H
#define KAFKA_INTERNAL_H

#include "client_settings.h"
#include "kafka.h"
#include "message_batch.h"
#include "producer.h"
#include "shared_filter.h"
#include "topic_reader.h"

struct kafka {
    const struct kafka_config *config;
    struct extractor lenient; /* the same, and no message ends the run: for
                                 what the output already has */
    struct message_batch batch;
    uint64_t within; /* the window of the filters, 0: none */
    uint64_t share;  /* bytes of memory for each partition */
    bool idempotent; /* the producer is, unless a broker refuses it */
    bool trouble;    /* something went wrong, and the run went on */

    struct topic_reader reader;
    struct producer producer;
    struct shared_filter shared;      /* its decider is NULL: there is none */
    rd_kafka_topic_t *topic[OUTPUTS]; /* of the producer; DUP may be NULL */
    rd_kafka_t *consumer;
    rd_kafka_queue_t *queue;

    int32_t partitions;
    struct partition **partition;  /* by number; NULL: not ours */
    struct kafka_figures *figures; /* by number */
    int64_t *stop_at;              /* by number, with --until-end */
    bool assigned;                 /* false: the group has yet to say which
                                      partitions are ours */

    uint64_t checkpoint_at;
    uint64_t answered_at;     /* when a broker last answered */
    struct fault unreachable; /* why a broker could not be reached, or "" */
    bool is_missing[2];       /* the brokers have no input, no output topic */
    bool failed;              /* the run is over, by this fault: */
    struct fault why;
};

/* Reports to the user what is no fault. */
void kafka_notice(const struct kafka *k, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Calls the caller's tick(). */
void kafka_tick(struct kafka *k);

/* Returns the name of an output topic. */
const char *kafka_topic_name(const struct kafka *k, int output);

/*
 * Waits until all that was produced has arrived, and a shared filter has
 * remembered it.  Returns false and sets *why if something failed.
 */
bool kafka_flush(struct kafka *k, struct fault *why);

/* ---- kafka_open.c ------------------------------------------------------ */

/* Opens the clients, and counts the partitions.  Returns false and sets *why if
   the run cannot begin; to be closed in any case. */
bool kafka_open(struct kafka *k, struct fault *why);

/* Drops what was not saved. */
void kafka_close(struct kafka *k);

/* ---- kafka_poll.c ------------------------------------------------------ */

/* Waits for a message, and handles all that have come then.  Returns false and
   sets *why if the run must end. */
bool kafka_poll(struct kafka *k, struct fault *why);

/* ---- The consumer's side: consumer.c ----------------------------------- */

/* Joins the group, or takes all partitions if there is no group. */
bool consumer_open(struct kafka *k, struct fault *why);

/* Gives up all partitions: saves them and commits, or drops what was not
   saved. */
bool consumer_give_up(struct kafka *k, bool save, struct fault *why);
void consumer_close(struct kafka *k);

/* Commits the offsets that are saved, and waits for the answer if `wait` is
   true. */
void consumer_commit(struct kafka *k, bool wait);

#endif
