/*
 * ordered_pool.h - work that is prepared side by side and finished in order
 *
 * The leader, who made the team, fills items and gives them away one after
 * the other.  Whoever is free prepares an item, the leader too while it has
 * to wait; whoever is free when an item's turn has come finishes it.  So
 * never are two finished at once, and each sees all that was done before it.
 */
#ifndef ORDERED_POOL_H
#define ORDERED_POOL_H

#include <stddef.h>

enum { ORDERED_POOL_MOST = 64 }; /* threads */

struct ordered_pool_job {
    void (*prepare)(void *context, void *item); /* several at once */
    void *(*finish)(void *context, void *item); /* in the order given; another
                                                   item to fill, or this one */
    void *context;
};

struct ordered_pool;

/*
 * A team of so many threads, the leader included, that hands around n items.
 * Signals that ask for something are left to the leader.  NULL if there is
 * no memory, or not one more thread to be had; fewer than asked for will do.
 */
struct ordered_pool *ordered_pool_create(unsigned threads, void **items,
                                         size_t n,
                                         const struct ordered_pool_job *job);

/* Accepts NULL. */
void ordered_pool_free(struct ordered_pool *t);

/* The item to fill next: the leader works until one is free. */
void *ordered_pool_next(struct ordered_pool *t);

/* Give away what ordered_pool_next() said. */
void ordered_pool_give(struct ordered_pool *t);

/* All that was given is finished, and the others are idle. */
void ordered_pool_rest(struct ordered_pool *t);

/* The threads there are when nobody says: one for each processor that may be
   used, up to four. */
unsigned ordered_pool_default(void);

#endif
