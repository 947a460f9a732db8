/*
 * dice.h - random numbers by their index, so that a stream needs no history
 */
#ifndef GEN_DICE_H
#define GEN_DICE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 dice_u128;

/* SplitMix64's finish: every bit of x reaches every bit of the result. */
static inline uint64_t dice_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The n-th random number of a seed (Steele, Lea and Flood's SplitMix64). */
static inline uint64_t dice_at(uint64_t seed, uint64_t n)
{
    return dice_mix(seed + (n + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* A seed for the which-th purpose of a stream; seeds apart by one are not
   near each other. */
static inline uint64_t dice_seed(uint64_t seed, unsigned which)
{
    return dice_mix(dice_mix(seed + 1) + which);
}

/* Spread a random number over 0 to n - 1: no value is likelier than another
   by more than n / 2^64. */
static inline uint64_t dice_below(uint64_t random, uint64_t n)
{
    return (uint64_t)((dice_u128)random * n >> 64);
}

/* Steps round n places come to each once if 1 is all that divides both their
   length and n. */
static inline uint64_t dice_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* A probability as a bound: "random < bound" is true that often. */
static inline uint64_t dice_bound(double p)
{
    if (!(p > 0))
        return 0;
    return p < 1 ? (uint64_t)(p * 0x1p64) : UINT64_MAX;
}

/* Above 0, at most 1: a multiple of 2^-53. */
static inline double dice_real(uint64_t random)
{
    return (double)((random >> 11) + 1) * 0x1p-53;
}

/* From 0, below 1: what is left to 1 of dice_real(~random). */
static inline double dice_share(uint64_t random)
{
    return (double)(random >> 11) * 0x1p-53;
}

#endif
