/*
 * a2.c - two active buffers
 *
 * M. Yoon, "Aging Bloom filter with two active buffers for dynamic sets", IEEE
 * Transactions on Knowledge and Data Engineering 22(1), 2010.
 *
 * Two Bloom filters use the same positions, and both are searched.  A key that
 * is not in the junior one is added there, even if the senior one has it, so a
 * key that keeps coming stays known.  When the junior one is full, the senior
 * one is cleared and they change places.
 *
 * A repeat within the window is always seen, and none is seen later than two
 * windows after.  Departure: the junior one counts as full after a window of
 * records, repeats included, not of keys added, so that the window counts
 * records.
 */
#include "parts/bloom_pair.h"

struct a2 {
    struct fr_halves s;
    uint64_t bit[];
};

static const freshet_parameter a2_params[] = {FR_BLOOM_K, {0}};

static void a2_expect(const void *state, const freshet_workload *w,
                      freshet_rates *rates)
{
    rates->theory = "Yoon: Bloom's (1 - exp(-kn/m))^k in either half";
    fr_halves_expect(state, fr_window_each_drop, w, rates);
}

static size_t a2_plan(void *state, const struct fr_goal *goal)
{
    return fr_halves_plan(state, goal, 1, fr_bloom_share(goal->false_drop, 2));
}

/* ---- The filter ------------------------------------------------------- */

static void a2_touch(const struct a2 *f, freshet_hash key, uint64_t ahead)
{
    (void)ahead;
    fr_bloom_touch(f->bit, f->s.m, f->s.k, key);
    fr_bloom_touch(f->bit + fr_halves_at(&f->s, 1), f->s.m, f->s.k, key);
}

static bool a2_has(const struct a2 *f, uint64_t half, freshet_hash key)
{
    return fr_bloom_has(f->bit + fr_halves_at(&f->s, half), f->s.m, f->s.k,
                        key);
}

static uint8_t a2_probe(const struct a2 *f, freshet_hash key)
{
    return a2_has(f, f->s.junior, key) || a2_has(f, !f->s.junior, key);
}

static uint8_t a2_step(struct a2 *f, freshet_hash key)
{
    uint8_t seen = a2_has(f, f->s.junior, key);

    if (!seen) {
        seen = a2_has(f, !f->s.junior, key);
        fr_bloom_add(f->bit + fr_halves_at(&f->s, f->s.junior), f->s.m, f->s.k,
                     key);
    }
    fr_halves_count(&f->s, f->bit);
    return seen;
}

FR_BATCHED(a2)

static void a2_inspect(const void *state, freshet_info *info)
{
    const struct a2 *f = state;
    size_t words = fr_halves_words(&f->s);
    uint64_t first = fr_count_ones(f->bit, words);
    uint64_t second = fr_count_ones(f->bit + words, words);

    info->slots = f->s.m * 2;
    info->used = first + second;
    info->false_drop = 1 - (1 - fr_halves_drop(&f->s, first)) *
                               (1 - fr_halves_drop(&f->s, second));
    fr_window_inspect(false, info);
}

const struct fr_algo fr_a2 = {
    .about = {.name = "a2",
              .title = "two active buffers",
              .paper = "Yoon, TKDE 2010",
              .can = FRESHET_CAN_WINDOW | FRESHET_CAN_PROMISE},
    .id = FR_ID('a', '2', 'b', '1'),
    .params = a2_params,
    .head = offsetof(struct fr_halves, count),
    .base = sizeof(struct a2),
    .plan = a2_plan,
    .check = fr_halves_check,
    .check_live = fr_halves_check_live,
    .offer = a2_offer,
    .query = a2_query,
    .inspect = a2_inspect,
    .expect = a2_expect,
};
