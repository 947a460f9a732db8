/*
 * hash.h - the keyed 128-bit hashes: XXH3-128 and SipHash-2-4-128
 */
#ifndef FR_HASH_H
#define FR_HASH_H

#include "algo.h"

/* The codes that blocks store. */
#define FR_HASH_XXH3    FR_ID('x', 'x', 'h', '3')
#define FR_HASH_SIPHASH FR_ID('s', 'i', 'p', 'h')

/* Returns the code of the hash of this name, NULL being the default; 0 if there
   is none. */
uint32_t fr_hash_named(const char *name);

/* Returns the name of the hash with this code, or NULL. */
const char *fr_hash_name(uint32_t code);

/* The key of a filter's hash: the header's seed, and for SipHash another 64
   bits, which are zero for XXH3. */
struct fr_hash_key {
    uint32_t hash;
    uint64_t seed, high;
};

/* Refuses a hash that does not exist or a key that it cannot have.  name is the
   name that was asked for. */
int fr_hash_key_check(const struct fr_hash_key *key, const char *name,
                      freshet_error *err);

/*
 * Completes a key that was checked.  If seed is zero both halves are drawn from
 * the system's random source; if it is not, a second half that is zero is
 * derived from it.
 */
int fr_hash_key_complete(struct fr_hash_key *key, freshet_error *err);

/* Makes the hasher of a complete key. */
void fr_hasher_of_key(freshet_hasher *hasher, const struct fr_hash_key *key);

/* Completes a hasher from its hash name and key, or refuses them. */
int fr_hasher_make(freshet_hasher *hasher, freshet_error *err);

#endif
