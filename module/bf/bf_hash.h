/*
 * bf_hash.h - the hash of filters that BF.* commands make
 *
 * MurmurHash64A, twice: what dumps of RedisBloom are filled by.  It has no
 * secret, so a client that chooses the items can choose which of them collide.
 */
#ifndef BF_HASH_H
#define BF_HASH_H

#include <stddef.h>
#include <stdint.h>

struct bf_hash {
    uint64_t a, b; /* bit i of an item is at (a + i * b) mod bits */
};

struct bf_hash bf_hash(const char *item, size_t len);

/* MurmurHash64A of bytes. */
uint64_t bf_murmur(const char *at, size_t len, uint64_t seed);

#endif
