/*
 * floor.c - what no structure can do better
 */
#include "floor.h"

#include <math.h>

double floor_bits(double drop, double pass)
{
    double kept;

    if (drop >= 1 - pass)
        return 0;
    kept = (1 - pass) * log2((1 - pass) / drop);
    return pass > 0 ? kept + pass * log2(pass / (1 - drop)) : kept;
}
