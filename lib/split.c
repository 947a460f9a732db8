/*
 * split.c - one filter, decided by many threads: the public functions
 *
 * The algorithm maps each key to a group, a number from 0 up.  Part q has the
 * groups from q * groups / parts on, so that the sizes of parts differ by at
 * most one group.
 *
 * Besides data that is only read, threads share what makes pages huge: the
 * number of keys, the number at which more pages are due, and a flag that lets
 * one thread at a time make them.  All three are atomic, and none changes a
 * byte of the block.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"
#include "parts/bits.h"
#include "route.h"

enum { CACHE_LINE = 64 };

struct part {
    _Alignas(CACHE_LINE) struct fr_part own;
    bool is_used; /* since the last split or join */
};

struct freshet_parts {
    freshet *filter;
    const struct fr_split *split;
    uint64_t scale;         /* 2^64 * parts / groups */
    uint64_t records;       /* records up to the last join */
    _Atomic uint64_t keys;  /* keys in the filter, approximately */
    _Atomic uint64_t next;  /* number of keys at which more pages become huge */
    atomic_flag is_growing; /* set while a thread makes pages huge */
    unsigned count;
    const struct fr_route_path *path;
    uint64_t first[FRESHET_MOST_PARTS]; /* least upper half of a part's keys,
                                           if parts are in its order */
    struct part part[];
};

/* ---- Making and joining ----------------------------------------------- */

/* Sets every part to the filter's clock and its counts to zero. */
static void begin(freshet_parts *p)
{
    const freshet *f = p->filter;

    for (unsigned q = 0; q < p->count; q++) {
        struct fr_part *part = &p->part[q].own;

        part->offered = part->fresh = part->remembered = 0;
        part->record = part->base = p->records;
        part->now = f->header->now;
        p->part[q].is_used = false;
        p->split->begin(f->state, part);
    }
    atomic_store(&p->keys, f->header->fresh + f->header->remembered);
    atomic_store(&p->next, f->pages.next);
}

/* Returns the first group of part q.  scale is rounded down, so that the
   quotient is that group or one less. */
static uint64_t first_group(uint64_t groups, uint64_t scale, unsigned parts,
                            unsigned q)
{
    uint64_t group = (uint64_t)((fr_u128)groups * q / parts);

    while (group < groups && fr_reduce(group, scale) < q)
        group++;
    return group;
}

/* Finds the groups of each part, and the keys if these are in the order of
   their upper halves. */
static void divide(freshet_parts *p, uint64_t groups)
{
    for (unsigned q = 0; q < p->count; q++) {
        uint64_t first = first_group(groups, p->scale, p->count, q);

        p->part[q].own.first = first;
        p->part[q].own.end = groups;
        if (q > 0)
            p->part[q - 1].own.end = first;
        p->first[q] =
            (uint64_t)((((fr_u128)first << 64) + groups - 1) / groups);
    }
}

static const struct fr_route_path *path_for(unsigned parts)
{
    const struct fr_route_path *const *path = fr_route_paths();

    while ((*path)->most < parts)
        path++;
    return *path;
}

static freshet_parts *make(freshet *f, uint64_t groups, unsigned parts)
{
    size_t bytes = sizeof(freshet_parts) + parts * sizeof(struct part);
    freshet_parts *p = aligned_alloc(CACHE_LINE, bytes);

    if (!p)
        return NULL;
    memset(p, 0, bytes);
    p->filter = f;
    p->split = f->algo->split;
    p->count = parts;
    p->scale = parts == 1 ? 0 : (uint64_t)(((fr_u128)parts << 64) / groups);
    p->path = path_for(parts);
    atomic_flag_clear(&p->is_growing);
    divide(p, groups);
    begin(p);
    return p;
}

/* Returns the number of parts: each has at least two groups, so that scale fits
   into 64 bits. */
static unsigned parts_for(uint64_t groups, unsigned wanted)
{
    if (groups >= 2 * (uint64_t)wanted)
        return wanted;
    return groups < 4 ? 1 : (unsigned)(groups / 2);
}

/* Either no filter of the algorithm can be split, or none with these
   parameters. */
