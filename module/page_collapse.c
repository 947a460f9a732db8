/*
 * page_collapse.c - a thread that makes the pages of a block huge
 */
#define _GNU_SOURCE /* madvise() */
#include "page_collapse.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "background_thread.h"

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
    atomic_bool over;     /* the thread has ended */
    atomic_int users;     /* the thread and the block's owner */
};

static void release(struct page_collapse *c)
{
    if (atomic_fetch_sub(&c->users, 1) > 1)
        return;
    (void)pthread_mutex_destroy(&c->busy);
    free(c);
}

/*
 * Uses huge pages and frees them: the kernel takes those again for the next
 * collapse.  In a virtual machine the host supplies memory when it is written
 * for the first time, which takes ten times as long as the copying; so that
 * happens here and not while the kernel holds its lock.
 */
static void use_huge_pages(size_t len)
{
    char *area = mmap(NULL, len + HUGE_PAGE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *at = area + -(uintptr_t)area % HUGE_PAGE;

    if (area == MAP_FAILED)
        return;
    (void)madvise(at, len, MADV_HUGEPAGE);
    for (size_t i = 0; i < len; i += HUGE_PAGE)
        *(volatile char *)(at + i) = 1;
    (void)munmap(area, len + HUGE_PAGE);
}

/* Returns false if the thread is to end: the block is freed, or this kernel
   cannot do it, or may not.  Where it has no huge page left, small pages
   stay. */
static bool collapse_next(struct page_collapse *c, size_t step)
{
    bool go_on;

    (void)pthread_mutex_lock(&c->busy);
    go_on = !atomic_load(&c->stopped);
    if (go_on)
        (void)madvise(c->at, step, MADV_HUGEPAGE);
    if (go_on && madvise(c->at, step, MADV_COLLAPSE) != 0)
        go_on = errno != EINVAL;
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
    bool go_on = true;

    while (go_on && c->end - c->at >= HUGE_PAGE) {
        size_t left = (size_t)(c->end - c->at) / HUGE_PAGE * HUGE_PAGE;
        size_t step = left < STEP ? left : STEP;

        use_huge_pages(step);
        go_on = collapse_next(c, step);
        (void)nanosleep(&pause, NULL);
    }
    atomic_store(&c->over, true);
    release(c);
    return NULL;
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
    atomic_init(&c->over, false);
    (void)pthread_mutex_init(&c->busy, NULL);
    atomic_init(&c->users, 2);
    if (background_thread(collapse_all, c))
        return c;
    (void)pthread_mutex_destroy(&c->busy);
    free(c);
    return NULL;
}

bool page_collapse_is_over(const struct page_collapse *c)
{
    return atomic_load_explicit(&c->over, memory_order_relaxed);
}

void page_collapse_stop(struct page_collapse *c)
{
    atomic_store(&c->stopped, true); /* before it waits: locks are not fair */
    (void)pthread_mutex_lock(&c->busy);
    (void)pthread_mutex_unlock(&c->busy);
    release(c);
}
