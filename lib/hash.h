/*
 * hash.h - the keyed 128-bit hash: XXH3-128 with a 64-bit seed
 */
#ifndef FR_HASH_H
#define FR_HASH_H

#include "algo.h"

#define FR_HASH_ID   FR_ID('x', 'x', 'h', '3')
#define FR_HASH_NAME "xxh3-128"

/* A seed, unfolded once so that long keys do not unfold it again. */
struct fr_hasher {
    uint64_t seed;
    uint8_t secret[192];
};

void fr_hasher_init(struct fr_hasher *hasher, uint64_t seed);
freshet_hash fr_hash(const struct fr_hasher *hasher, const void *key,
                     size_t len);

#endif
