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
    struct page_collapse *collapse; /* makes them; NULL: it has not begun */
};

/* Allocates a block of zeroes.  Returns false if there is no memory.  Pages
   are not touched before they are used. */
bool room_make(struct room *room, size_t bytes);
void room_free(struct room *room);

/*
 * Sets the bytes of a block from here to its end to zero.  The pages of a large
 * block are not written: they are replaced by untouched ones at once, and a
 * thread returns them to the kernel.
 */
void room_zero(struct room *room, size_t from);

/* Returns the bytes of all blocks there are. */
uint64_t room_total(void);

/* Returns how many large blocks have been freed. */
uint64_t room_freed(void);

/* Returns whether pages of a large block may be untouched, by the number of
   keys in it. */
bool room_is_young(const struct room *room, uint64_t keys);

/* Returns whether its pages are being made huge: the kernel's lock is often
   taken. */
bool room_is_changing(const struct room *room);

/* Has the pages of the block made huge by a thread, if that is allowed. */
void room_collapse(struct room *room);

/* Tells the number of keys in the block: huge pages are made when there are
   enough. */
static inline void room_used(struct room *room, uint64_t keys)
{
    if (keys >= room->busy_at)
        room_collapse(room);
}

/* Returns whether all bytes are zero.  len is above 0. */
bool all_zero(const char *at, size_t len);

/* Copies into memory that is still zero.  Pages of zeroes are not written. */
void copy_sparse(char *to, const char *from, size_t len);

#endif
