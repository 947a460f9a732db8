/*
 * random31.h - filters with random numbers of 31 bits, as C's rand() gives
 *
 * The published tables were measured with a random number of 31 bits modulo the
 * number of places: of 2^32 cells only the first half is ever decremented, of
 * 2^32 / 3 bits a third is reset twice as often as the rest.  This is one
 * variation of sbf, bsbf, bsbfsd and rlbsbf, for the laboratory alone.
 *
 * "bsbf31" is bsbf with such numbers.  "bsbf31/100" is for a filter of 1/100 of
 * the printed size: its numbers are below 2^31 / 100, so that the same share of
 * its places is hit as often as in print.
 */
#ifndef RANDOM31_H
#define RANDOM31_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "freshet.h"

/*
 * Returns whether it is the name of such a variation, cuts it down to the name
 * of the correct algorithm, and sets *scale to the divisor.
 */
bool random31_of(char *algorithm, unsigned *scale);

/* Returns the bytes of the variation of a filter that takes these bytes. */
uint64_t random31_memory(uint64_t bytes);

struct random31;

/*
 * Returns the variation of a new filter, or NULL and sets *why if there is no
 * memory, or its cells have more than one bit.
 */
struct random31 *random31_create(const freshet *sound, unsigned scale,
                                 struct fault *why);

/* The same as freshet_offer_batch(). */
size_t random31_offer(struct random31 *f, const freshet_hash *key, size_t n,
                      uint8_t *seen);

/* Returns the share of the bits that are set. */
double random31_fill(const struct random31 *f);

/* Accepts NULL. */
void random31_free(struct random31 *f);

#endif
