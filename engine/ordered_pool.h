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

enum { TEAM_MOST = 64 }; /* threads */

struct team_job {
    void (*prepare)(void *context, void *item); /* several at once */
    void *(*finish)(void *context, void *item); /* in the order given; another
                                                   item to fill, or this one */
    void *context;
};

struct team;

/*
 * A team of so many threads, the leader included, that hands around n items.
 * Signals that ask for something are left to the leader.  NULL if there is
 * no memory, or not one more thread to be had; fewer than asked for will do.
 */
struct team *team_create(unsigned threads, void **items, size_t n,
                         const struct team_job *job);

/* Accepts NULL. */
void team_free(struct team *t);

/* The item to fill next: the leader works until one is free. */
void *team_next(struct team *t);

/* Give away what team_next() said. */
void team_give(struct team *t);

/* All that was given is finished, and the others are idle. */
void team_rest(struct team *t);

/* The threads there are when nobody says: one for each processor that may be
   used, up to four. */
unsigned team_default(void);

#endif
