/*
 * double.c - double buffering
 *
 * F. Chang, W. Feng and K. Li, "Approximate caches for packet classification",
 * INFOCOM 2004.
 *
 * Two Bloom filters use the same positions.  Only the senior one is searched;
 * every record is added to both, so that the junior one warms up.  When the
 * senior one is full, with two windows of records, it is cleared, and the
 * junior one, which has the last window, takes its place.
 *
 * A repeat within the window is always seen, and none is seen later than two
 * windows after.  It costs one probe less than a2 and holds each key twice: a2
 * has the longer window in the same memory.
 *
 * Departures: the window counts records, repeats included, not keys added. The
 * paper starts to warm the junior one up when the senior one is half full,
 * which it always is except in the first window: here it warms up from the
 * start, with the same verdicts.
 */
#include "parts/bloom_pair.h"

struct twice {
    struct fr_halves s;
    uint64_t bit[];
};

static const freshet_parameter twice_params[] = {FR_BLOOM_K, {0}};

static void twice_expect(const void *state, const freshet_workload *w,
                         freshet_rates *rates)
{
    rates->theory = "Bloom, (1 - exp(-kn/m))^k, n from one window to two";
    fr_halves_expect(state, fr_window_joint_drop, w, rates);
}

static size_t twice_plan(void *state, const struct fr_goal *goal)
{
    return fr_halves_plan(state, goal, 2, goal->false_drop);
}

/* ---- The filter ------------------------------------------------------- */

static void twice_touch(const struct twice *f, freshet_hash key, uint64_t ahead)
{
    (void)ahead;
    fr_bloom_touch(f->bit, f->s.m, f->s.k, key);
    fr_bloom_touch(f->bit + fr_halves_at(&f->s, 1), f->s.m, f->s.k, key);
}

static uint8_t twice_probe(const struct twice *f, freshet_hash key)
{
    return fr_bloom_has(f->bit + fr_halves_at(&f->s, !f->s.junior), f->s.m,
                        f->s.k, key);
}

static uint8_t twice_step(struct twice *f, freshet_hash key)
{
    uint8_t seen = twice_probe(f, key);

    if (!seen)
        fr_bloom_add(f->bit + fr_halves_at(&f->s, !f->s.junior), f->s.m, f->s.k,
                     key);
    fr_bloom_add(f->bit + fr_halves_at(&f->s, f->s.junior), f->s.m, f->s.k,
                 key);
    fr_halves_count(&f->s, f->bit);
    return seen;
}

FR_BATCHED(twice)

static void twice_inspect(const void *state, freshet_info *info)
{
    const struct twice *f = state;
    size_t words = fr_halves_words(&f->s);
    uint64_t ones[2] = {fr_count_ones(f->bit, words),
                        fr_count_ones(f->bit + words, words)};

    info->slots = f->s.m * 2;
    info->used = ones[0] + ones[1];
    info->false_drop = fr_halves_drop(&f->s, ones[!f->s.junior]);
    fr_window_inspect(false, info);
}

const struct fr_algo fr_double = {
    .about = {.name = "double",
              .title = "double buffering",
              .paper = "Chang, Feng and Li, INFOCOM 2004",
              .can = FRESHET_CAN_WINDOW | FRESHET_CAN_PROMISE},
    .id = FR_ID('d', 'b', 'l', '1'),
    .params = twice_params,
    .head = offsetof(struct fr_halves, count),
    .base = sizeof(struct twice),
    .plan = twice_plan,
    .check = fr_halves_check,
    .check_live = fr_halves_check_live,
    .offer = twice_offer,
    .query = twice_query,
    .inspect = twice_inspect,
    .expect = twice_expect,
};
