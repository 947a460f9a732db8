/*
 * filter_value.h - what a key of our type holds: a filter and the last answers
 */
#ifndef FILTER_VALUE_H
#define FILTER_VALUE_H

#include "block_memory.h"
#include "freshet.h"
#include "replay_cache.h"

struct value {
    freshet *filter;
    struct room room; /* the filter's block, and perhaps more behind it */
    uint64_t within;  /* the filter's, so that it need not be asked for */
    uint64_t seed;    /* likewise */
    long long told;   /* the last time that replicas were told, in ms */
    struct replay_cache answers;
};

/* An empty filter.  NULL, explained in err, if it cannot be made. */
struct value *value_make(const freshet_options *options, freshet_error *err);

/* A filter attached to a block in room; both are the value's from now on. */
struct value *value_of(freshet *filter, struct room *room);

/*
 * A filter in a block from anywhere, refused with a message unless it is
 * sound.  The room is the value's from now on, or was freed.
 */
struct value *value_attach(struct room *room, freshet_error *err);

/* The same filter again, with its answers; NULL if there is no memory. */
struct value *value_copy(const struct value *value);

void value_free(struct value *value);

/* Keys that were new. */
uint64_t value_fresh(const struct value *value);

/* Bytes of the filter's block, and of all that the value takes. */
size_t value_block_bytes(const struct value *value);
size_t value_bytes(const struct value *value);

/* What is known about a filter without reading its whole block. */
freshet_info value_brief_info(const freshet *f);

#endif
