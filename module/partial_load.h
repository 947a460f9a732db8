/*
 * partial_load.h - filters that are being loaded, chunk by chunk
 *
 * They stand outside of all keys until they are whole and sound: what is
 * never finished is never saved, and its memory is given back after a minute.
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
    struct room room;  /* of all bytes there will be */
    size_t header;     /* of BF.LOADCHUNK, in front; 0: it is an FR.LOAD */
    size_t filled;
};

/* The load under way for a key, or NULL. */
struct partial_load *partial_load_find(rm_ctx *ctx, rm_string *key);

/* Begin one, dropping an earlier one of the key; NULL: no memory. */
struct partial_load *partial_load_begin(rm_ctx *ctx, rm_string *key,
                                        size_t total);

/* Put a chunk behind what is there; it must fit. */
void partial_load_add(struct partial_load *s, const char *chunk, size_t len);

void partial_load_drop(struct partial_load *s);

/* How many are under way. */
unsigned partial_load_count(void);

#endif
