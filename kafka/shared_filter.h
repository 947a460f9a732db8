/*
 * shared_filter.h - one filter for all partitions and for other processes
 *
 * It is asked about keys, and told to remember them when their messages have
 * arrived in the output.  Until then they count as seen in this process.  A
 * process that is killed in between leaves keys that are in the output and not
 * remembered; the next owner of the partition finds them there.
 */
#ifndef SHARED_FILTER_H
#define SHARED_FILTER_H

#include "decider.h"
#include "producer.h"

enum { OUT, DUP, OUTPUTS }; /* the topics that are written */

/* Keys that were asked about, in the order of the questions. */
struct asked_keys {
    size_t keys;
    const struct arrivals *arrivals; /* of the partition, by output; NULL: their
                                        messages are in the output */
    uint64_t sent[OUTPUTS];          /* number of arrivals by which all messages
                                        of these keys have arrived */
};

struct shared_filter {
    struct decider *decider;
    struct asked_keys *asked; /* n from first on are not remembered */
    size_t first, n, room;
};

/*
 * To be called when the decider has decided this many keys of a partition and
 * their messages are sent.  Does nothing if there is no shared filter.  Returns
 * false and sets *why if there is no memory.
 */
bool shared_asked(struct shared_filter *s, size_t keys,
                  const struct arrivals *arrivals, struct fault *why);

/* Remembers the keys whose messages have arrived. */
void shared_remember(struct shared_filter *s);

/* Waits until all keys are remembered; all messages must have arrived.  Returns
   false and sets *why if it is not. */
bool shared_finish(struct shared_filter *s, struct fault *why);

/* Forgets what was asked and is not remembered. */
void shared_close(struct shared_filter *s);

#endif
