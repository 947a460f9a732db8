/*
 * ordered_pool.c - work that is prepared side by side and finished in order
 */
#include "ordered_pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "machine.h"
#include "signals.h"

/*
 * Items are numbered as they are given: their ticket.  Those from finished to
 * taken are being prepared or are prepared, those up to given wait for it.
 */
struct ordered_pool {
    pthread_mutex_t lock;
    pthread_cond_t more; /* was given: the others wait for it */
    pthread_cond_t less; /* is left to do: the leader waits for it */
    uint64_t given, taken, finished;
    bool finishing; /* somebody is */
    bool over;      /* nothing more will be given */
    struct ordered_pool_job job;

    unsigned others;
    pthread_t other[ORDERED_POOL_MOST];
    size_t items;
    struct place {
        void *item;
        bool prepared;
    } place[];
};

static struct place *place_of(struct ordered_pool *t, uint64_t ticket)
{
    return &t->place[ticket % t->items];
}

static void prepare(struct ordered_pool *t)
{
    struct place *p = place_of(t, t->taken++);

    pthread_mutex_unlock(&t->lock);
    t->job.prepare(t->job.context, p->item);
    pthread_mutex_lock(&t->lock);
    p->prepared = true;
}

static void finish(struct ordered_pool *t)
{
    struct place *p = place_of(t, t->finished);

    t->finishing = true;
    pthread_mutex_unlock(&t->lock);
    p->item = t->job.finish(t->job.context, p->item);
    pthread_mutex_lock(&t->lock);
    t->finishing = false;
    p->prepared = false;
    t->finished++;
    pthread_cond_signal(&t->less);
}

static bool turn_has_come(struct ordered_pool *t)
{
    return !t->finishing && t->finished < t->taken &&
           place_of(t, t->finished)->prepared;
}

/*
 * Do what there is to do, or wait.  Locked.  Whoever has done something looks
 * for more before it waits, but for the leader, who leaves to give: so it is
 * enough to wake the others then, and the leader when less is left.
 */
static void work(struct ordered_pool *t, pthread_cond_t *wait_for)
{
    if (turn_has_come(t))
        finish(t);
    else if (t->taken < t->given)
        prepare(t);
    else
        pthread_cond_wait(wait_for, &t->lock);
}

static void *member(void *arg)
{
    struct ordered_pool *t = arg;

    pthread_mutex_lock(&t->lock);
    while (!t->over)
        work(t, &t->more);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void start(struct ordered_pool *t, unsigned threads)
{
    signals_hold(true); /* is inherited */
    while (t->others + 1 < threads &&
           pthread_create(&t->other[t->others], NULL, member, t) == 0)
        t->others++;
    signals_hold(false);
}

struct ordered_pool *ordered_pool_create(unsigned threads, void **items,
                                         size_t n,
                                         const struct ordered_pool_job *job)
{
    struct ordered_pool *t = calloc(1, sizeof *t + n * sizeof *t->place);

    if (!t)
        return NULL;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->more, NULL);
    pthread_cond_init(&t->less, NULL);
    t->job = *job;
    t->items = n;
    for (size_t i = 0; i < n; i++)
        t->place[i].item = items[i];
    start(t, threads < ORDERED_POOL_MOST ? threads : ORDERED_POOL_MOST);
    if (t->others)
        return t;
    ordered_pool_free(t);
    return NULL;
}

void ordered_pool_free(struct ordered_pool *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->over = true;
    pthread_cond_broadcast(&t->more);
    pthread_mutex_unlock(&t->lock);
    while (t->others)
        pthread_join(t->other[--t->others], NULL);
    pthread_cond_destroy(&t->more);
    pthread_cond_destroy(&t->less);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

void *ordered_pool_next(struct ordered_pool *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->given - t->finished == t->items)
        work(t, &t->less);
    pthread_mutex_unlock(&t->lock);
    return place_of(t, t->given)->item;
}

void ordered_pool_give(struct ordered_pool *t)
{
    pthread_mutex_lock(&t->lock);
    t->given++;
    pthread_cond_signal(&t->more);
    if (turn_has_come(t)) /* the leader left that, too */
        pthread_cond_signal(&t->more);
    pthread_mutex_unlock(&t->lock);
}

void ordered_pool_rest(struct ordered_pool *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->finished < t->given)
        work(t, &t->less);
    pthread_mutex_unlock(&t->lock);
}

unsigned ordered_pool_default(void)
{
    unsigned n = machine_threads();

    return n < 4 ? n : 4;
}
