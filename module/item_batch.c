/*
 * item_batch.c - offers and queries items in batches, the fast path of the
 * library
 */
#include "item_batch.h"

void verdicts_hash(const freshet *f, rm_string **items, size_t n,
                   freshet_hash *hashes)
{
    for (size_t i = 0; i < n; i++) {
        size_t len;
        const char *item = rm.StringPtrLen(items[i], &len);

        hashes[i] = freshet_hash_key(f, item, len);
    }
}

size_t item_batch_offer(rm_ctx *ctx, freshet *f, rm_string **items, size_t n,
                        item_batch_reply *reply)
{
    freshet_hash hashes[VERDICTS_BATCH];
    uint8_t seen[VERDICTS_BATCH];
    size_t fresh = 0;

    for (size_t at = 0, part; at < n; at += part) {
        part = n - at < VERDICTS_BATCH ? n - at : VERDICTS_BATCH;
        verdicts_hash(f, items + at, part, hashes);
        fresh += freshet_offer_batch(f, hashes, part, seen);
        for (size_t i = 0; i < part; i++)
            reply(ctx, seen[i] == FRESHET_SEEN);
    }
    return fresh;
}

void item_batch_query(rm_ctx *ctx, const freshet *f, rm_string **items,
                      size_t n, item_batch_reply *reply)
{
    freshet_hash hashes[VERDICTS_BATCH];
    uint8_t seen[VERDICTS_BATCH] = {FRESHET_NEW};

    for (size_t at = 0, part; at < n; at += part) {
        part = n - at < VERDICTS_BATCH ? n - at : VERDICTS_BATCH;
        if (f) {
            verdicts_hash(f, items + at, part, hashes);
            freshet_query_batch(f, hashes, part, seen);
        }
        for (size_t i = 0; i < part; i++)
            reply(ctx, seen[i] == FRESHET_SEEN);
    }
}
