/*
 * deflate_bits.h - the bits of deflate data, the lowest of each byte first
 */
#ifndef DEFLATE_BITS_H
#define DEFLATE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DEFLATE_INLINE static inline __attribute__((always_inline))

/* There must be DEFLATE_SPARE readable bytes after the last one: bits are read
   in words, and the end is noticed some words later. */
enum { DEFLATE_SPARE = 64 };

struct deflate_bits {
    const unsigned char *first, *next, *end;
    uint64_t word;  /* the next bits */
    unsigned count; /* bits of the word that are before next; bits after them
                       are right, too, and are read once more */
};

/* Reads until at least 56 bits are there.  After the end these are bits of the
   spare bytes, which deflate_bits_are_over() tells. */
DEFLATE_INLINE void deflate_bits_fill(struct deflate_bits *b)
{
    uint64_t word;

    memcpy(&word, b->next, sizeof word);
    b->word |= word << b->count;
    b->next += (63 - b->count) >> 3;
    b->count |= 56;
}

/* Begins at a bit of the data. */
static inline struct deflate_bits deflate_bits_at(const unsigned char *data,
                                                  size_t len, uint64_t bit)
{
    struct deflate_bits b = {data, data + bit / 8, data + len, 0, 0};

    deflate_bits_fill(&b);
    b.word >>= bit % 8;
    b.count -= bit % 8;
    return b;
}

/* Returns the number of the next bit. */
static inline uint64_t deflate_bits_position(const struct deflate_bits *b)
{
    return (uint64_t)(b->next - b->first) * 8 - b->count;
}

/* Returns whether bits after the end may have been used. */
DEFLATE_INLINE bool deflate_bits_are_over(const struct deflate_bits *b)
{
    return b->next > b->end + sizeof b->word;
}

/* Returns the next n bits, n < 32, which must be there. */
DEFLATE_INLINE unsigned deflate_bits_next(const struct deflate_bits *b,
                                          unsigned n)
{
    return (unsigned)b->word & ((1u << n) - 1);
}

DEFLATE_INLINE void deflate_bits_drop(struct deflate_bits *b, unsigned n)
{
    b->word >>= n;
    b->count -= n;
}

DEFLATE_INLINE unsigned deflate_bits_take(struct deflate_bits *b, unsigned n)
{
    unsigned bits = deflate_bits_next(b, n);

    deflate_bits_drop(b, n);
    return bits;
}

#endif
