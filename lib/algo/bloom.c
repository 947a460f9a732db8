/*
 * bloom.c - plain Bloom filter
 *
 * B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors",
 * Communications of the ACM 13(7), 1970.
 *
 * m bits, not partitioned.  A key is seen when its k bits are all set;
 * otherwise they are set.  The filter never forgets, so it has no false passes,
 * and on an endless stream its false drops grow until every record is dropped.
 *
 * Departure: a key's k positions may coincide; the paper draws them distinct.
 */
#include "parts/bloom_bits.h"

struct bloom {
    struct fr_bloom_head s;
    uint64_t bit[];
};

static const freshet_parameter bloom_params[] = {FR_BLOOM_K, {0}};

static size_t bloom_plan(void *state, const struct fr_goal *goal)
{
    return fr_bloom_plan(state, goal, 64);
}

static bool bloom_check(const void *state, size_t bytes)
{
    return fr_bloom_check(state, bytes, 64);
}

/* ---- The filter ------------------------------------------------------- */

static void bloom_touch(const struct bloom *f, freshet_hash key, uint64_t ahead)
{
    (void)ahead;
    fr_bloom_touch(f->bit, f->s.m, f->s.k, key);
}

static uint8_t bloom_probe(const struct bloom *f, freshet_hash key)
{
    return fr_bloom_has(f->bit, f->s.m, f->s.k, key);
}

static uint8_t bloom_step(struct bloom *f, freshet_hash key)
{
    uint8_t seen = bloom_probe(f, key);

    if (!seen)
        fr_bloom_add(f->bit, f->s.m, f->s.k, key);
    return seen;
}

FR_BATCHED(bloom)

static void bloom_merge(void *state, const void *other)
{
    struct bloom *f = state;
    const struct bloom *o = other;

    for (uint64_t i = 0; i < f->s.m / 64; i++)
        f->bit[i] |= o->bit[i];
}

static void bloom_inspect(const void *state, freshet_info *info)
{
    const struct bloom *f = state;

    fr_bloom_inspect(&f->s, fr_count_ones(f->bit, f->s.m / 64), info);
}

const struct fr_algo fr_bloom = {
    .about = {.name = "bloom",
              .title = "Bloom filter",
              .paper = "Bloom, CACM 1970",
              .can = FRESHET_CAN_MERGE | FRESHET_CAN_PROMISE},
    .id = FR_ID('b', 'l', 'm', '1'),
    .params = bloom_params,
    .head = offsetof(struct fr_bloom_head, pad),
    .base = sizeof(struct bloom),
    .plan = bloom_plan,
    .check = bloom_check,
    .offer = bloom_offer,
    .query = bloom_query,
    .inspect = bloom_inspect,
    .expect = fr_bloom_expect,
    .merge = bloom_merge,
};
