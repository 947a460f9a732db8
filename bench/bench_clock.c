/*
 * bench_clock.c - the clock, and the best of several runs
 */
#include <math.h>
#include <time.h>

#include "bench.h"

double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

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
