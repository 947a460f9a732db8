/*
 * event_time.h - when a record says that it happened
 */
#ifndef EVENT_TIME_H
#define EVENT_TIME_H

#include "key.h"

/* Where the time stands.  At most one is set, and none if nobody asked. */
struct eventtime {
    struct jsonpath *json;
    bool with_key; /* the key's paths lead there too */
    struct csv *csv;
    struct regexkey *regex;
};

/*
 * A column if the key is of columns; a path if the key is of paths or if it
 * begins like one; else an expression, whose first group is taken.  CLI_GO,
 * or the status to exit with; to be freed in any case.
 */
int eventtime_take(struct eventtime *t, const char *where,
                   const struct key_spec *key);
void eventtime_free(struct eventtime *t);

/* The same for another thread, while the first is there.  False: no memory. */
bool eventtime_twin(struct eventtime *twin, const struct eventtime *t);
void eventtime_twin_free(struct eventtime *twin);

bool eventtime_is_set(const struct eventtime *t);

/* Nanoseconds since 1970, when the record's key is made.  False: the record
   does not say. */
bool eventtime_of(const struct eventtime *t, struct view record,
                  const struct key_scratch *scratch, uint64_t *ns);

#endif
