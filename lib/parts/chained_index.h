/*
 * chained_index.h - a hash index over numbered entries, with packed links
 *
 * There are n buckets and n entries, numbered from 1.  A link is the number of
 * an entry, or zero for none, in as few bits as n needs.  Zeroed memory is an
 * empty index:
 *
 *     | n links: first entry of each bucket | n links: next after each entry |
 *
 * The owner of the index decides which bucket an entry belongs to.
 */
#ifndef FR_CHAINED_INDEX_H
#define FR_CHAINED_INDEX_H

#include <stdbool.h>

#include "slots.h"

struct fr_chains {
    uint64_t n;
    uint32_t width, unused;
};

static inline uint64_t fr_chains_words(const struct fr_chains *c)
{
    return fr_slots_words(2 * c->n, c->width);
}

/* Returns whether the head is valid for a state of this size; each entry takes
   at least one bit. */
static inline bool fr_chains_check(const struct fr_chains *c, size_t bytes)
{
    return c->n >= 1 && c->n <= bytes * 8 && c->unused == 0 &&
           c->width == fr_slot_width(c->n);
}

/* Returns the first entry of a bucket, 0 to n - 1. */
static inline uint64_t fr_chain_first(const struct fr_chains *c,
                                      const uint64_t *links, uint64_t bucket)
{
    return fr_slot_get(links, bucket, c->width);
}

/* Returns the entry after entry i, 1 to n. */
static inline uint64_t fr_chain_next(const struct fr_chains *c,
                                     const uint64_t *links, uint64_t i)
{
    return fr_slot_get(links, c->n + i - 1, c->width);
}

static inline void fr_chain_add(const struct fr_chains *c, uint64_t *links,
                                uint64_t bucket, uint64_t i)
{
    fr_slot_set(links, c->n + i - 1, c->width,
                fr_chain_first(c, links, bucket));
    fr_slot_set(links, bucket, c->width, i);
}

/* Removes entry i, which must be in that bucket. */
static inline void fr_chain_cut(const struct fr_chains *c, uint64_t *links,
                                uint64_t bucket, uint64_t i)
{
    uint64_t at = bucket, here;

    while ((here = fr_slot_get(links, at, c->width)) != i)
        at = c->n + here - 1;
    fr_slot_set(links, at, c->width, fr_chain_next(c, links, i));
}

/*
 * Returns whether each live entry is in the chain of its bucket, and no other
 * entry is in any chain.  live is their number; bucket_of() returns n for an
 * entry that is not live.  A chain with a cycle is found because it has more
 * entries than there are.
 */
static inline bool fr_chains_hold(
    const struct fr_chains *c, const uint64_t *links, uint64_t live,
    const void *owner, uint64_t (*bucket_of)(const void *owner, uint64_t i))
{
    uint64_t met = 0;

    for (uint64_t b = 0; b < c->n; b++)
        for (uint64_t i = fr_chain_first(c, links, b); i;
             i = fr_chain_next(c, links, i))
            if (i > c->n || bucket_of(owner, i) != b || ++met > live)
                return false;
    return met == live;
}

#endif
