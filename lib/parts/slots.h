/*
 * slots.h - packed arrays of fields of any width from 1 to 57 bits
 *
 * Slot i consists of the bits from i * width on, lowest first, of the array
 * read as one little-endian number.  One unaligned load of eight bytes reads
 * any slot, since 7 + 57 = 64.  It touches only the 64-bit words that have bits
 * of the slot, so that threads may use different words at the same time.  The
 * array is one word longer than that needs at most: part of the format.
 *
 * A block has fewer than 2^51 bits, so that i * width cannot overflow.
 */
#ifndef FR_SLOTS_H
#define FR_SLOTS_H

#include <string.h>

#include "bits.h"

enum { FR_SLOT_BITS = 57 }; /* the widest slot */

/* Returns the number of 64-bit words that n slots take; n is at least 1. */
static inline uint64_t fr_slots_words(uint64_t n, unsigned width)
{
    return ((n - 1) * width / 8 + 15) / 8;
}

/* Returns the number of slots that fit into words, of which there is at least
   one. */
static inline uint64_t fr_slots_fit(uint64_t words, unsigned width)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): check() wants a bit */
    return ((words - 1) * 64 + 7) / width + 1;
}

/* Returns the largest value of a slot. */
static inline uint64_t fr_slot_max(unsigned width)
{
    /* Slots have less than 64 bits.
       NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    return (UINT64_C(1) << width) - 1;
}

/* Returns the width of the narrowest slot that holds a value. */
static inline unsigned fr_slot_width(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 1;
}

/* Returns the address to prefetch for a slot. */
static inline const void *fr_slot_at(const uint64_t *words, uint64_t i,
                                     unsigned width)
{
    return (const char *)words + i * width / 8;
}

/* Returns the byte to load "width" bits from: the one with the first bit, or
   the first of the last word if eight bytes would go beyond that word. */
static inline uint64_t fr_bits_byte(uint64_t bit, unsigned width)
{
    uint64_t byte = bit / 8, word = (bit + width - 1) / 64 * 8;

    return byte < word ? byte : word;
}

/* Returns the "width" bits from a bit of the array on, at most 57. */
static inline uint64_t fr_bits_get(const uint64_t *words, uint64_t bit,
                                   unsigned width)
{
    uint64_t byte = fr_bits_byte(bit, width), load;

    memcpy(&load, (const char *)words + byte, sizeof load);
    return load >> (bit - byte * 8) & fr_slot_max(width);
}

/* Writes a value that must fit into width bits. */
static inline void fr_bits_set(uint64_t *words, uint64_t bit, unsigned width,
                               uint64_t value)
{
    uint64_t byte = fr_bits_byte(bit, width), shift = bit - byte * 8, load;
    char *at = (char *)words + byte;

    memcpy(&load, at, sizeof load);
    load = (load & ~(fr_slot_max(width) << shift)) | value << shift;
    memcpy(at, &load, sizeof load);
}

static inline uint64_t fr_slot_get(const uint64_t *words, uint64_t i,
                                   unsigned width)
{
    return fr_bits_get(words, i * width, width);
}

/* Writes a value that must fit into the slot. */
static inline void fr_slot_set(uint64_t *words, uint64_t i, unsigned width,
                               uint64_t value)
{
    fr_bits_set(words, i * width, width, value);
}

/* Returns how many of n slots are not zero. */
static inline uint64_t fr_slots_used(const uint64_t *words, uint64_t n,
                                     unsigned width)
{
    uint64_t used = 0;

    for (uint64_t i = 0; i < n; i++)
        used += fr_slot_get(words, i, width) != 0;
    return used;
}

#endif
