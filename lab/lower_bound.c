/*
 * lower_bound.c - error rates that no structure can improve on
 */
#include "lower_bound.h"

#include <math.h>

double floor_bits(double drop, double pass)
{
    double kept;

    if (drop >= 1 - pass)
        return 0;
    kept = (1 - pass) * log2((1 - pass) / drop);
    return pass > 0 ? kept + pass * log2(pass / (1 - drop)) : kept;
}

/* With a share x of the keys in it, 2^(-bits/x) is the least; averaged
   over x. */
double floor_drops(double bits)
{
    enum { STEPS = 10000 };
    double sum = 0;

    for (int i = 0; i < STEPS; i++)
        sum += exp2(-bits * STEPS / (i + 0.5));
    return sum / STEPS;
}

/* With a share x of the keys in it, (1 - e^(-x / bits))^k; averaged over x. */
double bloom_drops(double bits, unsigned k)
{
    enum { STEPS = 10000 };
    double sum = 0;

    for (int i = 0; i < STEPS; i++)
        sum += pow(-expm1(-(i + 0.5) / STEPS / bits), k);
    return sum / STEPS;
}
