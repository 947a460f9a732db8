/*
 * bench_clock.c - a clock that several threads start and stop together
 */
#include <sched.h>

#include "bench.h"
#include "clock.h"

enum { PATIENCE = 1 << 14 }; /* looks before another thread may run */

/* Leaves the core to another thread that runs on it. */
static void look_away(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

void bench_clock_init(struct bench_clock *c, uint64_t threads, double most)
{
    *c = (struct bench_clock){.threads = threads};
    c->end = clock_seconds() + most;
    c->is_over = most <= 0;
}

/* Returns a number if this thread is the last to arrive, which then has to call
   let_go() with it, or 0 after that was done.  A thread that sleeps takes
   longer to wake up than the others take to arrive. */
static uint64_t wait_for_all(struct bench_clock *c)
{
    uint64_t number = atomic_fetch_add(&c->arrived, 1) + 1;

    if (number % c->threads == 0)
        return number;
    for (unsigned looks = 0; atomic_load(&c->gone) < number; looks++)
        if (looks > PATIENCE)
            sched_yield();
        else
            look_away();
    return 0;
}

static void let_go(struct bench_clock *c, uint64_t number)
{
    atomic_store(&c->gone, number);
}

void bench_clock_start(struct bench_clock *c)
{
    uint64_t number = wait_for_all(c);

    if (!number)
        return;
    c->start = clock_seconds();
    let_go(c, number);
}

void bench_clock_meet(struct bench_clock *c)
{
    uint64_t number = wait_for_all(c);

    if (number)
        let_go(c, number);
}

void bench_clock_stop(struct bench_clock *c)
{
    uint64_t number = wait_for_all(c);
    double now;

    if (!number)
        return;
    now = clock_seconds();
    c->seconds += now - c->start;
    c->is_over = now >= c->end;
    let_go(c, number);
}
