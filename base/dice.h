/*
 * dice.h - random numbers computed from their index, so that no history is kept
 */
#ifndef DICE_H
#define DICE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 dice_u128;

/* SplitMix64's finaliser: every bit of x affects every bit of the result. */
static inline uint64_t dice_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Returns the n-th random number of a seed (SplitMix64 by Steele, Lea and
   Flood). */
static inline uint64_t dice_at(uint64_t seed, uint64_t n)
{
    return dice_mix(seed + (n + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Derives the seed for one purpose of a stream.  Neighbouring seeds give
   unrelated results. */
static inline uint64_t dice_seed(uint64_t seed, unsigned which)
{
    return dice_mix(dice_mix(seed + 1) + which);
}

/* Maps a random number to 0 to n - 1.  The probabilities of two values differ
   by at most 2^-64. */
static inline uint64_t dice_below(uint64_t random, uint64_t n)
{
    return (uint64_t)((dice_u128)random * n >> 64);
}

/* Returns the greatest common divisor.  Steps of length a round b places visit
   each place once if it is 1. */
static inline uint64_t dice_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Converts a probability to a bound: "random < bound" is true with that
   probability. */
static inline uint64_t dice_bound(double p)
{
    if (!(p > 0))
        return 0;
    return p < 1 ? (uint64_t)(p * 0x1p64) : UINT64_MAX;
}

/* Maps a random number to (0, 1], in multiples of 2^-53. */
static inline double dice_real(uint64_t random)
{
    return (double)((random >> 11) + 1) * 0x1p-53;
}

/* Maps a random number to [0, 1): 1 - dice_real(~random). */
static inline double dice_share(uint64_t random)
{
    return (double)(random >> 11) * 0x1p-53;
}

#endif