static int refuse(const freshet *f, freshet_error *err)
{
    freshet_info info = {.size = offsetof(freshet_info, slots)};

    freshet_get_info(f, &info);
    if (!f->algo->split)
        return fr_fail(err, FRESHET_ERR_UNSUPPORTED,
                       "%s cannot be decided by parts", info.algorithm);
    return fr_fail(err, FRESHET_ERR_UNSUPPORTED,
                   "%s cannot be decided by parts with %s", info.algorithm,
                   info.params);
}

int freshet_split(freshet_parts **out, freshet *f, unsigned parts,
                  freshet_error *err)
{
    uint64_t groups = f->algo->split ? f->algo->split->groups(f->state) : 0;

    *out = NULL;
    if (!groups)
        return refuse(f, err);
    if (parts < 1 || parts > FRESHET_MOST_PARTS)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "a filter is split into 1 to %d parts",
                       FRESHET_MOST_PARTS);
    *out = make(f, groups, parts_for(groups, parts));
    if (!*out)
        return fr_fail(err, FRESHET_ERR_MEMORY, "no memory for parts");
    return FRESHET_OK;
}

/* Returns whether any part has been used since the last join.  If none has,
   only the filter may have been used, and its clock is ahead of the parts'. */
static bool are_used(const freshet_parts *p)
{
    for (unsigned q = 0; q < p->count; q++)
        if (p->part[q].is_used)
            return true;
    return false;
}

static void add_up(freshet_parts *p)
{
    struct fr_header *h = p->filter->header;

    for (unsigned q = 0; q < p->count; q++)
        p->records += p->part[q].own.offered + p->part[q].own.remembered;
    for (unsigned q = 0; q < p->count; q++) {
        struct fr_part *part = &p->part[q].own;

        p->split->join(p->filter->state, part, p->records);
        h->offered += part->offered;
        h->fresh += part->fresh;
        h->remembered += part->remembered;
        if (part->now > h->now)
            h->now = part->now;
    }
}

void freshet_join(freshet_parts *p)
{
    if (are_used(p))
        add_up(p);
    begin(p);
}

void freshet_parts_free(freshet_parts *p)
{
    if (p)
        freshet_join(p);
    free(p);
}

unsigned freshet_parts_count(const freshet_parts *p)
{
    return p->count;
}

/* ---- Which part ------------------------------------------------------- */

enum {
    KEPT = 8192, /* keys whose parts are kept, a byte each */
    ROUTED = 256 /* further keys routed at a time */
};

static void route(const freshet_parts *p, const freshet_hash *keys, size_t n,
                  uint8_t *part)
{
    if (p->path->find && p->split->is_ordered)
        p->path->find(p->first, p->count, keys, n, part);
    else
        p->split->route(p->filter->state, keys, n, p->scale, part);
}

unsigned freshet_part_of(const freshet_parts *p, freshet_hash key)
{
    uint8_t part;

    p->split->route(p->filter->state, &key, 1, p->scale, &part);
    return part;
}

/* Writes the part of each key and counts them. */
static void count(const freshet_parts *p, const freshet_hash *keys, size_t n,
                  uint8_t *part, uint32_t *counts)
{
    route(p, keys, n, part);
    p->path->count(part, n, p->count, counts);
}

/* The parts of the first keys are kept from counting to moving; those of
   further keys are found twice. */
void freshet_route(const freshet_parts *p, const freshet_hash *keys, size_t n,
                   freshet_hash *sorted, uint32_t *at, uint32_t *start)
{
    uint32_t next[FRESHET_MOST_PARTS];
    uint8_t part[KEPT], again[ROUTED];
    size_t kept = n < KEPT ? n : KEPT, m;

    memset(start, 0, (p->count + 1) * sizeof *start);
    count(p, keys, kept, part, start + 1);
    for (size_t i = kept; i < n; i += m) {
        m = n - i < ROUTED ? n - i : ROUTED;
        count(p, keys + i, m, again, start + 1);
    }
    for (unsigned q = 0; q < p->count; q++) {
        start[q + 1] += start[q];
        next[q] = start[q];
    }
    p->path->move(keys, 0, kept, part, p->count, next, sorted, at);
    for (size_t i = kept; i < n; i += m) {
        m = n - i < ROUTED ? n - i : ROUTED;
        route(p, keys + i, m, again);
        p->path->move(keys, i, m, again, p->count, next, sorted, at);
    }
}

