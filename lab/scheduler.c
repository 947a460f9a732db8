/*
 * scheduler.c - runs the cells of a grid in parallel
 *
 * Workers take the first waiting cell that fits into the memory left by those
 * that run.  The thread that called grid_run() passes results on.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "cell_rows.h"
#include "clock.h"
#include "grid.h"
#include "machine.h"
#include "status_line.h"

struct scheduler {
    struct grid *grid;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t memory, promised; /* available; reserved for running cells */
    unsigned running;
    bool failed;
    struct fault why;
    size_t handed; /* number of finished cells that were passed on */
    size_t done, waiting;
    struct cell **in_order;

    _Atomic uint64_t records; /* of all cells so far */
    uint64_t all_records;
    double started;
};

/* ---- Workers ---------------------------------------------------------- */

/* To be called with the lock. */
static struct cell *first_that_fits(const struct scheduler *y)
{
    for (size_t i = 0; i < y->grid->cells; i++) {
        struct cell *c = &y->grid->cell[i];

        if (c->state == CELL_WAITS &&
            (!y->running || c->need + y->promised <= y->memory))
            return c;
    }
    return NULL;
}

static void count_together(struct scheduler *y)
{
    for (size_t i = 0; i < y->grid->cells; i++) {
        struct cell *c = &y->grid->cell[i];

        if (c->state == CELL_RUNS && c->together < y->running)
            c->together = y->running;
    }
}

/* Returns the next cell, or NULL if there is none. */
static struct cell *next_cell(struct scheduler *y)
{
    struct cell *c = NULL;

    pthread_mutex_lock(&y->lock);
    while (y->waiting && !y->failed && !(c = first_that_fits(y)))
        pthread_cond_wait(&y->changed, &y->lock);
    if (c) {
        c->state = CELL_RUNS;
        y->waiting--;
        y->running++;
        y->promised += c->need;
        count_together(y);
    }
    pthread_mutex_unlock(&y->lock);
    return c;
}

static void give_back(struct scheduler *y, struct cell *c,
                      const struct fault *why)
{
    pthread_mutex_lock(&y->lock);
    c->state = CELL_DONE;
    y->running--;
    y->promised -= c->need;
    y->in_order[y->done++] = c;
    if (why && !y->failed) {
        y->failed = true;
        fault_set(&y->why, "%s: %s", c->spec.label, why->text);
    }
    pthread_cond_broadcast(&y->changed);
    pthread_mutex_unlock(&y->lock);
}

static void *work(void *yard)
{
    struct scheduler *y = yard;
    struct cell *c;

    while ((c = next_cell(y))) {
        struct fault why = {"out of memory"};
        bool good;

        c->measure.options.algorithm = c->spec.algorithm;
        c->measure.progress = &y->records;
        good = measure_run(&c->measure, &why) && cell_make_rows(c);
        give_back(y, c, good ? NULL : &why);
    }
    return NULL;
}

/* ---- The thread that began it ----------------------------------------- */

static void show_progress(struct scheduler *y)
{
    char text[64];

    snprintf(text, sizeof text, "%zu of %zu done", y->handed, y->grid->cells);
    status_line_bar((double)y->records / (double)y->all_records,
                    clock_seconds() - y->started, text);
}

/* Waits until another cell is done, or the progress is to be shown. */
static void wait_for_progress(struct scheduler *y)
{
    uint64_t end = clock_wall() + 200000000;
    struct timespec until = {(time_t)(end / 1000000000),
                             (long)(end % 1000000000)};

    pthread_cond_timedwait(&y->changed, &y->lock, &until);
}

/* Passes finished cells on, until all are done. */
static int pass_on_results(struct scheduler *y,
                           int (*done)(void *, struct cell *), void *context,
                           struct fault *why)
{
    int status = 0;

    pthread_mutex_lock(&y->lock);
    while (status == 0 && !y->failed &&
           (y->handed < y->done || y->running || y->waiting)) {
        if (y->handed == y->done) {
            wait_for_progress(y);
            show_progress(y);
            continue;
        }
        pthread_mutex_unlock(&y->lock);
        status_line_clear();
        status = done(context, y->in_order[y->handed++]);
        pthread_mutex_lock(&y->lock);
    }
    if (y->failed) {
        *why = y->why;
        status = -1;
    }
    y->failed = true; /* no further cell begins */
    pthread_mutex_unlock(&y->lock);
    status_line_clear();
    return status;
}

static size_t start_workers(pthread_t *worker, size_t jobs, struct scheduler *y)
{
    size_t made = 0;

    while (made < jobs && pthread_create(&worker[made], NULL, work, y) == 0)
        made++;
    return made;
}

static int run(struct scheduler *y, size_t jobs,
               int (*done)(void *, struct cell *), void *context,
               struct fault *why)
{
    pthread_t worker[BENCH_THREADS];
    size_t made = start_workers(worker, jobs, y);
    int status = made ? pass_on_results(y, done, context, why) : -1;

    if (!made)
        fault_set(why, "cannot start a thread");

    for (size_t i = 0; i < made; i++)
        pthread_join(worker[i], NULL);
    return status;
}

/* Puts cells that were measured before first. */
static void queue_cells(struct scheduler *y)
{
    for (size_t i = 0; i < y->grid->cells; i++) {
        struct cell *c = &y->grid->cell[i];

        if (c->state == CELL_DONE) {
            y->in_order[y->done++] = c;
            continue;
        }
        y->waiting++;
        y->all_records += c->stream->records;
    }
}

int grid_run(struct grid *g, size_t jobs,
             int (*done)(void *context, struct cell *c), void *context,
             struct fault *why)
{
    struct scheduler y = {.grid = g,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER,
                          .memory = machine_free_memory(),
                          .started = clock_seconds()};
    int status;

    y.in_order = calloc(g->cells + 1, sizeof(struct cell *));
    if (!y.in_order) {
        fault_set(why, "out of memory");
        return -1;
    }
    queue_cells(&y);
    jobs = jobs < y.waiting ? jobs : y.waiting;
    jobs = jobs < BENCH_THREADS ? jobs : BENCH_THREADS;
    status = run(&y, jobs ? jobs : 1, done, context, why);
    free(y.in_order);
    return status;
}
