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
    uint64_t within;  /* the filter's window, kept here to be read quickly */
    uint64_t seed;    /* the filter's seed, likewise */
    long long told;   /* the last time that was replicated, in ms */
    struct replay_cache answers;
};

/* Makes an empty filter.  Returns NULL, with a message in err, if it cannot
   be made. */
struct value *value_make(const freshet_options *options, freshet_error *err);

/* Returns a value that owns a filter and the memory of its block. */
struct value *value_of(freshet *filter, struct room *room);

/*
 * Attaches a filter to an untrusted block.  Returns a value that owns the
 * memory; or NULL, with a message in err, and the memory is freed.
 */
struct value *value_attach(struct room *room, freshet_error *err);

/* Returns a copy of the filter and its answers, or NULL if there is no
   memory. */
struct value *value_copy(const struct value *value);

void value_free(struct value *value);

/* Empties the filter, so that it is as it was when it was made. */
void value_reset(struct value *value);

/* Returns the number of keys that were new or remembered without a question. */
uint64_t value_keys(const struct value *value);

/* Return the bytes of the filter's block, and of the value as a whole. */
size_t value_block_bytes(const struct value *value);
size_t value_bytes(const struct value *value);

/* Returns what is known about a filter without reading its block. */
freshet_info value_brief_info(const freshet *f);

#endif
