/*
 * hash.c - hashing keys, with or without a filter; the only file that sees
 *          xxhash.h
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>
#include <sys/random.h>

#include "hash.h"
#include "parts/bits.h"
#include "siphash.h"

/* The seed is expanded once per hasher and not once per long key. */
_Static_assert(sizeof(((freshet_hasher *)0)->prepared) ==
                   XXH3_SECRET_DEFAULT_SIZE,
               "room for the secret");

static const struct {
    uint32_t code;
    const char *name;
} hashes[] = {
    {FR_HASH_XXH3, "xxh3-128"},
    {FR_HASH_SIPHASH, "siphash"},
};
enum { HASHES = sizeof hashes / sizeof *hashes };

uint32_t fr_hash_named(const char *name)
{
    for (size_t i = 0; i < HASHES; i++)
        if (!name || strcmp(hashes[i].name, name) == 0)
            return hashes[i].code;
    return 0;
}

const char *fr_hash_name(uint32_t code)
{
    for (size_t i = 0; i < HASHES; i++)
        if (hashes[i].code == code)
            return hashes[i].name;
    return NULL;
}

/* ---- Keys of hashes --------------------------------------------------- */

/* Draws a random half of a key, never zero. */
static int draw(uint64_t *half, freshet_error *err)
{
    do {
        if (getrandom(half, sizeof *half, 0) != sizeof *half)
            return fr_fail(err, FRESHET_ERR_RANDOM,
                           "the system has no random numbers; give a seed");
    } while (*half == 0);
    return FRESHET_OK;
}

/* Derives the second half of a key, never zero, which would stand for none. */
static uint64_t derive(uint64_t seed)
{
    uint64_t high = fr_mix(~seed);

    return high ? high : 1;
}

int fr_hash_key_check(const struct fr_hash_key *key, const char *name,
                      freshet_error *err)
{
    if (!key->hash)
        return fr_fail(err, FRESHET_ERR_HASH, "there is no hash named %.60s",
                       name);
    if (key->high && key->hash != FR_HASH_SIPHASH)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "the key of %s has 64 bits: its second half must be "
                       "zero",
                       fr_hash_name(key->hash));
    if (key->high && !key->seed)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "the first half of a key must not be zero if the "
                       "second half is given");
    return FRESHET_OK;
}

int fr_hash_key_complete(struct fr_hash_key *key, freshet_error *err)
{
    bool wide = key->hash == FR_HASH_SIPHASH;
    int status;

    if (key->seed) {
        if (wide && !key->high)
            key->high = derive(key->seed);
        return FRESHET_OK;
    }
    status = draw(&key->seed, err);
    if (status == FRESHET_OK && wide)
        status = draw(&key->high, err);
    return status;
}

/* ---- Hashers ---------------------------------------------------------- */

void fr_hasher_of_key(freshet_hasher *hasher, const struct fr_hash_key *key)
{
    *hasher = (freshet_hasher){
        .size = sizeof *hasher,
        .hash = fr_hash_name(key->hash),
        .key = {key->seed, key->high},
    };
    if (key->hash == FR_HASH_XXH3)
        XXH3_generateSecret_fromSeed(hasher->prepared, key->seed);
}

int fr_hasher_make(freshet_hasher *hasher, freshet_error *err)
{
    struct fr_hash_key key = {fr_hash_named(hasher->hash), hasher->key[0],
                              hasher->key[1]};
    int status = fr_hash_key_check(&key, hasher->hash, err);

    if (status == FRESHET_OK)
        status = fr_hash_key_complete(&key, err);
    if (status == FRESHET_OK)
        fr_hasher_of_key(hasher, &key);
    return status;
}

/* The second half of a key is zero for XXH3, and for nothing else.  XXH3
   returns the same value as XXH3_128bits_withSeed(key, len, seed). */
freshet_hash freshet_hash_with(const freshet_hasher *hasher, const void *key,
                               size_t len)
{
    XXH128_hash_t h;

    if (hasher->key[1])
        return fr_siphash(hasher->key, key, len);
    h = XXH3_128bits_withSecretandSeed(key, len, hasher->prepared,
                                       sizeof hasher->prepared, hasher->key[0]);
    return (freshet_hash){h.low64, h.high64};
}
