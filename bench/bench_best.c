/*
 * bench_best.c - the fastest and the slowest of several runs
 */
#include <math.h>

#include "bench.h"

void bench_add(struct bench_best *best, double ns)
{
    best->fastest = best->runs ? fmin(best->fastest, ns) : ns;
    best->slowest = best->runs ? fmax(best->slowest, ns) : ns;
    best->runs++;
}

double bench_spread(const struct bench_best *best)
{
    return best->slowest / best->fastest - 1;
}
