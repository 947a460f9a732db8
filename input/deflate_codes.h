/*
 * deflate_codes.h - the Huffman codes of a block of deflate data (RFC 1951)
 *
 * An entry of a table holds, from the lowest bit on: 4 bits, how many bits of
 * input to drop; 2 bits, a number of literals; 2 bits, the kind of entry if
 * that is 0; and 24 bits:
 *
 *     literals   up to three bytes, the first one lowest
 *     value      16 bits, the least length or distance; 8 bits, the number of
 *                bits of input to add to it
 *     further    16 bits, an index in the same table, to which to add the next
 *                bits of input; 8 bits, how many
 */
#ifndef DEFLATE_CODES_H
#define DEFLATE_CODES_H

#include "deflate_bits.h"

enum {
    DEFLATE_LITERAL_BITS = 10, /* bits of input that choose an entry */
    DEFLATE_DISTANCE_BITS = 8,
    DEFLATE_LITERALS = 288, /* most symbols of a code */
    DEFLATE_DISTANCES = 32,
    /* Sizes of tables that hold every complete code of these sizes with at most
       15 bits: 1334 and 402 entries are enough, by zlib's enough.c. */
    DEFLATE_LITERAL_ENTRIES = 1344,
    DEFLATE_DISTANCE_ENTRIES = 416
};

enum deflate_kind { DEFLATE_VALUE, DEFLATE_END, DEFLATE_FURTHER, DEFLATE_BAD };

struct deflate_codes {
    uint32_t literal[DEFLATE_LITERAL_ENTRIES]; /* literals, lengths, the end */
    uint32_t distance[DEFLATE_DISTANCE_ENTRIES];
};

DEFLATE_INLINE unsigned deflate_entry_bits(uint32_t entry)
{
    return entry & 15;
}

DEFLATE_INLINE unsigned deflate_entry_literals(uint32_t entry)
{
    return entry >> 4 & 3;
}

DEFLATE_INLINE enum deflate_kind deflate_entry_kind(uint32_t entry)
{
    return (enum deflate_kind)(entry >> 6 & 3);
}

/* The lengths of the codes in bits; 0: the symbol is not used. */
struct deflate_lengths {
    uint8_t literal[DEFLATE_LITERALS], distance[DEFLATE_DISTANCES];
};

/*
 * Reads the lengths at the beginning of a block with dynamic codes, after its
 * three bits.  Returns false if they are not those of complete codes, as every
 * known program writes them; a code of distances may have one symbol or none.
 */
bool deflate_lengths_read(struct deflate_lengths *lengths,
                          struct deflate_bits *bits);

/* Sets the lengths of blocks with fixed codes. */
void deflate_lengths_fixed(struct deflate_lengths *lengths);

/* Makes the tables.  The lengths must be valid. */
void deflate_codes_make(struct deflate_codes *codes,
                        const struct deflate_lengths *lengths);

#endif
