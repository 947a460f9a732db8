/*
 * pool.h - threads that work for several members
 *
 * The threads ask the members of a pool for work in turn.  One lock of the pool
 * protects the members' shared data; work() releases it while it performs a
 * task.
 */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdbool.h>

enum { POOL_MOST = 64 }; /* most threads */

struct pool_member {
    bool (*work)(void *context); /* called with the lock; false: there is
                                    nothing to do */
    void *context;
    struct pool_member *next; /* for the pool only */
};

struct pool;

/*
 * Creates a pool of this many threads, including the caller's.  The others are
 * started when they are needed.  Returns NULL if there is no memory.
 */
struct pool *pool_create(unsigned threads);

/* Accepts NULL.  The pool must have no members. */
void pool_free(struct pool *p);

/*
 * Starts the threads, unless they are running.  They block the signals of
 * signals.h.  Returns the number of threads, including the caller's, which may
 * be fewer than were requested.
 */
unsigned pool_start(struct pool *p);

void pool_add(struct pool *p, struct pool_member *m);
void pool_remove(struct pool *p, struct pool_member *m);

void pool_lock(struct pool *p);
void pool_unlock(struct pool *p);

/* Returns whether other threads than the caller's were started.  For the
   caller. */
bool pool_has_threads(const struct pool *p);

/* Locked: returns whether a thread is idle. */
bool pool_has_idle(const struct pool *p);

/* Locked: wakes a thread for work, when the lock is released.  Returns false if
   none is idle. */
bool pool_wake(struct pool *p);

/* Locked: waits for a condition of the caller. */
void pool_wait(struct pool *p, pthread_cond_t *condition);

/* Returns the default number of threads: one for each available processor, up
   to 16. */
unsigned pool_default_threads(void);

#endif
