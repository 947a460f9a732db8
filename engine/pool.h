/*
 * pool.h - threads that do the work of several members
 *
 * Members of a pool are asked in turn for work.  A member's data, as far as
 * several threads use it, is protected by the pool's one lock, which work()
 * gives up while it does something.
 */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdbool.h>

enum { POOL_MOST = 64 }; /* threads */

struct pool_member {
    bool (*work)(void *context); /* locked; false: there is nothing to do */
    void *context;
    struct pool_member *next; /* the pool's own */
};

struct pool;

/*
 * A pool of this many threads, of which one is the caller's own.  The others
 * are started when they are needed.  NULL if there is no memory.
 */
struct pool *pool_create(unsigned threads);

/* Accepts NULL.  It has no members by then. */
void pool_free(struct pool *p);

/* Start the threads, if they are not.  Signals that ask for something are left
   to the caller.  Returns how many threads there are, the caller's included;
   that may be fewer than were asked for. */
unsigned pool_start(struct pool *p);

void pool_add(struct pool *p, struct pool_member *m);
void pool_remove(struct pool *p, struct pool_member *m);

void pool_lock(struct pool *p);
void pool_unlock(struct pool *p);

/* Locked: returns whether a thread has nothing to do. */
bool pool_has_idle(const struct pool *p);

/* Locked: there is work for one more thread.  Returns false if none is idle. */
bool pool_wake(struct pool *p);

/* Locked: wait for a condition of the caller's own. */
void pool_wait(struct pool *p, pthread_cond_t *condition);

/* Returns the number of threads to use where the user does not say: one for
   each processor that may be used, up to 16. */
unsigned pool_default_threads(void);

#endif
