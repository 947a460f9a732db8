/*
 * hash.c - hashing keys, with or without a filter; the only file that sees
 *          xxhash.h
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>
#include <sys/random.h>

#include "hash.h"

/* The seed is expanded once, so that long keys do not expand it again. */
_Static_assert(sizeof(((freshet_hasher *)0)->prepared) ==
                   XXH3_SECRET_DEFAULT_SIZE,
               "room for the secret");

int fr_draw_seed(uint64_t *seed, freshet_error *err)
{
    do {
        if (getrandom(seed, sizeof *seed, 0) != sizeof *seed)
            return fr_fail(err, FRESHET_ERR_RANDOM,
                           "the system gave no random seed; give one");
    } while (*seed == 0);
    return FRESHET_OK;
}

void fr_hasher_of_seed(freshet_hasher *hasher, uint64_t seed)
{
    *hasher = (freshet_hasher){
        .size = sizeof *hasher,
        .hash = FR_HASH_NAME,
        .key = {seed, 0},
    };
    XXH3_generateSecret_fromSeed(hasher->prepared, seed);
}

int fr_hasher_make(freshet_hasher *hasher, freshet_error *err)
{
    int status = FRESHET_OK;

    if (hasher->hash && strcmp(hasher->hash, FR_HASH_NAME) != 0)
        return fr_fail(err, FRESHET_ERR_HASH, "there is no hash named %.60s",
                       hasher->hash);
    if (hasher->key[1] != 0)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "the key of %s has 64 bits: key[1] must be zero",
                       FR_HASH_NAME);
    if (hasher->key[0] == 0)
        status = fr_draw_seed(&hasher->key[0], err);
    if (status == FRESHET_OK)
        fr_hasher_of_seed(hasher, hasher->key[0]);
    return status;
}

/* The same value as XXH3_128bits_withSeed(key, len, seed). */
freshet_hash freshet_hash_with(const freshet_hasher *hasher, const void *key,
                               size_t len)
{
    XXH128_hash_t h =
        XXH3_128bits_withSecretandSeed(key, len, hasher->prepared,
                                       sizeof hasher->prepared, hasher->key[0]);

    return (freshet_hash){h.low64, h.high64};
}
