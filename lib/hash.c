/*
 * hash.c - the only file that sees xxhash.h
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash.h"

_Static_assert(sizeof(((struct fr_hasher *)0)->secret) ==
                   XXH3_SECRET_DEFAULT_SIZE,
               "room for the secret");

void fr_hasher_init(struct fr_hasher *hasher, uint64_t seed)
{
    hasher->seed = seed;
    XXH3_generateSecret_fromSeed(hasher->secret, seed);
}

/* The same value as XXH3_128bits_withSeed(key, len, seed). */
freshet_hash fr_hash(const struct fr_hasher *hasher, const void *key,
                     size_t len)
{
    XXH128_hash_t h =
        XXH3_128bits_withSecretandSeed(key, len, hasher->secret,
                                       sizeof hasher->secret, hasher->seed);

    return (freshet_hash){h.low64, h.high64};
}
