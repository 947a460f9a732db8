/*
 * fuzz_attach.c - attach accepts or refuses any bytes without misbehaving
 *
 * A filter that it accepts must work, and attach again afterwards.
 */
#include "fuzz.h"

enum { KEYS = 50 };

static void work(freshet *f, size_t size)
{
    freshet_hash keys[KEYS];
    uint8_t seen[KEYS];
    freshet_info info = {.size = sizeof info};
    freshet_workload workload = {.size = sizeof workload, .gap = 100};
    freshet_rates rates = {.size = sizeof rates};
    freshet_hasher hasher = {.size = sizeof hasher};
    size_t bytes;

    freshet_hasher_of(f, &hasher);
    for (uint64_t i = 0; i < KEYS; i++) {
        keys[i] = freshet_hash_with(&hasher, &i, sizeof i);
        MUST(keys[i].lo == freshet_hash_key(f, &i, sizeof i).lo);
    }
    MUST(freshet_query_batch(f, keys, KEYS, seen) <= KEYS);
    MUST(freshet_offer_batch(f, keys, KEYS, seen) <= KEYS);
    for (size_t i = 0; i < KEYS; i++)
        MUST(seen[i] <= 1);
    freshet_remember_batch(f, keys, KEYS);
    freshet_tick(f, UINT64_C(1) << 40);
    freshet_offer_batch(f, keys, KEYS, seen);
    MUST(freshet_forget_batch(f, keys, KEYS) <= KEYS);
    MUST(freshet_merge(f, f, NULL) <= FRESHET_OK);
    (void)!freshet_estimate_info(f, &info, 1024);
    freshet_get_info(f, &info);
    MUST(info.used == FRESHET_UNKNOWN || info.used <= info.slots);
    MUST(freshet_expect(&rates, f, &workload, NULL) == FRESHET_OK);
    freshet_block(f, &bytes);
    MUST(bytes <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Of the exact size, so that reading one byte too far is noticed. */
    void *block = aligned_alloc(64, size ? (size + 63) / 64 * 64 : 64);
    freshet *f, *again;

    if (!block)
        return 0;
    memcpy(block, data, size);
    if (freshet_attach(&f, block, size, NULL) == FRESHET_OK) {
        work(f, size);
        MUST(freshet_attach(&again, block, size, NULL) == FRESHET_OK);
        freshet_free(again);
        freshet_reset(f);
        MUST(freshet_attach(&again, block, size, NULL) == FRESHET_OK);
        freshet_free(again);
    }
    freshet_free(f);
    free(block);
    return 0;
}
