/*
 * landmark.c - landmark window
 *
 * A. Metwally, D. Agrawal and A. El Abbadi, "Duplicate detection in click
 * streams", WWW 2005.
 *
 * A plain Bloom filter, emptied at every landmark: after each period records,
 * repeats included, or when the clock passes a multiple of period ticks.  It
 * has no false passes between two landmarks; a repeat from before the last
 * one passes, however near, so no window is promised.  Emptying takes one
 * pass over the memory.
 */
#include <math.h>
#include <string.h>

#include "parts/bloom_bits.h"

struct landmark {
    uint64_t m, period;
    uint64_t room; /* records that the filter is planned for */
    uint32_t k, timed;
    uint64_t count; /* live from here: records since the landmark */
    uint64_t era;   /* periods that the clock has passed */
    uint64_t pad[2];
    uint64_t bit[];
};
_Static_assert(sizeof(struct landmark) == 64, "part of the format");

enum { K, PERIOD, UNIT, END };
static const freshet_parameter landmark_params[] = {
    [K] = FR_BLOOM_K,
    [PERIOD] = {"period", 0, 0x1p48, 0, 1, NULL,
                "length of a period; 0: as many records as fit"},
    [UNIT] = {"unit", 0, 1, 0, 1, "records|ticks", "unit of the period"},
    [END] = {0},
};

static void landmark_expect(const void *state, const freshet_workload *w,
                            freshet_rates *rates)
{
    const struct landmark *s = state;
    struct fr_window law = {.m = (double)s->m,
                            .k = s->k,
                            .period = (double)s->room,
                            .timed = s->timed,
                            .drop = fr_window_joint_drop};

    rates->theory = "Bloom, (1 - exp(-kn/m))^k, n from 0 to the period";
    fr_window_expect(&law, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

static size_t landmark_plan(void *state, const struct fr_goal *goal)
{
    struct landmark *s = state;
    size_t words = (goal->bytes - sizeof *s) / 8;
    double *param = goal->param, m = (double)words * 64;
    double n = param[UNIT] > 0 ? 0 : param[PERIOD];

    param[K] = fr_bloom_k(param[K], m, n, goal->false_drop);
    if (n == 0)
        n = floor(fmax(1, fr_bloom_room(m, param[K], goal->false_drop)));
    if (param[UNIT] == 0)
        param[PERIOD] = fmin(n, 0x1p48);
    s->m = words * 64;
    s->k = fr_u32(param[K]);
    s->period = fr_u64(param[PERIOD]);
    s->timed = param[UNIT] > 0;
    s->room = s->timed ? fr_u64(n) : s->period;
    return sizeof *s + words * 8;
}

static bool landmark_check(const void *state, size_t bytes)
{
    const struct landmark *s = state;

    return s->m == (bytes - sizeof *s) / 8 * 64 && s->k >= 1 &&
           s->k <= FR_BLOOM_MAX_K && s->timed <= 1 && s->period >= 1 &&
           (s->timed ? s->room >= 1 : s->room == s->period);
}

/* ---- The filter ------------------------------------------------------- */

static void landmark_touch(const struct landmark *s, freshet_hash key,
                           uint64_t ahead)
{
    (void)ahead;
    fr_bloom_touch(s->bit, s->m, s->k, key);
}

static uint8_t landmark_probe(const struct landmark *s, freshet_hash key)
{
    return fr_bloom_has(s->bit, s->m, s->k, key);
}

static void landmark_clear(struct landmark *s)
{
    memset(s->bit, 0, s->m / 8);
    s->count = 0;
}

static uint8_t landmark_step(struct landmark *s, freshet_hash key)
{
    uint8_t seen = landmark_probe(s, key);

    if (!seen)
        fr_bloom_add(s->bit, s->m, s->k, key);
    if (!s->timed && ++s->count >= s->period)
        landmark_clear(s);
    return seen;
}

FR_BATCHED(landmark)

static void landmark_tick(void *state, uint64_t now)
{
    struct landmark *s = state;

    if (!s->timed || now / s->period <= s->era)
        return;
    s->era = now / s->period;
    landmark_clear(s);
}

static void landmark_inspect(const void *state, freshet_info *info)
{
    const struct landmark *s = state;
    double m = (double)s->m, planned = fr_bloom_fill(m, s->k, (double)s->room);

    info->slots = s->m;
    info->used = fr_count_ones(s->bit, s->m / 64);
    info->false_drop = pow((double)info->used / m, s->k);
    info->over_plan = s->timed && (double)info->used > m * planned;
}

const struct fr_algo fr_landmark = {
    .about = {.name = "landmark",
              .title = "landmark window",
              .paper = "Metwally, Agrawal and El Abbadi, WWW 2005",
              .can = 0},
    .id = FR_ID('l', 'm', 'k', '1'),
    .params = landmark_params,
    .head = offsetof(struct landmark, count),
    .base = sizeof(struct landmark),
    .plan = landmark_plan,
    .check = landmark_check,
    .offer = landmark_offer,
    .query = landmark_query,
    .inspect = landmark_inspect,
    .expect = landmark_expect,
    .tick = landmark_tick,
};
