/*
 * kafka.h - a topic without repeats: messages of one topic go to another
 *
 * Each partition is a stream with a filter of its own; partition N of the
 * input goes to partition N of the output.  The output topic is the truth:
 * after a crash the input is decided again from the saved offset with the
 * saved filter, and messages that the output already has are not produced
 * again (tail.h).
 *
 * Or one filter on a server decides for all partitions and other processes:
 * it is asked, messages are produced and acknowledged, then it remembers
 * (shared_filter.h).
 */
#ifndef KAFKA_H
#define KAFKA_H

#include "decider.h"
#include "extractor.h"
#include "freshet.h"
#include "goal.h"
#include "verdict.h"

enum kafka_rebuild { KAFKA_REBUILD_AUTO, KAFKA_REBUILD_NEVER };

struct kafka;

/* Functions of the caller, which the run calls. */
struct kafka_host {
    /* Called with a text that users should read and that is no fault. */
    void (*notice)(void *context, const char *text);
    /* Called many times a second, between messages. */
    void (*tick)(void *context, const struct kafka *k);
    /* Called when the last message is decided. */
    void (*end)(void *context, const struct kafka *k);
    void *context;
};

struct kafka_config {
    const char *brokers, *from, *to;
    const char *dup;              /* topic for repeats, or NULL */
    const char *group;            /* NULL: take all partitions */
    struct option_texts settings; /* "name=value" for librdkafka */
    const char *by;               /* what is compared: "value", "key" or
                                     "header:NAME" */
    bool until_end;
    int rebuild;         /* enum kafka_rebuild */
    uint64_t retry;      /* nanoseconds to wait for brokers */
    const char *state;   /* folder of the state files, or NULL */
    uint64_t checkpoint; /* nanoseconds between two checkpoints */
    struct goal_args goal;
    struct extractor extractor;
    struct kafka_host host;

    /* Opens a filter that all partitions share: it remembers a key when
       written() says so.  NULL: each partition has a filter of its own. */
    struct decider *(*open_shared)(void *context, struct fault *why);
    void *shared_context;
};

/* The figures of a partition, since the program began. */
struct kafka_figures {
    int32_t partition;
    bool assigned; /* this process has it now */
    struct engine_counts counts;
    uint64_t written;  /* bytes of the messages produced to the output */
    uint64_t produced; /* messages, to the output */
    uint64_t matched;  /* messages not produced again: the output had them */
    uint64_t foreign;  /* messages of the output that others produced */
    uint64_t rebuilt;  /* messages remembered from the output */
    int64_t next, lag; /* the next input offset; messages behind it */
    freshet_info info; /* of the filter, if assigned; memory 0: it is shared */
};

/*
 * Runs until the end of the input, a signal or a fault; a delivery that fails
 * is handled like a crash, in the same process.  Returns false and sets *why if
 * the run ended by a fault.  Messages decided and acknowledged before are
 * saved.
 */
bool kafka_run(const struct kafka_config *config, struct fault *why);

/* Returns the figures of partition i of the topic.  The filter is inspected
   only if `inside` is true. */
int32_t kafka_partitions(const struct kafka *k);
void kafka_get_figures(const struct kafka *k, int32_t i, bool inside,
                       struct kafka_figures *out);

/* Returns when a broker last answered, by clock_now(). */
uint64_t kafka_answered_at(const struct kafka *k);

#endif
