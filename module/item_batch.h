/*
 * item_batch.h - offers and queries items in batches, the fast path of the
 * library
 */
#ifndef ITEM_BATCH_H
#define ITEM_BATCH_H

#include <stdbool.h>

#include "api.h"
#include "freshet.h"

enum { VERDICTS_BATCH = 256 };

/* Answers for one item, in the way of a command. */
typedef void item_batch_reply(rm_ctx *ctx, bool seen);

/* Offers items and answers for each.  Returns the number of new ones. */
size_t item_batch_offer(rm_ctx *ctx, freshet *f, rm_string **items, size_t n,
                        item_batch_reply *reply);

/* Queries items and answers for each.  If f is NULL, none was seen. */
void item_batch_query(rm_ctx *ctx, const freshet *f, rm_string **items,
                      size_t n, item_batch_reply *reply);

void verdicts_hash(const freshet *f, rm_string **items, size_t n,
                   freshet_hash *hashes);

#endif
