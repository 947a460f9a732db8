/*
 * event_time.h - when a record says that it happened
 */
#ifndef EVENT_TIME_H
#define EVENT_TIME_H

#include "key.h"

/* Where the time stands.  At most one is set, and none if nobody asked. */
struct event_time {
    struct json_path *json;
    bool with_key; /* the key's paths lead there too */
    struct csv *csv;
    struct key_regex *regex;
};

/*
 * A column if the key is of columns; a path if the key is of paths or if it
 * begins like one; else an expression, whose first group is taken.  CLI_GO,
 * or the status to exit with; to be freed in any case.
 */
int event_time_take(struct event_time *t, const char *where,
                    const struct key_spec *key);
void event_time_free(struct event_time *t);

/* The same for another thread, while the first is there.  False: no memory. */
bool event_time_twin(struct event_time *twin, const struct event_time *t);
void event_time_twin_free(struct event_time *twin);

bool event_time_is_set(const struct event_time *t);

/* Nanoseconds since 1970, when the record's key is made.  False: the record
   does not say. */
bool event_time_of(const struct event_time *t, struct view record,
                   const struct key_scratch *scratch, uint64_t *ns);

#endif
