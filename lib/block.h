/*
 * block.h - the block every filter lives in: its header, memory and checks
 *
 * doc/format.md draws it byte by byte.
 */
#ifndef FR_BLOCK_H
#define FR_BLOCK_H

#include "algo.h"
#include "hash.h"
#include "huge_pages.h"

#define FR_ALIGN   64
#define FR_VERSION 1

struct fr_header {
    char magic[8]; /* "freshet" and a zero */
    uint32_t version, algo, hash, flags;
    uint64_t bytes, seed;
    uint64_t offered, fresh, remembered;
    uint64_t wanted; /* the false-drop rate times 2^64 */
    uint64_t expect, window, within;
    uint64_t now;
    uint64_t unused[3];
    uint64_t param[FR_MAX_PARAMS]; /* IEEE 754 doubles, bit for bit */
    uint64_t seed_high;            /* the rest of the hash's key; 0 for XXH3 */
    uint64_t spare[3];
};
_Static_assert(sizeof(struct fr_header) == 256, "part of the format");

/* Zeroed, aligned memory, whose pages may become huge.  NULL: none. */
void *fr_block_alloc(size_t bytes, struct fr_huge_pages *pages);
void fr_block_release(void *block, size_t bytes);

/* Zero such memory from an offset on; what is large goes back to the kernel,
   which gives zeros when it is touched again. */
void fr_block_zero(void *block, size_t bytes, size_t from);

/* Write the header of an empty filter. */
void fr_block_begin(struct fr_header *h, const struct fr_algo *algo,
                    const struct fr_goal *goal, const struct fr_hash_key *key,
                    size_t bytes);

/* Is this block, from anywhere, safe to run?  *algo receives whose it is. */
int fr_block_check(const struct fr_algo **algo, const void *block, size_t bytes,
                   freshet_error *err);

/* The i-th parameter of the filter. */
double fr_block_param(const struct fr_header *h, size_t i);

#endif
