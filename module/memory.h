/*
 * memory.h - room for a block, out of the server's own allocator
 *
 * So that maxmemory, MEMORY USAGE and eviction know about it.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether large blocks ask for huge pages: freshet.huge-pages. */
extern bool room_huge_pages;

struct room {
    void *memory; /* as allocated; NULL: none */
    void *block;  /* inside it, 64-byte aligned */
    size_t bytes; /* of the block */
};

/* Zeroed.  False if there is no memory.  Pages are not touched before use. */
bool room_make(struct room *room, size_t bytes);
void room_free(struct room *room);

/* Is it all zero?  len is above 0. */
bool all_zero(const char *at, size_t len);

/* Copy into room that is still zero; pages of zeroes stay untouched. */
void copy_sparse(char *to, const char *from, size_t len);

#endif
