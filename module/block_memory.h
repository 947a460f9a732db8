/*
 * block_memory.h - room for a block, out of the server's own allocator
 *
 * So that maxmemory, MEMORY USAGE and eviction know about it.
 */
#ifndef BLOCK_MEMORY_H
#define BLOCK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether blocks may have huge pages: freshet.huge-pages. */
extern bool room_huge_pages;

struct room {
    void *memory; /* as allocated; NULL: none */
    void *block;  /* inside it, 64-byte aligned */
    size_t bytes; /* of the block */

    uint64_t busy_at; /* keys from which on it is worth huge pages */
    size_t gathered;  /* bytes that have been made into such */
};

/* Zeroed.  False if there is no memory.  Pages are not touched before use. */
bool room_make(struct room *room, size_t bytes);
void room_free(struct room *room);

/* Returns the bytes of all blocks there are. */
uint64_t room_total(void);

/* Have one more huge page instead of small ones, until it has no others. */
void room_gather(struct room *room);

/* So many keys have come: perhaps it is worth huge pages now. */
static inline void room_used(struct room *room, uint64_t keys)
{
    if (keys >= room->busy_at)
        room_gather(room);
}

/* Is it all zero?  len is above 0. */
bool all_zero(const char *at, size_t len);

/* Copy into room that is still zero; pages of zeroes stay untouched. */
void copy_sparse(char *to, const char *from, size_t len);

#endif
