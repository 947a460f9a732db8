/*
 * huge_pages.c - huge pages for a block, once enough keys use it
 *
 * A key faults on a small page twice, to read and to write it, which takes
 * about 4 microseconds; to make 2 MiB huge by MADV_COLLAPSE takes 150.  Huge
 * pages begin at one key in 128 KiB: by then nearly every huge page is in use,
 * and the small pages have cost a third of what the huge ones will cost.  From
 * there on each key makes another 512 KiB huge, so that the whole block is
 * huge after a few batches.
 */
#include "huge_pages.h"

#include <stdbool.h>
#include <sys/mman.h>

#ifndef MADV_COLLAPSE
#    define MADV_COLLAPSE 25 /* since Linux 6.1; not in glibc 2.36 */
#endif

#define BYTES_BEFORE ((size_t)128 << 10) /* bytes of the block per key */
#define BYTES_AFTER  ((size_t)512 << 10) /* bytes made huge per key */

/* Returns the number of keys that the block must hold before its first huge
   bytes are made huge. */
static uint64_t keys_for(const struct fr_huge_pages *p, size_t huge)
{
    return p->bytes / BYTES_BEFORE + huge / BYTES_AFTER;
}

void fr_huge_pages_begin(struct fr_huge_pages *p, void *block, size_t bytes)
{
    *p = (struct fr_huge_pages){.next = FR_NEVER,
                                .block = block,
                                .bytes = bytes / FR_HUGE_PAGE * FR_HUGE_PAGE};
    p->spare = p->block + p->bytes;
    p->spare += bytes > p->bytes ? FR_HUGE_PAGE : 0;
    /*
     * An advice on zero bytes only tests whether the kernel supports it.  A
     * kernel that cannot collapse pages must be advised before they are
     * touched.
     */
    if (madvise(block, 0, MADV_COLLAPSE) != 0) {
        (void)madvise(block, p->bytes, MADV_HUGEPAGE);
        return;
    }
    (void)madvise(block, p->bytes, MADV_NOHUGEPAGE);
    p->next = keys_for(p, FR_HUGE_PAGE);
}

/*
 * Returns whether the administrator allows huge pages.  MADV_COLLAPSE ignores
 * that setting, so this tests whether a page fault on the spare huge page
 * brings in all of it.
 */
static bool are_allowed(char *spare)
{
    unsigned char resident = 0;

    (void)madvise(spare, FR_HUGE_PAGE, MADV_HUGEPAGE);
    *(volatile char *)spare = 1;
    (void)mincore(spare + FR_HUGE_PAGE / 2, 1, &resident);
    (void)madvise(spare, FR_HUGE_PAGE, MADV_DONTNEED);
    return resident & 1;
}

void fr_huge_pages_follow(struct fr_huge_pages *p, uint64_t keys)
{
    uint64_t due = (keys - keys_for(p, 0)) * BYTES_AFTER;
    size_t end = due < p->bytes ? due / FR_HUGE_PAGE * FR_HUGE_PAGE : p->bytes;
    char *at = p->block + p->done;

    if (p->done == 0 && !are_allowed(p->spare)) {
        p->next = FR_NEVER;
        return;
    }
    /* Best effort: where the kernel has no huge page, small ones stay. */
    (void)madvise(at, end - p->done, MADV_HUGEPAGE);
    (void)madvise(at, end - p->done, MADV_COLLAPSE);
    p->done = end;
    p->next = end < p->bytes ? keys_for(p, end + FR_HUGE_PAGE) : FR_NEVER;
}
