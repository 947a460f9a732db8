/*
 * flawed_sbf.h - a filter with a flaw, which a published column came from
 *
 * sbf31 is sbf with random numbers of 31 bits, as C's rand() gives them, at
 * 2^32 cells: only the first half of the cells is ever decremented.  The 512 MB
 * columns of Bera et al. and Dutta et al. were measured with that.  Here it has
 * any number of cells, of which the first half ages.
 */
#ifndef FLAWED_SBF_H
#define FLAWED_SBF_H

#include <stddef.h>
#include <stdint.h>

#include "freshet.h"

/* The sound algorithm that one of that name is a flawed version of, or NULL. */
const char *flawed_sbf_of(const char *algorithm);

struct flawed_sbf;

/* The flawed version of a new filter.  NULL if there is no memory. */
struct flawed_sbf *flawed_sbf_create(const freshet *sound);

/* As freshet_offer_batch(). */
size_t flawed_sbf_offer(struct flawed_sbf *a, const freshet_hash *key, size_t n,
                        uint8_t *seen);

/* Accepts NULL. */
void flawed_sbf_free(struct flawed_sbf *a);

#endif
