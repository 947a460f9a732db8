/*
 * bf_chain.h - a chain of Bloom filters that grows as RedisBloom's does
 *
 * When the last link has as many items as it was made for, a link with growth
 * times its capacity and half its error comes behind it.  A chain that does
 * not scale has one link, and takes no more items when that is full.
 */
#ifndef BF_CHAIN_H
#define BF_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "bf_hash.h"
#include "block_memory.h"

struct bf_link {
    uint64_t bits; /* a multiple of 64 */
    uint64_t capacity, items;
    double error, bits_per_item;
    uint32_t hashes;
    uint8_t rounding; /* 0, or bits are 2^this: old RedisBloom rounded up */
    struct room room; /* bits / 8 bytes; bit x is bit x % 8 of byte x / 8 */
};

struct bf_chain {
    uint64_t items;
    uint32_t growth;
    bool scaling;
    uint32_t n;
    struct bf_link *links;
};

/* What is asked for when a chain is made. */
struct bf_shape {
    double error;
    uint64_t capacity;
    uint32_t growth;
    bool scaling;
};

/* No link may be asked for more. */
#define BF_MAX_CAPACITY (UINT64_C(1) << 48)
#define BF_MAX_BITS     (UINT64_C(1) << 51)

/* By then an error that is halved each time is as good as 0. */
enum { BF_MAX_LINKS = 1024 };

/* Sets bits and hashes by error and capacity.  Returns false if they are out
   of bounds. */
bool bf_link_plan(struct bf_link *link);

/* Returns the bytes of the first link, or 0 if they are out of bounds. */
uint64_t bf_shape_bytes(const struct bf_shape *shape);

/* NULL: no memory. */
struct bf_chain *bf_chain_make(const struct bf_shape *shape);

/* Returns an empty chain with the links of another, or NULL if there is no
   memory. */
struct bf_chain *bf_chain_of(const struct bf_chain *like);

struct bf_chain *bf_chain_copy(const struct bf_chain *chain);
void bf_chain_free(struct bf_chain *chain);

/* Returns the bytes of the link that the next new item needs; 0 if it needs
   none, or none is possible. */
uint64_t bf_chain_next_bytes(const struct bf_chain *chain);

enum bf_verdict {
    BF_SEEN,
    BF_NEW,
    BF_FULL,     /* it does not scale */
    BF_NO_MEMORY /* or its next link is out of all bounds */
};
enum bf_verdict bf_chain_add(struct bf_chain *chain, struct bf_hash hash);
bool bf_chain_has(const struct bf_chain *chain, struct bf_hash hash);

/* Returns the bytes that it takes, counted as RedisBloom counts its own; and
   how many items its links were made for. */
uint64_t bf_chain_bytes(const struct bf_chain *chain);
uint64_t bf_chain_capacity(const struct bf_chain *chain);

#endif
