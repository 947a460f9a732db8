/*
 * pool.c - threads that work for several members
 */
#include "pool.h"

#include <stdlib.h>

#include "machine.h"
#include "signals.h"

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t more; /* there is work for idle threads */
    struct pool_member *members;
    unsigned wanted;      /* threads to start */
    unsigned idle, calls; /* threads that wait, and calls to wake one since */
    unsigned unsent;      /* calls whose signal waits until the lock is free */
    bool is_started, is_over;

    unsigned threads; /* threads besides the caller's */
    pthread_t thread[POOL_MOST];
};

struct pool *pool_create(unsigned threads)
{
    struct pool *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->more, NULL);
    p->wanted = threads < POOL_MOST ? threads : POOL_MOST;
    return p;
}

static bool work(struct pool *p)
{
    for (struct pool_member *m = p->members; m; m = m->next)
        if (m->work(m->context))
            return true;
    return false;
}

static void signal_more(struct pool *p, unsigned n)
{
    while (n-- > 0)
        pthread_cond_signal(&p->more);
}

/* Locked: sends signals before the thread waits. */
static void send_signals(struct pool *p)
{
    signal_more(p, p->unsent);
    p->unsent = 0;
}

static void *run(void *arg)
{
    struct pool *p = arg;

    pthread_mutex_lock(&p->lock);
    while (!p->is_over) {
        if (work(p))
            continue;
        send_signals(p);
        p->idle++;
        while (!p->calls && !p->is_over)
            pthread_cond_wait(&p->more, &p->lock);
        p->calls -= p->calls > 0;
        p->idle--;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

unsigned pool_start(struct pool *p)
{
    if (!p->is_started) {
        signals_hold(true); /* inherited by the threads */
        while (p->threads + 1 < p->wanted &&
               pthread_create(&p->thread[p->threads], NULL, run, p) == 0)
            p->threads++;
        signals_hold(false);
    }
    p->is_started = true;
    return p->threads + 1;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_over = true;
    pthread_cond_broadcast(&p->more);
    pthread_mutex_unlock(&p->lock);
    while (p->threads)
        pthread_join(p->thread[--p->threads], NULL);
    pthread_cond_destroy(&p->more);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void pool_add(struct pool *p, struct pool_member *m)
{
    pthread_mutex_lock(&p->lock);
    m->next = p->members;
    p->members = m;
    pthread_mutex_unlock(&p->lock);
}

void pool_remove(struct pool *p, struct pool_member *m)
{
    struct pool_member **at = &p->members;

    pthread_mutex_lock(&p->lock);
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    pthread_mutex_unlock(&p->lock);
}

void pool_lock(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
}

/* A signal is a system call, and a thread that it wakes needs the lock, so
   signals are sent when the lock is free.  The pool is not freed meanwhile:
   pool_free() waits for the threads. */
void pool_unlock(struct pool *p)
{
    unsigned unsent = p->unsent;

    p->unsent = 0;
    pthread_mutex_unlock(&p->lock);
    signal_more(p, unsent);
}

bool pool_has_threads(const struct pool *p)
{
    return p->threads > 0;
}

bool pool_has_idle(const struct pool *p)
{
    return p->idle > p->calls;
}

bool pool_wake(struct pool *p)
{
    if (!pool_has_idle(p))
        return false;
    p->calls++;
    p->unsent++;
    return true;
}

void pool_wait(struct pool *p, pthread_cond_t *condition)
{
    send_signals(p);
    pthread_cond_wait(condition, &p->lock);
}

unsigned pool_default_threads(void)
{
    unsigned n = machine_threads();

    return n < 16 ? n : 16;
}
