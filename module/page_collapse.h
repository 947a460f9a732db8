/*
 * page_collapse.h - a thread that makes the pages of a block huge
 *
 * The kernel copies 512 small pages into a huge one, and before that it waits
 * until every core has emptied its lists of pages: a tenth of a millisecond
 * where nothing else runs, a tenth of a second where all cores are busy.  No
 * command waits for that.
 */
#ifndef PAGE_COLLAPSE_H
#define PAGE_COLLAPSE_H

#include <stdbool.h>
#include <stddef.h>

struct page_collapse;

/* Starts the thread for a block.  Returns NULL if that cannot be done: the
   pages stay as they are. */
struct page_collapse *page_collapse_start(void *block, size_t bytes);

/* Returns whether the thread has ended. */
bool page_collapse_is_over(const struct page_collapse *collapse);

/* To be called before the block is freed, and at most once: the thread does not
   touch the block any more.  Waits for the pages that the thread is at. */
void page_collapse_stop(struct page_collapse *collapse);

#endif
