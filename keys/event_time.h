/*
 * event_time.h - when the event of a record happened, as the record says
 *
 * The place of the time is a key of one part.
 */
#ifndef EVENT_TIME_H
#define EVENT_TIME_H

#include "key.h"

/* Where the time stands.  All zero if records are not asked. */
struct event_time {
    struct key *key;    /* NULL: not asked */
    bool with_key;      /* the records' key finds the time on the way */
    const char *format; /* of the time, for strptime(); NULL: timestamp.h's */
    uint64_t max_skew;  /* nanoseconds a time may be ahead of the machine's
                          clock; EVENT_TIME_NO_LIMIT: any number */
};

#define EVENT_TIME_MAX_SKEW UINT64_C(3600000000000) /* by default: an hour */
#define EVENT_TIME_NO_LIMIT UINT64_MAX

/*
 * Compile where the time stands: a column if the key is of columns; a path if
 * the key is of paths or if the text begins like one; fields if it is a number
 * or a range of numbers, with the key's separator; else an expression, whose
 * first group is taken.  NULL is no time.  Returns false, with the reason in
 * why, if the text is none of these.  To be freed in any case.
 */
bool event_time_create(struct event_time *t, const char *where,
                       const struct key *key, struct fault *why);
void event_time_free(struct event_time *t);

/* Is it a field such as 4, or a range such as 1-3? */
bool event_time_is_fields(const char *where);

/* Read times by this format of strptime(), which must outlive t.  Returns false
   and a reason if the format does not say which day it is. */
bool event_time_set_format(struct event_time *t, const char *format,
                           struct fault *why);

/* As key_clone() and key_with_header() do; to be freed in any case. */
bool event_time_clone(struct event_time *clone, const struct event_time *t);
bool event_time_with_header(struct event_time *found,
                            const struct event_time *t, struct view header,
                            struct fault *why);

bool event_time_is_set(const struct event_time *t);

/* Returns the latest time that a clock may show now, for records and for saved
   filters: the machine's clock and max_skew. */
uint64_t event_time_latest(uint64_t max_skew);

/*
 * Set *ns to a record's time in nanoseconds since 1970.  with_key is the
 * scratch that key_of() has used for the record; scratch is another one.
 * Returns NULL, or what is wrong with the record: its time is missing, cannot
 * be read, or is after the latest.
 */
const char *event_time_of(const struct event_time *t, struct view record,
                          const struct key_scratch *with_key,
                          struct key_scratch *scratch, uint64_t latest,
                          uint64_t *ns);

#endif
