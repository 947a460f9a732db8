/*
 * hash.h - the keyed 128-bit hash: XXH3-128 with a 64-bit seed
 */
#ifndef FR_HASH_H
#define FR_HASH_H

#include "algo.h"

#define FR_HASH_ID   FR_ID('x', 'x', 'h', '3')
#define FR_HASH_NAME "xxh3-128"

/* Makes the hasher of filters with this seed. */
void fr_hasher_of_seed(freshet_hasher *hasher, uint64_t seed);

/* Makes a hasher of its hash's name and key, or refuses them. */
int fr_hasher_make(freshet_hasher *hasher, freshet_error *err);

/* Draws a seed that nobody can guess and that is never zero. */
int fr_draw_seed(uint64_t *seed, freshet_error *err);

#endif
