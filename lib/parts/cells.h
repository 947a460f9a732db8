/*
 * cells.h - arrays of small counters
 *
 * Cells are 1, 2, 3, 4 or 8 bits wide and packed into 64-bit words, lowest bits
 * first; no cell crosses a word.  A word holds 21 cells of 3 bits, and its last
 * bit stays zero.
 */
#ifndef FR_CELLS_H
#define FR_CELLS_H

#include <stdint.h>

/* Returns the number of cells in a word. */
static inline unsigned fr_cells_per_word(unsigned bits)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): check() wants a bit */
    return 64 / bits;
}

static inline uint64_t fr_cell_index(uint64_t i, unsigned bits)
{
    return bits == 3 ? i / 21 : i * bits / 64;
}

static inline unsigned fr_cell_shift(uint64_t i, unsigned bits)
{
    return (unsigned)(bits == 3 ? i % 21 * 3 : i * bits % 64);
}

static inline uint64_t *fr_cell_word(uint64_t *words, uint64_t i, unsigned bits)
{
    return words + fr_cell_index(i, bits);
}

static inline unsigned fr_cell_get(const uint64_t *words, uint64_t i,
                                   unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;

    return (unsigned)(words[fr_cell_index(i, bits)] >> fr_cell_shift(i, bits) &
                      mask);
}

/* Sets a cell to its largest value. */
static inline void fr_cell_fill(uint64_t *words, uint64_t i, unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;

    *fr_cell_word(words, i, bits) |= mask << fr_cell_shift(i, bits);
}

/* Sets a cell to any value below 2^bits. */
static inline void fr_cell_set(uint64_t *words, uint64_t i, unsigned bits,
                               unsigned value)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t *word = fr_cell_word(words, i, bits);
    unsigned shift = fr_cell_shift(i, bits);

    *word = (*word & ~(mask << shift)) | (uint64_t)value << shift;
}

/* Decrements a cell unless it is zero, without a branch, which would be
   unpredictable. */
static inline void fr_cell_decrement(uint64_t *words, uint64_t i, unsigned bits)
{
    uint64_t one = fr_cell_get(words, i, bits) != 0;

    *fr_cell_word(words, i, bits) -= one << fr_cell_shift(i, bits);
}

/* Returns a word with the lowest bit of every cell that is above zero. */
static inline uint64_t fr_word_above_zero(uint64_t word, unsigned bits)
{
    static const uint64_t lowest[] = {[1] = ~UINT64_C(0),
                                      [2] = UINT64_C(0x5555555555555555),
                                      [3] = UINT64_C(0x1249249249249249),
                                      [4] = UINT64_C(0x1111111111111111),
                                      [8] = UINT64_C(0x0101010101010101)};

    if (bits == 3)
        return (word | word >> 1 | word >> 2) & lowest[3];
    for (unsigned i = 1; i < bits; i *= 2)
        word |= word >> i; /* folds each cell onto its lowest bit */
    return word & lowest[bits];
}

/* Decrements n cells from i on, unless they are zero, a word at a time. */
static inline void fr_cells_decrement(uint64_t *words, uint64_t i, uint64_t n,
                                      unsigned bits)
{
    uint64_t *word = fr_cell_word(words, i, bits);
    unsigned at = fr_cell_shift(i, bits) / bits, all = fr_cells_per_word(bits);

    for (; n; word++, at = 0) {
        uint64_t some = n < all - at ? n : all - at;
        uint64_t reach = ~UINT64_C(0) << at * bits;

        if ((at + some) * bits < 64)
            reach &= ~(~UINT64_C(0) << (at + some) * bits);
        *word -= fr_word_above_zero(*word, bits) & reach;
        n -= some;
    }
}

/* Returns the number of bits set in n words. */
static inline uint64_t fr_count_ones(const uint64_t *words, uint64_t n)
{
    uint64_t ones = 0;

    for (uint64_t i = 0; i < n; i++)
        ones += (uint64_t)__builtin_popcountll(words[i]);
    return ones;
}

/* Returns how many of m cells are above zero. */
static inline uint64_t fr_cells_used(const uint64_t *words, uint64_t m,
                                     unsigned bits)
{
    uint64_t whole = m / fr_cells_per_word(bits), used = 0;

    for (uint64_t i = 0; i < whole; i++)
        used +=
            (uint64_t)__builtin_popcountll(fr_word_above_zero(words[i], bits));
    for (uint64_t i = whole * fr_cells_per_word(bits); i < m; i++)
        used += fr_cell_get(words, i, bits) != 0;
    return used;
}

#endif
