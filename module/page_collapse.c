/*
 * page_collapse.c - a thread that makes the pages of a block huge
 */
#define _GNU_SOURCE /* madvise() */
#include "page_collapse.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#ifndef MADV_COLLAPSE
#    define MADV_COLLAPSE 25 /* since Linux 6.1; unknown to glibc 2.36 */
#endif

enum {
    HUGE_PAGE = 2 << 20,
    STEP = 8 * HUGE_PAGE, /* the kernel waits once for each call */
    PAUSE = 2000000       /* nanoseconds */
};

struct page_collapse {
    char *at, *end;
    pthread_mutex_t busy; /* locked while pages are made huge */
    atomic_bool stopped;  /* no further page is touched */
    atomic_int users;     /* the thread and the block's owner */
};

static void release(struct page_collapse *c)
{
    if (atomic_fetch_sub(&c->users, 1) > 1)
        return;
    (void)pthread_mutex_destroy(&c->busy);
    free(c);
}

/* Returns false if the thread is to end: the block is freed, or this kernel
   cannot do it, or may not.  Where it has no huge page left, small pages
   stay. */
static bool collapse_next(struct page_collapse *c)
{
    size_t left = (size_t)(c->end - c->at) / HUGE_PAGE * HUGE_PAGE;
    size_t step = left < STEP ? left : STEP;
    bool go_on;

    (void)pthread_mutex_lock(&c->busy);
    go_on = step && !atomic_load(&c->stopped) &&
            (madvise(c->at, step, MADV_COLLAPSE) == 0 || errno != EINVAL);
    (void)pthread_mutex_unlock(&c->busy);
    c->at += step;
    return go_on;
}

/* The kernel locks the address space while it copies a page, so that page
   faults of the server wait.  The pauses let them through. */
static void *collapse_all(void *data)
{
    struct page_collapse *c = data;
    struct timespec pause = {0, PAUSE};

    while (collapse_next(c))
        (void)nanosleep(&pause, NULL);
    release(c);
    return NULL;
}

/* Signals are for the server's own threads. */
static bool start_thread(struct page_collapse *c)
{
    sigset_t all, before;
    pthread_t thread;
    bool started;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&thread, NULL, collapse_all, c) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        (void)pthread_detach(thread);
    return started;
}

struct page_collapse *page_collapse_start(void *block, size_t bytes)
{
    struct page_collapse *c = malloc(sizeof *c);
    size_t before = -(uintptr_t)block % HUGE_PAGE;

    if (!c)
        return NULL;
    c->end = (char *)block + bytes;
    c->at = before < bytes ? (char *)block + before : c->end;
    atomic_init(&c->stopped, false);
    (void)pthread_mutex_init(&c->busy, NULL);
    atomic_init(&c->users, 2);
    if (start_thread(c))
        return c;
    (void)pthread_mutex_destroy(&c->busy);
    free(c);
    return NULL;
}

void page_collapse_stop(struct page_collapse *c)
{
    atomic_store(&c->stopped, true); /* before it waits: locks are not fair */
    (void)pthread_mutex_lock(&c->busy);
    (void)pthread_mutex_unlock(&c->busy);
    release(c);
}
