/*
 * blocks.h - blocks of memory for decompressed bytes
 *
 * Threads that decompress share them: a block that one has returned is used by
 * another, the last one first, since fresh memory has to be cleared by the
 * system.  They are parts of larger pieces of memory, which may have huge
 * pages.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* ISA-L decompresses the first 32 KiB of a call into memory of its own and
   copies them. */
enum { BLOCK = (256 << 10) - 24 };

struct block {
    struct block *next;
    size_t len;
    uint64_t taken; /* bytes of the file read when the block was full */
    unsigned char bytes[BLOCK];
};

/* All functions may be called by several threads. */
struct blocks {
    pthread_mutex_t lock;
    struct block *spare; /* returned blocks */
    struct piece *piece; /* the last piece; NULL: there is none */
    size_t left;         /* number of its blocks that were never taken */
    size_t used;         /* number of blocks in use */
};

void blocks_init(struct blocks *s);

/* Frees everything; no block may be in use. */
void blocks_free(struct blocks *s);

/* Returns a block, or NULL if there is no memory. */
struct block *blocks_take(struct blocks *s);

/* Takes back a block and those after it.  Accepts NULL. */
void blocks_return(struct blocks *s, struct block *b);

/* Frees the memory if no block is in use. */
void blocks_trim(struct blocks *s);

#endif
