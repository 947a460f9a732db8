/*
 * clock.c - the system's clocks
 */
#include "clock.h"

#include <time.h>

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_now(void)
{
    return nanoseconds(CLOCK_BOOTTIME);
}

double clock_seconds(void)
{
    return (double)nanoseconds(CLOCK_MONOTONIC) * 1e-9;
}

uint64_t clock_wall(void)
{
    return nanoseconds(CLOCK_REALTIME);
}

double clock_cpu_seconds(void)
{
    return (double)nanoseconds(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}