/* ---- The clock -------------------------------------------------------- */

size_t freshet_turn_at(const freshet_parts *p, const uint64_t *now, size_t n)
{
    size_t low = 1, high = n;
    uint64_t turn;

    if (!n || !p->split->turn)
        return n;
    turn = p->split->turn(p->filter->state, now[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (now[middle] < turn)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct fr_part *use(freshet_parts *p, unsigned part)
{
    p->part[part].is_used = true;
    return &p->part[part].own;
}

void freshet_tick_part(freshet_parts *p, unsigned part, uint64_t first,
                       uint64_t now)
{
    struct fr_part *own = use(p, part);

    own->base = first;
    if (now <= own->now)
        return;
    own->now = now;
    if (p->split->tick)
        p->split->tick(p->filter->state, own, now);
}

/* ---- The verbs -------------------------------------------------------- */

/* Adds n to the number of keys and makes pages huge if that number calls for
   it.  Only one thread does so; the others do not wait for it. */
static void count_keys(freshet_parts *p, uint64_t n)
{
    uint64_t next = atomic_load_explicit(&p->next, memory_order_relaxed);
    struct fr_huge_pages *pages = &p->filter->pages;
    uint64_t keys;

    if (next == FR_NEVER)
        return;
    keys = atomic_fetch_add_explicit(&p->keys, n, memory_order_relaxed) + n;
    if (keys < next || atomic_flag_test_and_set(&p->is_growing))
        return;
    fr_huge_pages_count(pages, keys);
    atomic_store_explicit(&p->next, pages->next, memory_order_relaxed);
    atomic_flag_clear(&p->is_growing);
}

/*
 * As in freshet.c: while huge pages are still to be made, a batch is processed
 * in steps, and the pages of the first keys are faulted in beforehand.  Returns
 * the number of keys in the next step.
 */
static size_t prepare_step(freshet_parts *p, const freshet_hash *keys, size_t n)
{
    uint64_t next = atomic_load_explicit(&p->next, memory_order_relaxed);
    const freshet *f = p->filter;
    enum { STEP = 1024 };

    if (next == FR_NEVER)
        return n;
    n = n < STEP ? n : STEP;
    if (atomic_load_explicit(&p->keys, memory_order_relaxed) < next)
        fr_fault_in(f, keys, n);
    return n;
}

size_t freshet_offer_part(freshet_parts *p, unsigned part,
                          const freshet_hash *keys, const uint32_t *at,
                          size_t n, uint8_t *seen)
{
    struct fr_part *own = use(p, part);
    size_t fresh = 0;

    for (size_t step; n; keys += step, seen += step, n -= step) {
        size_t found;

        step = prepare_step(p, keys, n);
        found = p->split->offer(p->filter->state, own, keys, at, step, seen);
        own->offered += step;
        own->fresh += found;
        fresh += found;
        count_keys(p, found);
        if (at)
            at += step;
        else
            own->base += step;
    }
    return fresh;
}

size_t freshet_query_part(freshet_parts *p, unsigned part,
                          const freshet_hash *keys, const uint32_t *at,
                          size_t n, uint8_t *seen)
{
    return p->split->query(p->filter->state, use(p, part), keys, at, n, seen);
}

void freshet_remember_part(freshet_parts *p, unsigned part,
                           const freshet_hash *keys, const uint32_t *at,
                           size_t n)
{
    struct fr_part *own = use(p, part);
    uint8_t unread[256];

    for (size_t step; n; keys += step, n -= step) {
        step = n < sizeof unread ? n : sizeof unread;
        p->split->offer(p->filter->state, own, keys, at, step, unread);
        own->remembered += step;
        count_keys(p, step);
        if (at)
            at += step;
        else
            own->base += step;
    }
}

long freshet_forget_part(freshet_parts *p, unsigned part,
                         const freshet_hash *keys, const uint32_t *at, size_t n)
{
    if (!p->split->forget)
        return FRESHET_ERR_UNSUPPORTED;
    return (long)p->split->forget(p->filter->state, use(p, part), keys, at, n);
}
