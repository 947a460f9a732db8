/*
 * cold_batch.c - large batches for a filter whose pages are untouched
 *
 * The thread knows addresses only.  It does not touch them, it asks the kernel
 * to make their pages, which changes no byte of whatever is there: the filter
 * may be used, reset or freed meanwhile.
 */
#define _GNU_SOURCE /* madvise() */
#include "cold_batch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "background_thread.h"
#include "reply.h"

#ifndef MADV_POPULATE_WRITE
#    define MADV_POPULATE_READ  22 /* since Linux 5.14 */
#    define MADV_POPULATE_WRITE 23
#endif

enum {
    PAGE = 4096,
    WRITTEN = 1,
    SMALL = 256,    /* a batch below this is run at once */
    MOST = 1 << 18, /* keys of a batch whose pages are made beforehand */
    POLL = 1        /* milliseconds */
};

struct cold_batch {
    rm_ctx *ctx; /* of the command, until it waits */
    const freshet *filter;
    rm_blocked *client;
    struct cold_batch *next; /* in the queue */
    uint64_t freed;          /* room_freed() when it began */
    atomic_bool done;
    size_t n, room;   /* pages, and room for them */
    uintptr_t page[]; /* or WRITTEN: the others are only read */
};

/* ---- The thread -------------------------------------------------------- */

/* Batches whose pages are to be made, in order.  The thread stays: to start one
   takes the lock of the address space, for which others may be queueing. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct cold_batch *first, **last;
    bool running;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL,
           &queue.first, false};

/* Waits for the next batch. */
static struct cold_batch *next_batch(void)
{
    struct cold_batch *b;

    (void)pthread_mutex_lock(&queue.lock);
    while (!queue.first)
        (void)pthread_cond_wait(&queue.filled, &queue.lock);
    b = queue.first;
    queue.first = b->next;
    if (!queue.first)
        queue.last = &queue.first;
    (void)pthread_mutex_unlock(&queue.lock);
    return b;
}

/* Stops if a block is freed, for it may be this one: its pages would be made
   for nothing. */
static void make_pages(const struct cold_batch *b)
{
    for (size_t i = 0; i < b->n && room_freed() == b->freed; i++) {
        uintptr_t at = b->page[i] / PAGE * PAGE;

        (void)madvise((void *)at, PAGE,
                      b->page[i] & WRITTEN ? MADV_POPULATE_WRITE
                                           : MADV_POPULATE_READ);
    }
}

static void *make_all(void *unused)
{
    (void)unused;
    for (;;) {
        struct cold_batch *b = next_batch();

        make_pages(b);
        atomic_store(&b->done, true);
    }
    return NULL;
}

static void enqueue(struct cold_batch *b)
{
    (void)pthread_mutex_lock(&queue.lock);
    *queue.last = b;
    queue.last = &b->next;
    (void)pthread_cond_signal(&queue.filled);
    (void)pthread_mutex_unlock(&queue.lock);
}

/* Returns whether there is a thread. */
static bool is_running(void)
{
    if (!queue.running)
        queue.running = background_thread(make_all, NULL);
    return queue.running;
}

/* ---- The server's thread ----------------------------------------------- */

/* An advice on zero bytes only tests whether the kernel knows it. */
static bool kernel_can(void)
{
    static int can = -1;

    if (can < 0)
        can = madvise(NULL, 0, MADV_POPULATE_WRITE) == 0;
    return can;
}

static bool client_can_wait(rm_ctx *ctx)
{
    enum {
        CANNOT = RM_SCRIPT | RM_TRANSACTION | RM_DENY_BLOCKING | RM_REPLICATED |
                 RM_LOADING
    };

    return !rm.IsBlockedReplyRequest(ctx) &&
           !(rm.GetContextFlags(ctx) & CANNOT);
}

/* Returns whether the page of one of some keys is missing.  To ask takes the
   lock of the address space: while others often have it, the answer is yes. */
static bool is_cold(const struct value *value, const freshet_hash *keys)
{
    const void *lines[2];
    unsigned char there = 1;

    if (freshet_lines(value->filter, keys, lines) < 0)
        return false;
    if (room_is_changing(&value->room))
        return true;
    for (int i = 0; i < COLD_BATCH_SAMPLE && there & 1; i++) {
        (void)!freshet_lines(value->filter, &keys[i], lines);
        (void)mincore((void *)((uintptr_t)lines[0] / PAGE * PAGE), PAGE,
                      &there);
    }
    return !(there & 1);
}

bool cold_batch_may_wait(const struct place *p, size_t n)
{
    return n >= SMALL && room_is_young(&p->value->room, value_keys(p->value));
}

struct cold_batch *cold_batch_begin(const struct place *p, size_t n,
                                    const freshet_hash *first)
{
    const struct value *value = p->value;
    struct cold_batch *b;

    if (!client_can_wait(p->ctx) || !kernel_can() || !is_cold(value, first) ||
        !is_running())
        return NULL;
    n = 2 * (n < MOST ? n : MOST);
    b = rm.Alloc(sizeof *b + n * sizeof *b->page);
    b->ctx = p->ctx;
    b->filter = value->filter;
    b->next = NULL;
    b->freed = room_freed();
    atomic_init(&b->done, false);
    b->n = 0;
    b->room = n;
    return b;
}

void cold_batch_add(struct cold_batch *b, const freshet_hash *keys, size_t n)
{
    for (size_t i = 0; i < n && b->n < b->room; i++) {
        const void *lines[2];
        uintptr_t first, other;

        (void)!freshet_lines(b->filter, &keys[i], lines);
        first = (uintptr_t)lines[0] / PAGE * PAGE;
        other = (uintptr_t)lines[1] / PAGE * PAGE;
        b->page[b->n++] = first + WRITTEN;
        if (other != first && b->n < b->room)
            b->page[b->n++] = other;
    }
}

/* A command that waited must not write while the server holds writes back:
   replicas would get what they must not get now. */
static void poll(rm_ctx *ctx, void *data)
{
    struct cold_batch *b = data;

    if (!atomic_load(&b->done) || rm.AvoidReplicaTraffic()) {
        (void)rm.CreateTimer(ctx, POLL, poll, b);
        return;
    }
    (void)rm.UnblockClient(b->client, NULL);
    rm.Free(b);
}

void cold_batch_wait(struct cold_batch *b, rm_run *again)
{
    rm_ctx *ctx = b->ctx;

    b->client = rm.BlockClient(ctx, again, NULL, NULL, 0);
    (void)rm.CreateTimer(ctx, POLL, poll, b);
    enqueue(b);
}

static bool exists(rm_ctx *ctx, rm_string *name)
{
    rm_key *key = rm.OpenKey(ctx, name, RM_READ);

    if (key)
        rm.CloseKey(key);
    return key;
}

bool cold_batch_refused(rm_ctx *ctx, rm_string *key)
{
    if (!rm.IsBlockedReplyRequest(ctx))
        return false;
    if (rm.AvoidReplicaTraffic()) {
        reply_error(ctx, "TRYAGAIN the server has begun to hold writes back");
        return true;
    }
    if (!(rm.GetContextFlags(ctx) & RM_CLUSTER) || exists(ctx, key))
        return false;
    reply_error(ctx, "TRYAGAIN the key was deleted or has moved to another "
                     "node");
    return true;
}
