/*
 * bf_place.h - the filter at a key, as BF.* commands see it
 *
 * A key holds a Bloom chain or one of freshet's own filters, and BF.* commands
 * work on both: NONSCALING filters are of the second kind if
 * freshet.full-policy is evict.
 */
#ifndef BF_PLACE_H
#define BF_PLACE_H

#include "bf_chain.h"
#include "server_command.h"

struct bf_place {
    struct place at; /* with a value: it is one of freshet's own filters */
    struct bf_chain *chain;
};

/* Returns whether there is a filter. */
bool bf_place_has(const struct bf_place *p);

/* Returns false, without answering, if the key is of another type. */
bool bf_place_find(struct bf_place *p, rm_ctx *ctx, rm_string *name, int mode);

/* Returns false, after answering with an error, if the key is of another
   type. */
bool bf_place_open(struct bf_place *p, rm_ctx *ctx, rm_string *name, int mode);

/* The same; a key without a filter is an error, too. */
bool bf_place_need(struct bf_place *p, rm_ctx *ctx, rm_string *name, int mode);

/* Sets an empty key to a chain. */
void bf_place_set(struct bf_place *p, struct bf_chain *chain);
void bf_place_close(struct bf_place *p);

#endif
