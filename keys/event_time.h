/*
 * event_time.h - reads the time of a record's event from the record
 *
 * The place of the time is a key of one part.
 */
#ifndef EVENT_TIME_H
#define EVENT_TIME_H

#include "key.h"

/* Where records have their time.  All zero if it is not used. */
struct event_time {
    struct key *key;    /* NULL: not used */
    bool with_key;      /* the records' key finds the time in the same pass */
    const char *format; /* format for strptime(); NULL: those of timestamp.h */
    uint64_t max_skew;  /* nanoseconds that a time may be ahead of the machine's
                           clock; EVENT_TIME_NO_LIMIT: any number */
};

#define EVENT_TIME_MAX_SKEW UINT64_C(3600000000000) /* the default: one hour */
#define EVENT_TIME_NO_LIMIT UINT64_MAX

/*
 * Compiles the place of the time: a column if the key consists of columns; a
 * path if the key consists of paths or if the text begins like one; fields if
 * it is a number or a range of numbers, with the key's separator; else a
 * regular expression, whose first group is used.  NULL is no time.  Returns
 * false and sets *why if the text is none of these.  To be freed in any case.
 */
bool event_time_create(struct event_time *t, const char *where,
                       const struct key *key, struct fault *why);
void event_time_free(struct event_time *t);

/* Returns whether it is a field such as 4, or a range such as 1-3. */
bool event_time_is_fields(const char *where);

/* Sets the format of times for strptime(); it must outlive t.  Returns false
   and sets *why if the format does not determine the day. */
bool event_time_set_format(struct event_time *t, const char *format,
                           struct fault *why);

/* The same as key_clone() and key_with_header(); to be freed in any case. */
bool event_time_clone(struct event_time *clone, const struct event_time *t);
bool event_time_with_header(struct event_time *found,
                            const struct event_time *t, struct view header,
                            struct fault *why);

bool event_time_is_set(const struct event_time *t);

/* Returns the latest time that is accepted now, for records and for saved
   filters: the machine's clock plus max_skew. */
uint64_t event_time_latest(uint64_t max_skew);

/*
 * Sets *ns to a record's time in nanoseconds since 1970.  with_key is the
 * scratch that key_of() has used for the record; scratch is another one.
 * Returns NULL, or what is wrong with the record: its time is missing, cannot
 * be read, or is after the latest.
 */
const char *event_time_of(const struct event_time *t, struct view record,
                          const struct key_scratch *with_key,
                          struct key_scratch *scratch, uint64_t latest,
                          uint64_t *ns);

#endif
