/*
 * keyset.h - finds exactly which records are repeats, for any keys
 *
 * Keys are stored as 128-bit hashes.  An error needs two equal hashes, which
 * has a chance of one in 10^20 with a billion keys.  (Generated streams know
 * their repeats or take a bit per key: see gen/truth.h.)
 *
 * The set consists of 256 tables of open addressing, each of which grows by
 * half when it is three quarters full.  So a key takes 21 to 32 bytes, and
 * growing needs room for one more small table, not for a second copy of all.
 */
#ifndef KEYSET_H
#define KEYSET_H

#include <stddef.h>
#include <stdint.h>

#include "freshet.h"

struct keyset;

/* Returns NULL if there is no memory. */
struct keyset *keyset_create(void);

/* Accepts NULL. */
void keyset_free(struct keyset *s);

/*
 * Adds the next n records: repeat[i] becomes 1 if key[i] came before, else 0.
 * Returns the number of repeats, or KEYSET_FULL if there is no memory for more
 * keys.
 */
#define KEYSET_FULL SIZE_MAX
size_t keyset_add(struct keyset *s, const freshet_hash *key, uint8_t *repeat,
                  size_t n);

/* Return the present size in bytes, and the largest size with a number of
   keys. */
uint64_t keyset_bytes(const struct keyset *s);
uint64_t keyset_most_bytes(uint64_t keys);

#endif
