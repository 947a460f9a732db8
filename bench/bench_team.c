/*
 * bench_team.c - several threads that start at the same time
 */
#include <pthread.h>
#include <string.h>

#include "bench.h"
#include "clock.h"

/* Threads wait here until all have started, or until one could not be made. */
struct gate {
    pthread_mutex_t closed;
    bool cancelled;
};

struct member {
    pthread_t thread;
    struct gate *gate;
    void (*work)(void *job);
    void *job;
};

static void *join_in(void *arg)
{
    struct member *m = arg;
    bool cancelled;

    pthread_mutex_lock(&m->gate->closed);
    cancelled = m->gate->cancelled;
    pthread_mutex_unlock(&m->gate->closed);
    if (!cancelled)
        m->work(m->job);
    return NULL;
}

double bench_team(void (*work)(void *job), void *jobs, size_t size, size_t n,
                  struct fault *why)
{
    struct gate gate = {.closed = PTHREAD_MUTEX_INITIALIZER};
    struct member member[BENCH_THREADS];
    double start;
    size_t made = 1;
    int error = 0;

    pthread_mutex_lock(&gate.closed);
    for (; made < n && !error; made += !error) {
        struct member *m = &member[made];

        *m = (struct member){.gate = &gate, .work = work};
        m->job = (char *)jobs + made * size;
        error = pthread_create(&m->thread, NULL, join_in, m);
    }
    gate.cancelled = error;
    start = clock_seconds();
    pthread_mutex_unlock(&gate.closed);
    if (!error)
        work(jobs);
    while (made > 1)
        pthread_join(member[--made].thread, NULL);
    pthread_mutex_destroy(&gate.closed);
    if (error)
        fault_set(why, "cannot start more threads: %s", strerror(error));
    return error ? -1 : clock_seconds() - start;
}
