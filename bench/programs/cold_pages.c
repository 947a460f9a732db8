/*
 * cold_pages.c - what the system takes for pages that are touched first
 *
 *     cold_pages MEGABYTES PAGES BATCHES
 *
 * Maps memory and writes a byte to pages of it at random, as the first keys of
 * a filter do, in batches of PAGES.  Then the memory is freed and the same is
 * done again: a virtual machine has the memory from its host by then, so that
 * what is left is the work of its own kernel.  Prints the median and the
 * longest batch, in milliseconds.
 */
#define _GNU_SOURCE /* madvise() */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "clock.h"
#include "dice.h"

enum { PAGE = 4096, MOST = 10000 };

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Returns false if there is no such memory. */
static bool measure(const char *name, size_t bytes, size_t pages,
                    size_t batches, uint64_t seed)
{
    static double took[MOST];
    char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return false;
    (void)madvise(at, bytes, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < batches; i++) {
        double begun = clock_seconds();

        for (size_t j = 0; j < pages; j++) {
            uint64_t random = dice_at(seed, i * pages + j);

            *(volatile char *)(at + random % (bytes / PAGE) * PAGE) = 1;
        }
        took[i] = (clock_seconds() - begun) * 1000;
    }
    (void)munmap(at, bytes);
    qsort(took, batches, sizeof *took, compare);
    printf("%-52s %8.1f %8.1f\n", name, took[batches / 2], took[batches - 1]);
    return true;
}

int main(int argc, char **argv)
{
    size_t bytes, pages, batches;
    char name[100];

    if (argc != 4)
        return 2;
    bytes = (size_t)strtoull(argv[1], NULL, 10) << 20;
    pages = (size_t)strtoull(argv[2], NULL, 10);
    batches = (size_t)strtoull(argv[3], NULL, 10);
    if (bytes < PAGE || batches < 1 || batches > MOST)
        return 2;
    snprintf(name, sizeof name, "%zu pages of the kernel, %zu batches", pages,
             batches);
    if (!measure(name, bytes, pages, batches, 1) ||
        !measure("the same again", bytes, pages, batches, 2))
        return 1;
    return 0;
}
