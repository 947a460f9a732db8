/*
 * message.h - the parts of a message
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "fault.h"
#include "freshet.h"
#include "rdkafka_library.h"
#include "view.h"

enum message_part { PART_VALUE, PART_KEY, PART_HEADER };

/* Which part of a message is compared. */
struct message_by {
    enum message_part part;
    const char *header; /* name of the header */
};

/* Parses "value", "key" or "header:NAME". */
bool message_by_read(struct message_by *by, const char *text,
                     struct fault *why);

/* Sets *out to that part.  Returns false if the message does not have it. */
bool message_part(const rd_kafka_message_t *m, const struct message_by *by,
                  struct view *out);

/* Returns the time of a message in nanoseconds since 1970, or 0 if it has
   none. */
uint64_t message_time(const rd_kafka_message_t *m);

/* Returns a hash of value, key and headers: equal messages have equal ones. */
freshet_hash message_identity(const rd_kafka_message_t *m,
                              const freshet_hasher *hasher);

#endif
