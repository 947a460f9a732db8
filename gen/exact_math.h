/*
 * exact_math.h - logarithm and exponential with the same bits on every machine
 *
 * They use only additions, multiplications and divisions, which IEEE 754
 * defines exactly; mathematical libraries differ in the last bits.  gen/ is
 * compiled without fused operations.  The relative error is about 1e-15.
 */
#ifndef GEN_REAL_H
#define GEN_REAL_H

#include <stdint.h>
#include <string.h>

#define REAL_LN2      0.69314718055994530942
#define REAL_LN2_HIGH 0x1.62e42fee00000p-1 /* few bits: exact multiples */
#define REAL_LN2_LOW  0x1.a39ef35793c76p-33
#define REAL_ROOT     UINT64_C(0x3fe6a09e667f3bcd) /* the bits of sqrt(1/2) */

/* Returns 2 atanh(f) for |f| below 0.18. */
static inline double real_twice_atanh(double f)
{
    double s = f * f, sum = 1.0 / 21;

    sum = sum * s + 1.0 / 19;
    sum = sum * s + 1.0 / 17;
    sum = sum * s + 1.0 / 15;
    sum = sum * s + 1.0 / 13;
    sum = sum * s + 1.0 / 11;
    sum = sum * s + 1.0 / 9;
    sum = sum * s + 1.0 / 7;
    sum = sum * s + 1.0 / 5;
    sum = sum * s + 1.0 / 3;
    return 2 * f + 2 * f * (sum * s);
}

/* Splits x into m 2^e with m between sqrt(1/2) and sqrt(2).  x must be normal
   and above 0. */
static inline double real_split(double x, int *e)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits -= REAL_ROOT;
    *e = (int)((int64_t)bits >> 52);
    bits = (bits & UINT64_C(0xfffffffffffff)) + REAL_ROOT;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns ln x, for normal x above 0. */
static inline double real_log(double x)
{
    int e;
    double m = real_split(x, &e);

    return e * REAL_LN2 + real_twice_atanh((m - 1) / (m + 1));
}

/* Returns ln(1 + x), for x above -1. */
static inline double real_log1p(double x)
{
    if (x > -0.25 && x < 0.25)
        return real_twice_atanh(x / (2 + x));
    return real_log(1 + x);
}

/* Returns e^r - 1 for |r| below 0.35. */
static inline double real_expm1_near(double r)
{
    double sum = 1.0 / 6227020800;

    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 1.0 / 2;
    return r + r * (sum * r);
}

/* Returns 2^k, for |k| below 1023. */
static inline double real_power(int64_t k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;

    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Returns e^x, for |x| below 700. */
static inline double real_exp(double x)
{
    int64_t k = (int64_t)(x * 1.44269504088896340736 + (x < 0 ? -0.5 : 0.5));
    double r = x - (double)k * REAL_LN2_HIGH;

    r -= (double)k * REAL_LN2_LOW;
    return (1 + real_expm1_near(r)) * real_power(k);
}

/* Returns e^x - 1, for x below 700. */
static inline double real_expm1(double x)
{
    if (x > -0.34 && x < 0.34)
        return real_expm1_near(x);
    return x < -50 ? -1 : real_exp(x) - 1;
}

#endif
