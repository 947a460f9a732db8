/*
 * truth.c - finds exactly which records of a stream are repeats
 */
#include "truth.h"

#include <stdlib.h>

#include "bitmap.h"
#include "machine.h"
#include "size.h"
#include "system.h"

enum { AHEAD = 16 }; /* keys whose bit is prefetched */

uint64_t truth_memory(const struct gen *g)
{
    return gen_knows_truth(g) ? 0 : (gen_universe(g) + 63) / 64 * 8;
}

int truth_open(struct truth *t, struct gen *g, struct fault *why)
{
    uint64_t bytes = truth_memory(g);
    char text[SIZE_TEXT];

    *t = (struct truth){.gen = g};
    if (gen_knows_truth(g))
        return 0;
    /* calloc() may promise more than the machine has: check first.  A universe
       has a key at least. */
    if (bytes < machine_memory())
        /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI) */
        t->seen = calloc(bytes / 8, 8);
    if (t->seen) {
        system_want_huge_pages(t->seen, bytes);
        return 0;
    }
    fault_set(why,
              "marking the repeats of %llu keys takes a bit each: %s, more "
              "memory than this machine has; choose a smaller universe",
              (unsigned long long)gen_universe(g), size_text(text, bytes));
    return -1;
}

size_t truth_next(struct truth *t, uint64_t *key, uint8_t *repeat, size_t n)
{
    n = gen_next(t->gen, key, repeat, n);
    for (size_t i = 0; t->seen && i < n; i++) {
        __builtin_prefetch(&t->seen[key[i + AHEAD < n ? i + AHEAD : i] >> 6],
                           1);
        repeat[i] = bitmap_mark(t->seen, key[i]);
    }
    return n;
}

void truth_close(struct truth *t)
{
    free(t->seen);
    t->seen = NULL;
}
