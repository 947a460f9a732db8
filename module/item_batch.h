/*
 * item_batch.h - items in batches, which is the library's fast way
 */
#ifndef ITEM_BATCH_H
#define ITEM_BATCH_H

#include <stdbool.h>

#include "api.h"
#include "freshet.h"

enum { VERDICTS_BATCH = 256 };

/* How a command answers for one item. */
typedef void verdicts_reply(rm_ctx *ctx, bool seen);

/* Offer items and answer for each; how many were new. */
size_t verdicts_offer(rm_ctx *ctx, freshet *f, rm_string **items, size_t n,
                      verdicts_reply *reply);

/* Ask for items and answer for each; where f is NULL, none was seen. */
void verdicts_query(rm_ctx *ctx, const freshet *f, rm_string **items, size_t n,
                    verdicts_reply *reply);

void verdicts_hash(const freshet *f, rm_string **items, size_t n,
                   freshet_hash *hashes);

#endif
