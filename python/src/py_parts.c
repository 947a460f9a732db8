/*
 * py_parts.c - a filter that is split, so that threads decide side by side
 */
#include "py_parts.h"

void py_parts_init(struct py_parts *p)
{
    for (size_t i = 0; i < PY_PARTS; i++)
        pthread_mutex_init(&p->lock[i], NULL);
}

void py_parts_destroy(struct py_parts *p)
{
    for (size_t i = 0; i < PY_PARTS; i++)
        pthread_mutex_destroy(&p->lock[i]);
}

/* ---- The whole -------------------------------------------------------- */

bool py_parts_split(struct py_parts *p, freshet *filter)
{
    freshet_info info = {.size = offsetof(freshet_info, offered)};

    if (freshet_split(&p->parts, filter, PY_PARTS, NULL) < 0)
        return false;
    freshet_get_info(filter, &info);
    p->records = 0;
    p->now = info.now;
    return true;
}

void py_parts_join(struct py_parts *p)
{
    for (unsigned q = 0; q < freshet_parts_count(p->parts); q++)
        freshet_tick_part(p->parts, q, p->records, p->now);
    freshet_join(p->parts);
}

void py_parts_reset(struct py_parts *p)
{
    p->now = 0;
    freshet_join(p->parts);
}

void py_parts_free(struct py_parts *p)
{
    if (p->parts)
        py_parts_join(p);
    freshet_parts_free(p->parts);
    p->parts = NULL;
}

void py_parts_tick(struct py_parts *p, uint64_t now)
{
    uint64_t before = atomic_load(&p->now);

    while (before < now && !atomic_compare_exchange_weak(&p->now, &before, now))
        ;
}

/* ---- Keys ------------------------------------------------------------- */

/* Locks a part and tells it what comes next: a key that stands behind "first"
   others since the filter was split. */
static void lock_part(struct py_parts *p, unsigned part, uint64_t first)
{
    pthread_mutex_lock(&p->lock[part]);
    freshet_tick_part(p->parts, part, first, atomic_load(&p->now));
}

static void unlock_part(struct py_parts *p, unsigned part)
{
    pthread_mutex_unlock(&p->lock[part]);
}

/* Threads begin with different parts, so that they seldom wait for each
   other. */
void py_parts_offer_batch(struct py_parts *p, struct py_batch *batch, size_t n,
                          uint8_t *seen)
{
    uint64_t first = atomic_fetch_add(&p->records, n);
    unsigned parts = freshet_parts_count(p->parts);
    uint32_t start[PY_PARTS + 1];

    freshet_route(p->parts, batch->keys, n, batch->sorted, batch->at, start);
    for (unsigned i = 0; i < parts; i++) {
        unsigned part = (unsigned)((first / PY_PARTS_BATCH + i) % parts);
        uint32_t from = start[part], to = start[part + 1];

        if (from == to)
            continue;
        lock_part(p, part, first);
        freshet_offer_part(p->parts, part, batch->sorted + from,
                           batch->at + from, to - from, batch->verdict + from);
        unlock_part(p, part);
    }
    for (size_t i = 0; i < n; i++)
        seen[batch->at[i]] = batch->verdict[i];
}

uint8_t py_parts_offer(struct py_parts *p, freshet_hash key)
{
    unsigned part = freshet_part_of(p->parts, key);
    uint8_t seen;

    lock_part(p, part, atomic_fetch_add(&p->records, 1));
    freshet_offer_part(p->parts, part, &key, NULL, 1, &seen);
    unlock_part(p, part);
    return seen;
}

int py_parts_query(struct py_parts *p, freshet_hash key)
{
    unsigned part = freshet_part_of(p->parts, key);
    uint8_t seen;

    lock_part(p, part, atomic_load(&p->records));
    freshet_query_part(p->parts, part, &key, NULL, 1, &seen);
    unlock_part(p, part);
    return seen;
}

void py_parts_remember(struct py_parts *p, freshet_hash key)
{
    unsigned part = freshet_part_of(p->parts, key);

    lock_part(p, part, atomic_fetch_add(&p->records, 1));
    freshet_remember_part(p->parts, part, &key, NULL, 1);
    unlock_part(p, part);
}

int py_parts_forget(struct py_parts *p, freshet_hash key)
{
    unsigned part = freshet_part_of(p->parts, key);
    int forgotten;

    lock_part(p, part, atomic_load(&p->records));
    forgotten = (int)freshet_forget_part(p->parts, part, &key, NULL, 1);
    unlock_part(p, part);
    return forgotten;
}
