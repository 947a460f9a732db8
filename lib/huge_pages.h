/*
 * huge_pages.h - huge pages for a block, once enough keys use it
 *
 * With huge pages a key takes half the time.  But each of the first keys
 * touches a page of its own, so that a thousand keys in huge pages would make
 * all of a large block resident, and zeroing it would take longer than
 * everything else.  A block therefore begins with small pages, and the number
 * of huge ones grows with the number of keys.
 */
#ifndef FR_HUGE_PAGES_H
#define FR_HUGE_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define FR_SMALL_PAGE ((size_t)4 << 10)
#define FR_HUGE_PAGE  ((size_t)2 << 20)

struct fr_huge_pages {
    uint64_t next; /* number of keys at which more pages become huge, or
                      FR_NEVER */
    char *block, *spare;
    size_t bytes, done; /* bytes of the block; bytes of it that have been
                           made huge */
};

#define FR_NEVER UINT64_MAX

/* For a block whose pages this module leaves alone. */
static inline void fr_huge_pages_none(struct fr_huge_pages *p)
{
    p->next = FR_NEVER;
}

/* Prepares an empty block that is mapped at a multiple of FR_HUGE_PAGE, with a
   spare huge page mapped behind its last one. */
void fr_huge_pages_begin(struct fr_huge_pages *p, void *block, size_t bytes);

/* Makes the pages huge that are due at this number of keys. */
void fr_huge_pages_follow(struct fr_huge_pages *p, uint64_t keys);

/* To be called after each batch: one comparison while nothing is due. */
static inline void fr_huge_pages_count(struct fr_huge_pages *p, uint64_t keys)
{
    if (keys >= p->next)
        fr_huge_pages_follow(p, keys);
}

/* Rewrites the zero of an untouched page.  That takes one page fault, for
   writing; a key that reads first and writes afterwards would take two. */
static inline void fr_fault_for_writing(uint64_t *word)
{
    uint64_t zero = 0;

    (void)__atomic_compare_exchange_n(word, &zero, 0, 0, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED);
}

#endif
