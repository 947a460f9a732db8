/*
 * bf_dump.h - chains as RedisBloom dumps them: a header, then their bits
 *
 * The header is little-endian and packed: a head, then a record per link.
 *
 *     u64 items, u32 links, u32 options, u32 growth
 *     u64 bytes, u64 bits, u64 items, f64 error, f64 bits per item,
 *     u32 hashes, u64 capacity, u8 rounding
 *
 * The bits of the links follow, one after the other, in chunks that do not
 * cross from one link to the next.  A chunk comes with an iterator, 1 more
 * than the offset at which it ends; the header comes with 1.
 */
#ifndef BF_DUMP_H
#define BF_DUMP_H

#include "bf_chain.h"

/* ---- Dumping ----------------------------------------------------------- */

/* Returns the header of a chain, to be freed by rm.Free(). */
char *bf_dump_header(const struct bf_chain *chain, size_t *len);

struct bf_chunk {
    const char *bytes;
    size_t len;
    uint64_t next; /* its iterator; 0: there is no such chunk */
};

/* Returns the chunk after an iterator above 0. */
struct bf_chunk bf_dump_chunk(const struct bf_chain *chain, uint64_t iterator,
                              size_t most);

/* Largest chunk in replication and AOF. */
enum { BF_DUMP_PART = 1 << 20 };

/* ---- Loading ----------------------------------------------------------- */

/*
 * Reads an untrusted header of exactly len bytes.  Returns false unless each
 * field is valid and agrees with the others.  Only the links are allocated, in
 * at most twice the size of the header; they have no memory for bits yet.
 * bf_dump_forget() frees them.
 */
bool bf_dump_read(struct bf_chain *like, const char *header, size_t len);
void bf_dump_forget(struct bf_chain *like);

/* Returns the number of bytes of all bits that a header describes. */
uint64_t bf_dump_bits(const struct bf_chain *like);

#endif
