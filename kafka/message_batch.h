/*
 * message_batch.h - keys, times and verdicts of messages that follow each other
 *
 * The messages of a partition are records of the engine's window; those that
 * have no part to be compared get their verdict here.
 */
#ifndef MESSAGE_BATCH_H
#define MESSAGE_BATCH_H

#include "message.h"
#include "window.h"

enum { MESSAGE_BATCH_MOST = 4096 }; /* messages at a time */

struct message_batch {
    const struct extractor *extractor;
    struct message_by by;
    bool timed;      /* the filter has a clock */
    uint64_t within; /* the window of the filters, 0: none */

    size_t n; /* messages that have a verdict, or a key */
    uint8_t verdict[MESSAGE_BATCH_MOST];
    uint32_t
        message[MESSAGE_BATCH_MOST]; /* index of the message of each record */
    struct window window;
};

/* Returns false if there is no memory; to be freed in any case. */
bool message_batch_init(struct message_batch *b, const struct extractor *x,
                        const struct message_by *by, uint64_t within);
void message_batch_free(struct message_batch *b);

/* Returns whether the time of messages comes from themselves, not from their
   arrival: only then do verdicts not depend on when they are decided. */
bool message_batch_has_time(const struct message_batch *b,
                            const rd_kafka_message_t *m);

/*
 * Takes the keys and times of up to MESSAGE_BATCH_MOST messages.  Returns false
 * and sets *why if the run must end at a malformed message; b->n messages are
 * before it.
 */
bool message_batch_extract(struct message_batch *b,
                           rd_kafka_message_t *const *messages, size_t n,
                           const freshet_hasher *hasher, struct fault *why);

/*
 * Decides the keys by the operation, and sets the verdicts of all messages.
 * The clock *now is advanced.  Returns false and sets *why if the decider
 * failed.
 */
bool message_batch_decide(struct message_batch *b, struct decider *d,
                          uint64_t *now, enum decider_operation operation,
                          struct fault *why);

/* Remembers n keys with their times; their messages need not exist any more. */
bool message_batch_remember(struct message_batch *b, struct decider *d,
                            uint64_t *now, const freshet_hash *key,
                            const uint64_t *time, size_t n, struct fault *why);

#endif
