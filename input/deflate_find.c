/*
 * deflate_find.c - finds a block in the middle of deflate data
 */
#include "deflate_find.h"

#include "deflate_codes.h"

/* The first bits of a block are the kind and the numbers of codes; after them
   come three bits for each of the lengths' own codes. */
enum { KIND = 4, KIND_BITS = 3, HEAD = 17 };

static uint64_t word_at(const unsigned char *data, uint64_t bit)
{
    uint64_t word;

    memcpy(&word, data + bit / 8, sizeof word);
    return word >> bit % 8;
}

/* Returns whether the three bits at "bit" and those after them are a complete
   code: the shares of the lengths 1 to 7 are 64 to 1 of 128. */
static bool is_complete(const unsigned char *data, uint64_t bit, unsigned n)
{
    unsigned share = 0;

    for (unsigned i = 0; i < n; bit += 3 * 18) { /* 18 are in a word */
        uint64_t word = word_at(data, bit);

        for (unsigned end = i + 18; i < end && i < n; i++, word >>= 3)
            share += 0x80u >> (word & 7) & 0x7f;
    }
    return share == 0x80;
}

/* Tests what is rarely so by chance first. */
static bool may_begin(const unsigned char *data, size_t len, uint64_t bit)
{
    uint64_t word = word_at(data, bit);
    struct deflate_lengths lengths;
    struct deflate_bits bits;

    if ((word & 7) != KIND || (word >> 3 & 31) > 29 || (word >> 8 & 31) > 29 ||
        !is_complete(data, bit + HEAD, (unsigned)(word >> 13 & 15) + 4))
        return false;
    bits = deflate_bits_at(data, len, bit + KIND_BITS);
    return deflate_lengths_read(&lengths, &bits);
}

uint64_t deflate_find(const unsigned char *data, size_t len, uint64_t from,
                      uint64_t to)
{
    to = to < (uint64_t)len * 8 ? to : (uint64_t)len * 8;
    for (; from < to; from++)
        if (may_begin(data, len, from))
            return from;
    return DEFLATE_NOWHERE;
}
