/*
 * partial_load.h - filters that are being loaded, chunk by chunk
 *
 * They are at no key until they are complete and checked: a load that is not
 * finished is never saved, and its memory is freed after a minute.
 */
#ifndef PARTIAL_LOAD_H
#define PARTIAL_LOAD_H

#include "api.h"
#include "block_memory.h"

struct partial_load {
    char *key; /* NULL: this place is free */
    size_t key_len;
    int db;
    long long touched; /* when the last chunk came, in milliseconds */
    struct room room;  /* memory for all bytes of the filter */
    size_t header;     /* bytes of BF.LOADCHUNK's header, which come first; 0:
                          this is an FR.LOAD */
    size_t filled;
};

/* Returns the load of a key, or NULL. */
struct partial_load *partial_load_find(rm_ctx *ctx, rm_string *key);

/* Begins a load of a key that has none.  Returns NULL if there is no
   memory. */
struct partial_load *partial_load_begin(rm_ctx *ctx, rm_string *key,
                                        size_t total);

/* Appends a chunk, which must fit. */
void partial_load_add(struct partial_load *s, const char *chunk, size_t len);

/* s may be NULL. */
void partial_load_drop(struct partial_load *s);

/* Returns the number of loads in progress. */
unsigned partial_load_count(void);

#endif
