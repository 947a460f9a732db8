/*
 * bench_machine.c - what a figure was measured on
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#ifdef __clang__
#    define COMPILER "clang " __clang_version__
#else
#    define COMPILER "gcc " __VERSION__
#endif

/* Copy what follows the first ": " of the line that starts with name. */
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

/* The word in brackets: "always [madvise] never". */
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

void bench_machine_read(struct bench_machine *machine)
{
    read_cpu(machine->cpu, sizeof machine->cpu);
    read_huge_pages(machine->huge_pages, sizeof machine->huge_pages);
    snprintf(machine->compiler, sizeof machine->compiler, "%s", COMPILER);
    machine->flags = BENCH_FLAGS;
    machine->cores = sysconf(_SC_NPROCESSORS_ONLN);
}
