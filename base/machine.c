/*
 * machine.c - the machine that the program runs on
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "machine.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
#    define COMPILER "clang " __clang_version__
#else
#    define COMPILER "gcc " __VERSION__
#endif

/* Copies the text after the first ": " of the line that begins with "model
   name". */
static void read_cpu(char *out, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256], *value;

    snprintf(out, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        value = strstr(line, ": ");
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value[strcspn(value, "\n")] = '\0';
        snprintf(out, size, "%s", value + 2);
        break;
    }
    if (file)
        fclose(file);
}

/* Reads the word in brackets of "always [madvise] never". */
static void read_huge_pages(char *out, size_t size)
{
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    char line[128], word[16];

    snprintf(out, size, "unknown");
    if (file && fgets(line, sizeof line, file) &&
        sscanf(line, "%*[^[][%15[a-z]", word) == 1)
        snprintf(out, size, "%s", word);
    else if (file && sscanf(line, "[%15[a-z]", word) == 1)
        snprintf(out, size, "%s", word);
    if (file)
        fclose(file);
}

void machine_read(struct machine *machine)
{
    read_cpu(machine->cpu, sizeof machine->cpu);
    read_huge_pages(machine->huge_pages, sizeof machine->huge_pages);
    snprintf(machine->compiler, sizeof machine->compiler, "%s", COMPILER);
    machine->flags = MACHINE_FLAGS;
    machine->cores = sysconf(_SC_NPROCESSORS_ONLN);
}

uint64_t machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

uint64_t machine_free_memory(void)
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

unsigned machine_threads(void)
{
    cpu_set_t usable;
    bool known = sched_getaffinity(0, sizeof usable, &usable) == 0;
    long n = known ? CPU_COUNT(&usable) : sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : (unsigned)n;
}
