/*
 * keyset.h - which records are repeats, exactly, where nobody knows the keys
 *
 * Keys are kept whole, as 128-bit hashes, of which two would have to agree for
 * an error: one chance in 10^20 with a billion keys.  (Streams that are made
 * up know the truth or take a bit a key: see gen/truth.h.)
 *
 * The set is 256 tables of open addressing, each of which grows by half when
 * it is three quarters full.  So a key takes 21 to 32 bytes, and growing needs
 * room for one small table more, not for all of them twice.
 */
#ifndef KEYSET_H
#define KEYSET_H

#include <stddef.h>
#include <stdint.h>

#include "freshet.h"

struct keyset;

/* NULL if there is no memory. */
struct keyset *keyset_create(void);

/* Accepts NULL. */
void keyset_free(struct keyset *s);

/*
 * The next n records: repeat[i] is 1 if key[i] came before, else 0.  How many
 * repeats there are, or KEYSET_FULL if there is no memory for more keys.
 */
#define KEYSET_FULL SIZE_MAX
size_t keyset_add(struct keyset *s, const freshet_hash *key, uint8_t *repeat,
                  size_t n);

/* What it takes by now, and the most it takes with so many keys. */
uint64_t keyset_bytes(const struct keyset *s);
uint64_t keyset_most_bytes(uint64_t keys);

#endif
