/*
 * slots.h - arrays of fields of any width from 1 to 57 bits, bit-tight
 *
 * Slot i is the bits from i * width on, lowest first, of the array taken as
 * one little-endian number.  Eight bytes from the byte a slot begins in hold
 * all of it, since 7 + 57 = 64: one unaligned load reads any slot.  The array
 * is as long as that load needs at its last slot, so nothing is ever read
 * behind its end.
 *
 * A block has fewer than 2^51 bits, so that i * width cannot overflow.
 */
#ifndef FR_SLOTS_H
#define FR_SLOTS_H

#include <string.h>

#include "bits.h"

enum { FR_SLOT_BITS = 57 }; /* the widest there is */

/* The 64-bit words that n slots take; n is at least 1. */
static inline uint64_t fr_slots_words(uint64_t n, unsigned width)
{
    return ((n - 1) * width / 8 + 15) / 8;
}

/* How many slots so many words hold; there is at least one word. */
static inline uint64_t fr_slots_fit(uint64_t words, unsigned width)
{
    return ((words - 1) * 64 + 7) / width + 1;
}

/* The largest value of a slot. */
static inline uint64_t fr_slot_max(unsigned width)
{
    return (UINT64_C(1) << width) - 1;
}

/* The narrowest slot that holds a value. */
static inline unsigned fr_slot_width(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 1;
}

/* Where to prefetch. */
static inline const void *fr_slot_at(const uint64_t *words, uint64_t i,
                                     unsigned width)
{
    return (const char *)words + i * width / 8;
}

/* Any run of up to 57 bits of the array. */
static inline uint64_t fr_bits_get(const uint64_t *words, uint64_t bit,
                                   unsigned width)
{
    uint64_t load;

    memcpy(&load, (const char *)words + bit / 8, sizeof load);
    return load >> bit % 8 & fr_slot_max(width);
}

/* The value must fit. */
static inline void fr_bits_set(uint64_t *words, uint64_t bit, unsigned width,
                               uint64_t value)
{
    char *at = (char *)words + bit / 8;
    unsigned shift = (unsigned)(bit % 8);
    uint64_t load;

    memcpy(&load, at, sizeof load);
    load = (load & ~(fr_slot_max(width) << shift)) | value << shift;
    memcpy(at, &load, sizeof load);
}

static inline uint64_t fr_slot_get(const uint64_t *words, uint64_t i,
                                   unsigned width)
{
    return fr_bits_get(words, i * width, width);
}

/* The value must fit. */
static inline void fr_slot_set(uint64_t *words, uint64_t i, unsigned width,
                               uint64_t value)
{
    fr_bits_set(words, i * width, width, value);
}

/* How many of n slots are not zero. */
static inline uint64_t fr_slots_used(const uint64_t *words, uint64_t n,
                                     unsigned width)
{
    uint64_t used = 0;

    for (uint64_t i = 0; i < n; i++)
        used += fr_slot_get(words, i, width) != 0;
    return used;
}

#endif
