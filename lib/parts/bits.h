/*
 * bits.h - integer functions that every filter needs
 */
#ifndef FR_BITS_H
#define FR_BITS_H

#include "freshet.h"

__extension__ typedef unsigned __int128 fr_u128;

/* Maps x to [0, n) without a division (Lemire's multiply-shift). */
static inline uint64_t fr_reduce(uint64_t x, uint64_t n)
{
    return (uint64_t)((fr_u128)x * n >> 64);
}

/*
 * Returns the i-th of many hashes made from one 128-bit hash.  Kirsch and
 * Mitzenmacher's progression alone would keep equal distances between the
 * positions of a key; one multiplication removes that regularity.
 */
static inline uint64_t fr_nth(freshet_hash h, unsigned i)
{
    uint64_t x = h.lo + i * (h.hi | 1);

    return (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The finalizer of SplitMix64: every bit of x affects every bit of the
   result. */
static inline uint64_t fr_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/*
 * Returns the n-th random number of a seed (SplitMix64 by index).  A filter
 * stores only the number of its draws, so that an empty filter is zero, a saved
 * filter resumes exactly, and a batch can prefetch the cells of draws to come.
 */
static inline uint64_t fr_random_at(uint64_t seed, uint64_t n)
{
    return fr_mix(seed + (n + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t fr_random(uint64_t seed, uint64_t *draws)
{
    return fr_random_at(seed, (*draws)++);
}

/* Returns true with probability p / 2^64. */
static inline int fr_chance(uint64_t random, uint64_t p)
{
    return random < p;
}

/* Converts a probability, 0 to 1, to the form that fr_chance() takes. */
static inline uint64_t fr_probability(double p)
{
    if (!(p > 0))
        return 0;
    return p < 1 ? (uint64_t)(p * 0x1p64) : UINT64_MAX;
}

/* Converts the result of a formula to a count: rounded down, and limited to the
   range of the type. */
static inline uint32_t fr_u32(double x)
{
    if (!(x > 0)) /* also catches NaN */
        return 0;
    return x < UINT32_MAX ? (uint32_t)x : UINT32_MAX;
}

static inline uint64_t fr_u64(double x)
{
    if (!(x > 0))
        return 0;
    return x < 0x1p63 ? (uint64_t)x : UINT64_C(1) << 63;
}

#endif
