/*
 * cells.h - arrays of small counters
 *
 * Cells are 1, 2, 4 or 8 bits wide, packed into 64-bit words, lowest bits
 * first, so no cell crosses a word.
 */
#ifndef FR_CELLS_H
#define FR_CELLS_H

#include <stdint.h>

static inline unsigned fr_cell_shift(uint64_t i, unsigned bits)
{
    return (unsigned)(i * bits % 64);
}

static inline uint64_t *fr_cell_word(uint64_t *words, uint64_t i, unsigned bits)
{
    return words + i * bits / 64;
}

static inline unsigned fr_cell_get(const uint64_t *words, uint64_t i,
                                   unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;

    return (unsigned)(words[i * bits / 64] >> fr_cell_shift(i, bits) & mask);
}

/* Set to the largest value. */
static inline void fr_cell_fill(uint64_t *words, uint64_t i, unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;

    *fr_cell_word(words, i, bits) |= mask << fr_cell_shift(i, bits);
}

/* Set to any value below 2^bits. */
static inline void fr_cell_set(uint64_t *words, uint64_t i, unsigned bits,
                               unsigned value)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t *word = fr_cell_word(words, i, bits);
    unsigned shift = fr_cell_shift(i, bits);

    *word = (*word & ~(mask << shift)) | (uint64_t)value << shift;
}

/* Take one away, unless there is none.  No branch: which it is, is chance. */
static inline void fr_cell_wane(uint64_t *words, uint64_t i, unsigned bits)
{
    uint64_t one = fr_cell_get(words, i, bits) != 0;

    *fr_cell_word(words, i, bits) -= one << fr_cell_shift(i, bits);
}

/* The lowest bit of every cell of a word that is above zero. */
static inline uint64_t fr_word_above_zero(uint64_t word, unsigned bits)
{
    static const uint64_t lowest[] = {[1] = ~UINT64_C(0),
                                      [2] = UINT64_C(0x5555555555555555),
                                      [4] = UINT64_C(0x1111111111111111),
                                      [8] = UINT64_C(0x0101010101010101)};

    for (unsigned i = 1; i < bits; i *= 2)
        word |= word >> i; /* folds each cell onto its lowest bit */
    return word & lowest[bits];
}

/* Take one from each of n cells from i on that has one; a word at a time. */
static inline void fr_cells_wane(uint64_t *words, uint64_t i, uint64_t n,
                                 unsigned bits)
{
    uint64_t bit = i * bits, end = (i + n) * bits;

    while (bit < end) {
        uint64_t *word = words + bit / 64, next = (bit / 64 + 1) * 64;
        uint64_t reach = ~UINT64_C(0) << bit % 64;

        if (end < next)
            reach &= ~(~UINT64_C(0) << end % 64);
        *word -= fr_word_above_zero(*word, bits) & reach;
        bit = next;
    }
}

/* How many bits are set in so many words. */
static inline uint64_t fr_count_ones(const uint64_t *words, uint64_t n)
{
    uint64_t ones = 0;

    for (uint64_t i = 0; i < n; i++)
        ones += (uint64_t)__builtin_popcountll(words[i]);
    return ones;
}

/* How many of m cells are above zero. */
static inline uint64_t fr_cells_used(const uint64_t *words, uint64_t m,
                                     unsigned bits)
{
    uint64_t whole = m * bits / 64, used = 0;

    for (uint64_t i = 0; i < whole; i++)
        used +=
            (uint64_t)__builtin_popcountll(fr_word_above_zero(words[i], bits));
    for (uint64_t i = whole * 64 / bits; i < m; i++)
        used += fr_cell_get(words, i, bits) != 0;
    return used;
}

#endif
