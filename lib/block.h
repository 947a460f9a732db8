/*
 * block.h - the block of memory that holds a filter: header, memory, checks
 *
 * doc/format.md describes it byte by byte.
 */
#ifndef FR_BLOCK_H
#define FR_BLOCK_H

#include "algo.h"
#include "hash.h"
#include "huge_pages.h"

#define FR_ALIGN   64
#define FR_VERSION 1

struct fr_header {
    char magic[8]; /* "freshet" and a zero byte */
    uint32_t version, algo, hash, flags;
    uint64_t bytes, seed;
    uint64_t offered, fresh, remembered;
    uint64_t wanted; /* the false-drop rate asked for, times 2^64 */
    uint64_t expect, window, within;
    uint64_t now;
    uint64_t unused[3];
    uint64_t param[FR_MAX_PARAMS]; /* the bits of IEEE 754 doubles */
    uint64_t seed_high;            /* the rest of the hash's key; 0 for XXH3 */
    uint64_t spare[3];
};
_Static_assert(sizeof(struct fr_header) == 256, "part of the format");

/* Returns zeroed memory aligned to FR_ALIGN whose pages may become huge, or
   NULL if there is not enough memory. */
void *fr_block_alloc(size_t bytes, struct fr_huge_pages *pages);
void fr_block_release(void *block, size_t bytes);

/*
 * Zeroes a block of fr_block_alloc() from an offset on.  Pages of a mapped
 * block are returned to the kernel, which supplies zeroed ones when they are
 * touched again.
 */
void fr_block_zero(void *block, size_t bytes, size_t from);

/* Writes the header of an empty filter. */
void fr_block_begin(struct fr_header *h, const struct fr_algo *algo,
                    const struct fr_goal *goal, const struct fr_hash_key *key,
                    size_t bytes);

/* Checks that an untrusted block is safe to run, and stores its algorithm in
   *algo. */
int fr_block_check(const struct fr_algo **algo, const void *block, size_t bytes,
                   freshet_error *err);

/* Returns the i-th parameter of the filter. */
double fr_block_param(const struct fr_header *h, size_t i);

#endif
