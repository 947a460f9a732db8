/*
 * counting.c - counting Bloom filter
 *
 * L. Fan, P. Cao, J. Almeida and A. Z. Broder, "Summary cache: a scalable
 * wide-area web cache sharing protocol", IEEE/ACM Transactions on Networking
 * 8(3), 2000.
 *
 * A Bloom filter with a counter of four bits in place of each bit, so that a
 * key can be removed.  A counter that has reached 15 is never decremented,
 * because the number of its keys is unknown: a key that cannot be forgotten is
 * better than one that was forgotten with another.  At the planned load hardly
 * one counter in 10^15 reaches 15.
 *
 * Only a key reported new is counted, so that one forget undoes one offer and
 * repeats do not saturate its counters.  After a merge, a key that both filters
 * knew has to be forgotten twice.
 */
#include "parts/bloom_bits.h"

enum { BITS = 4, FULL = 15, PER_WORD = 64 / BITS };

struct counting {
    struct fr_bloom_head s;
    uint64_t cell[];
};

static const freshet_parameter counting_params[] = {FR_BLOOM_K, {0}};

static size_t counting_plan(void *state, const struct fr_goal *goal)
{
    return fr_bloom_plan(state, goal, PER_WORD);
}

static bool counting_check(const void *state, size_t bytes)
{
    return fr_bloom_check(state, bytes, PER_WORD);
}

/* ---- The filter ------------------------------------------------------- */

static void counting_touch(const struct counting *f, freshet_hash key,
                           uint64_t ahead)
{
    (void)ahead;
    for (uint32_t i = 0; i < f->s.k; i++)
        FR_PREFETCH(&f->cell[fr_bloom_at(f->s.m, key, i) / PER_WORD]);
}

static uint8_t counting_probe(const struct counting *f, freshet_hash key)
{
    for (uint32_t i = 0; i < f->s.k; i++)
        if (fr_cell_get(f->cell, fr_bloom_at(f->s.m, key, i), BITS) == 0)
            return FRESHET_NEW;
    return FRESHET_SEEN;
}

static void count_up(struct counting *f, uint64_t at, unsigned by)
{
    unsigned sum = fr_cell_get(f->cell, at, BITS) + by;

    fr_cell_set(f->cell, at, BITS, sum < FULL ? sum : FULL);
}

static void count_down(struct counting *f, uint64_t at)
{
    if (fr_cell_get(f->cell, at, BITS) != FULL)
        fr_cell_decrement(f->cell, at, BITS);
}

static uint8_t counting_step(struct counting *f, freshet_hash key)
{
    uint8_t seen = counting_probe(f, key);

    for (uint32_t i = 0; !seen && i < f->s.k; i++)
        count_up(f, fr_bloom_at(f->s.m, key, i), 1);
    return seen;
}

FR_BATCHED(counting)

static size_t counting_forget(void *state, const freshet_hash *keys, size_t n)
{
    struct counting *f = state;
    size_t there = 0;

    for (size_t i = 0; i < n; i++) {
        if (counting_probe(f, keys[i]) == FRESHET_NEW)
            continue;
        there++;
        for (uint32_t j = 0; j < f->s.k; j++)
            count_down(f, fr_bloom_at(f->s.m, keys[i], j));
    }
    return there;
}

static void counting_merge(void *state, const void *other)
{
    struct counting *f = state;
    const struct counting *o = other;

    for (uint64_t i = 0; i < f->s.m; i++)
        count_up(f, i, fr_cell_get(o->cell, i, BITS));
}

static void counting_inspect(const void *state, freshet_info *info)
{
    const struct counting *f = state;

    fr_bloom_inspect(&f->s, fr_cells_used(f->cell, f->s.m, BITS), info);
}

const struct fr_algo fr_counting = {
    .about = {.name = "counting",
              .title = "counting Bloom filter",
              .paper = "Fan, Cao, Almeida and Broder, ToN 2000",
              .can =
                  FRESHET_CAN_FORGET | FRESHET_CAN_MERGE | FRESHET_CAN_PROMISE},
    .id = FR_ID('c', 'b', 'f', '1'),
    .params = counting_params,
    .head = offsetof(struct fr_bloom_head, pad),
    .base = sizeof(struct counting),
    .plan = counting_plan,
    .check = counting_check,
    .offer = counting_offer,
    .query = counting_query,
    .inspect = counting_inspect,
    .expect = fr_bloom_expect,
    .forget = counting_forget,
    .merge = counting_merge,
};
