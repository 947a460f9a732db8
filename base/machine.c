/*
 * machine.c - what the machine can still give
 */
#include "machine.h"

#include <stdio.h>

uint64_t memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kib;
    uint64_t found = UINT64_MAX;

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            found = kib * 1024;
    if (file)
        fclose(file);
    return found;
}
