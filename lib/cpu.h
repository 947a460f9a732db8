/*
 * cpu.h - which instruction sets this machine has
 */
#ifndef FR_CPU_H
#define FR_CPU_H

#include <stdbool.h>

/* Returns whether the machine has every extension that files named *_avx2.c are
   compiled for: see CMakeLists.txt. */
static inline bool fr_cpu_has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

/* Returns the same for files named *_avx512.c. */
static inline bool fr_cpu_has_avx512(void)
{
#if defined(__x86_64__)
    return fr_cpu_has_avx2() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2");
#else
    return false;
#endif
}

#endif
