/*
 * lru.h - an exact cache of fingerprints that evicts the least recently used
 *
 * buffer uses it with q = 0, fpbuffer with q above 0.
 *
 * An entry has a key's 64-bit fingerprint, links in the order of use, and
 * links in the hash index (chained_index.h):
 *
 *     | n fingerprints | index | n times (next newer, next older) |
 *
 * Links are entry numbers from 1, in as many bits w as n needs: an entry takes
 * 64 + 4 w bits, which is 20 bytes up to 2^24 entries, and only memory limits
 * their number.  Entries 1 to count are live: forgetting moves the last one
 * into the gap.
 */
#ifndef FR_LRU_H
#define FR_LRU_H

#include <math.h>

#include "algo.h"
#include "batched.h"
#include "chained_index.h"
#include "theory/theory.h"

struct lru {
    struct fr_chains chains; /* n is the capacity in entries */
    uint64_t q;              /* chance that a missing key is called seen */
    uint64_t count;          /* live from here */
    uint64_t newest, oldest; /* zero if the cache is empty */
    uint64_t evicted;
    uint64_t coins; /* draws so far, one per record */
    uint64_t cell[];
};
_Static_assert(sizeof(struct lru) == 64, "part of the format");

enum { LRU_NEWER, LRU_OLDER };

/* ---- Layout ----------------------------------------------------------- */

static uint64_t lru_words(const struct fr_chains *c)
{
    return c->n + fr_chains_words(c) + fr_slots_words(2 * c->n, c->width);
}

/* Plans for as many entries as fit, at least one. */
static size_t lru_plan(void *state, const struct fr_goal *goal, double q)
{
    struct lru *s = state;
    uint64_t words = (goal->bytes - sizeof *s) / 8;

    for (unsigned width = 1; width <= 48; width++) {
        /* Four words are reserved: two packed arrays round up. */
        uint64_t n = (words - 4) * 64 / (64 + 4 * width);

        n = n < fr_slot_max(width) ? n : fr_slot_max(width);
        if (n > s->chains.n)
            s->chains.n = n;
    }
    s->chains.width = fr_slot_width(s->chains.n);
    s->q = fr_probability(q);
    return sizeof *s + lru_words(&s->chains) * 8;
}

static bool lru_check(const void *state, size_t bytes)
{
    const struct lru *s = state;

    return fr_chains_check(&s->chains, bytes) &&
           sizeof *s + lru_words(&s->chains) * 8 == bytes;
}

/* ---- The parts of the block ------------------------------------------- */

static uint64_t lru_bucket(const struct lru *s, uint64_t print)
{
    return fr_reduce(print, s->chains.n);
}

static uint64_t *lru_index(struct lru *s)
{
    return s->cell + s->chains.n;
}

static const uint64_t *lru_index_of(const struct lru *s)
{
    return s->cell + s->chains.n;
}

/* Returns the neighbour of an entry in the given direction. */
static uint64_t lru_next(const struct lru *s, uint64_t i, int direction)
{
    return fr_slot_get(lru_index_of(s) + fr_chains_words(&s->chains),
                       2 * (i - 1) + (uint64_t)direction, s->chains.width);
}

static void lru_set_next(struct lru *s, uint64_t i, int direction, uint64_t to)
{
    fr_slot_set(lru_index(s) + fr_chains_words(&s->chains),
                2 * (i - 1) + (uint64_t)direction, s->chains.width, to);
}

/* ---- Are these links sound? ------------------------------------------- */

static uint64_t lru_bucket_of(const void *state, uint64_t i)
{
    const struct lru *s = state;

    return i <= s->count ? lru_bucket(s, s->cell[i - 1]) : s->chains.n;
}

/*
 * Returns whether the list is intact.  Each entry, from the newest on, must
 * link back to the one it was reached from, so that none is reached twice and
 * count steps end at the oldest.
 */
static bool lru_order_holds(const struct lru *s)
{
    uint64_t from = 0, i = s->newest;

    for (uint64_t met = 0; met < s->count; met++) {
        if (i == 0 || i > s->count || lru_next(s, i, LRU_NEWER) != from)
            return false;
        from = i;
        i = lru_next(s, i, LRU_OLDER);
    }
    return i == 0 && s->oldest == from;
}

static bool lru_check_live(const void *state, size_t bytes)
{
    const struct lru *s = state;

    (void)bytes;
    return s->count <= s->chains.n && lru_order_holds(s) &&
           fr_chains_hold(&s->chains, lru_index_of(s), s->count, s,
                          lru_bucket_of);
}

/* ---- The cache -------------------------------------------------------- */

static uint64_t lru_find(const struct lru *s, uint64_t print)
{
    const uint64_t *index = lru_index_of(s);
    uint64_t i = fr_chain_first(&s->chains, index, lru_bucket(s, print));

    while (i && s->cell[i - 1] != print)
        i = fr_chain_next(&s->chains, index, i);
    return i;
}

/* Makes two entries neighbours; zero stands for either end of the list. */
static void lru_join(struct lru *s, uint64_t newer, uint64_t older)
{
    if (newer)
        lru_set_next(s, newer, LRU_OLDER, older);
    else
        s->newest = older;
    if (older)
        lru_set_next(s, older, LRU_NEWER, newer);
    else
        s->oldest = newer;
}

