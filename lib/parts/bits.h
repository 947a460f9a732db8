/*
 * bits.h - small integer tools every filter needs
 */
#ifndef FR_BITS_H
#define FR_BITS_H

#include "freshet.h"

__extension__ typedef unsigned __int128 fr_u128;

/* Spread x over [0, n) without a division (Lemire's multiply-shift). */
static inline uint64_t fr_reduce(uint64_t x, uint64_t n)
{
    return (uint64_t)((fr_u128)x * n >> 64);
}

/*
 * The i-th of many hashes from one 128-bit hash.  Kirsch and Mitzenmacher's
 * progression alone would keep equal distances between a key's positions;
 * one multiplication breaks that up.
 */
static inline uint64_t fr_nth(freshet_hash h, unsigned i)
{
    uint64_t x = h.lo + i * (h.hi | 1);

    return (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* SplitMix64's finish: every bit of x reaches every bit of the result. */
static inline uint64_t fr_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/*
 * The n-th random number of a seed (SplitMix64 by index).  A filter stores
 * only how many it has drawn, so that empty is zero, a saved filter resumes
 * exactly, and a batch can look at draws ahead to prefetch what they hit.
 */
static inline uint64_t fr_random_at(uint64_t seed, uint64_t n)
{
    return fr_mix(seed + (n + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t fr_random(uint64_t seed, uint64_t *draws)
{
    return fr_random_at(seed, (*draws)++);
}

/* True with probability p / 2^64. */
static inline int fr_chance(uint64_t random, uint64_t p)
{
    return random < p;
}

/* A probability, 0 to 1, as fr_chance() takes it. */
static inline uint64_t fr_probability(double p)
{
    if (!(p > 0))
        return 0;
    return p < 1 ? (uint64_t)(p * 0x1p64) : UINT64_MAX;
}

/* A count from a formula: rounded down, and never out of range. */
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