static void lru_unlink(struct lru *s, uint64_t i)
{
    lru_join(s, lru_next(s, i, LRU_NEWER), lru_next(s, i, LRU_OLDER));
}

static void lru_link_newest(struct lru *s, uint64_t i)
{
    lru_join(s, i, s->newest);
    lru_join(s, 0, i);
}

static void lru_unindex(struct lru *s, uint64_t i)
{
    fr_chain_cut(&s->chains, lru_index(s), lru_bucket(s, s->cell[i - 1]), i);
}

static void lru_index_as(struct lru *s, uint64_t i, uint64_t print)
{
    s->cell[i - 1] = print;
    fr_chain_add(&s->chains, lru_index(s), lru_bucket(s, print), i);
}

/* Returns an unused entry: a new one, or the oldest after its eviction. */
static uint64_t lru_make_room(struct lru *s)
{
    uint64_t i = s->oldest;

    if (s->count < s->chains.n)
        return ++s->count;
    lru_unlink(s, i);
    lru_unindex(s, i);
    s->evicted++;
    return i;
}

/*
 * Draws with chance q.  The draw depends on the key and on the number of
 * records before it, so that a query gets the result of the key's next offer.
 */
static bool lru_coin(const struct lru *s, freshet_hash key)
{
    return fr_chance(fr_random_at(key.hi, s->coins), s->q);
}

static uint8_t lru_probe(const struct lru *s, freshet_hash key)
{
    return lru_find(s, key.lo) || lru_coin(s, key) ? FRESHET_SEEN : FRESHET_NEW;
}

static uint8_t lru_step(struct lru *s, freshet_hash key)
{
    uint64_t i = lru_find(s, key.lo);
    uint8_t seen = i || lru_coin(s, key) ? FRESHET_SEEN : FRESHET_NEW;

    s->coins++;
    if (i) {
        lru_unlink(s, i);
    } else {
        i = lru_make_room(s);
        lru_index_as(s, i, key.lo);
    }
    lru_link_newest(s, i);
    return seen;
}

static void lru_touch(const struct lru *s, freshet_hash key, uint64_t ahead)
{
    (void)ahead;
    FR_PREFETCH(
        fr_slot_at(lru_index_of(s), lru_bucket(s, key.lo), s->chains.width));
}

FR_BATCHED(lru)

/* Moves the last entry to number i, which has been removed. */
static void lru_fill_gap(struct lru *s, uint64_t i)
{
    uint64_t last = s->count--, print = s->cell[last - 1];
    uint64_t newer, older;

    if (i == last)
        return;
    newer = lru_next(s, last, LRU_NEWER);
    older = lru_next(s, last, LRU_OLDER);
    lru_unindex(s, last);
    lru_index_as(s, i, print);
    lru_join(s, newer, i);
    lru_join(s, i, older);
}

static size_t lru_forget(void *state, const freshet_hash *keys, size_t n)
{
    struct lru *s = state;
    size_t found = 0;

    for (size_t k = 0; k < n; k++) {
        uint64_t i = lru_find(s, keys[k].lo);

        if (!i)
            continue;
        lru_unlink(s, i);
        lru_unindex(s, i);
        lru_fill_gap(s, i);
        found++;
    }
    return found;
}

static void lru_inspect(const void *state, freshet_info *info)
{
    const struct lru *s = state;
    double chance = (double)s->q / 0x1p64;

    info->slots = s->chains.n;
    info->used = s->count;
    info->forgotten = s->evicted;
    info->false_drop = chance + (1 - chance) * (double)s->count / 0x1p64;
}

/* ---- Theory ----------------------------------------------------------- */

struct lru_law {
    double n, q;
    double universe; /* keys of a finite stream; 0: each key comes once */
};

static double lru_false_drop(const void *law, double t)
{
    const struct lru_law *l = law;

    return l->q + (1 - l->q) * fmin(t, l->n) / 0x1p64;
}

/* A key is lost when as many other keys came since as there are entries. */
static double lru_false_pass(const void *law, double t, double gap)
{
    const struct lru_law *l = law;
    double others = fr_distinct(gap, l->universe);

    (void)t;
    return others < l->n ? 0 : 1 - l->q;
}

static void lru_expect(const void *state, const freshet_workload *w,
                       freshet_rates *rates)
{
    const struct lru *s = state;
    struct lru_law l = {(double)s->chains.n, (double)s->q / 0x1p64,
                        w->records ? (double)w->distinct : 0};
    struct fr_course course = {&l, lru_false_drop, lru_false_pass};

    rates->theory = "the last n different keys are kept; chance q of Deng and "
                    "Rafiei 5.2";
    rates->reach = l.n - 1;
    rates->false_drop = rates->drop_bound = lru_false_drop(&l, l.n);
    rates->false_pass = lru_false_pass(&l, 0, (double)w->gap);
    if (w->distinct)
        fr_average(&course, w, rates);
}

/* The fields of a struct fr_algo that buffer and fpbuffer share.  Each file
   sets its id, parameters, plan and check. */
#define LRU_VERBS                                                              \
    .head = offsetof(struct lru, count), .base = sizeof(struct lru),           \
    .check_live = lru_check_live, .offer = lru_offer, .query = lru_query,      \
    .inspect = lru_inspect, .expect = lru_expect, .forget = lru_forget

#endif
