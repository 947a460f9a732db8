/*
 * jumping.c - jumping window
 *
 * A. Metwally, D. Agrawal and A. El Abbadi, "Duplicate detection in click
 * streams", WWW 2005; in the layout of the group Bloom filter of L. Zhang and
 * Y. Guan, "Detecting click fraud in pay-per-click streams of online
 * advertising networks", ICDCS 2008.
 *
 * The window is cut into q sub-windows.  Each has a Bloom filter, a lane, and
 * all lanes use the same positions; the bits that the lanes have at one
 * position are neighbours in one word:
 *
 *     word   | lane 0 .. q | lane 0 .. q | ... |   64 / (q+1) positions
 *
 * so that k words answer for all lanes: a key is seen when some lane has its
 * bit in every one of them.  Records go to the current lane.  When it is full,
 * or the clock passes a multiple of the sub-window, the oldest lane is emptied,
 * in one pass over the memory, and becomes the current one.
 *
 * There are q + 1 lanes, q full and one being filled, so that a repeat within
 * the window is always seen; none is seen later than one sub-window past it.
 * The window counts records, repeats included.  With add=new it counts from
 * when a key was called new, else from when it last came.
 *
 * Departure: the papers keep q lanes, and only what is called new is added.
 * A key that is falsely dropped is then not stored, and passes later, inside
 * the window: add=always is the default.  Sub-windows are whole records, so a
 * window that q does not divide is kept up to q records longer.
 */
#include <math.h>
#include <string.h>

#include "parts/bloom_bits.h"

struct jumping {
    uint64_t words;
    uint64_t span; /* records or ticks of a sub-window */
    uint64_t room; /* records that a lane is planned for */
    uint32_t k, lanes, per_word;
    uint8_t timed, once, unused[2];
    uint64_t count; /* live from here: records in the current lane */
    uint64_t era;   /* sub-windows that the clock has passed */
    uint32_t lane, pad;
    uint64_t cell[];
};
_Static_assert(sizeof(struct jumping) == 64, "part of the format");

enum { K, Q, ADD, END };
static const freshet_parameter jumping_params[] = {
    [K] = FR_BLOOM_K,
    [Q] = {"q", 1, 63, 8, 1, NULL, "sub-windows"},
    [ADD] = FR_BLOOM_ADD,
    [END] = {0},
};

static void jumping_expect(const void *state, const freshet_workload *w,
                           freshet_rates *rates)
{
    const struct jumping *s = state;
    struct fr_window law = {.m = (double)s->words * s->per_word,
                            .k = s->k,
                            .period = (double)s->room,
                            .full = s->lanes - 1,
                            .settle = s->lanes - 1,
                            .timed = s->timed,
                            .once = s->once,
                            .drop = fr_window_each_drop};

    rates->theory = "Bloom's (1 - exp(-kn/m))^k, in any of q + 1 lanes";
    fr_window_expect(&law, w, rates);
}

/* ---- Layout ----------------------------------------------------------- */

/* Returns the length of one of q sub-windows, rounded up. */
static uint64_t part(uint64_t window, uint32_t q)
{
    /* Options have checked that q is not 0.
       NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    return window / q + (window % q != 0);
}

static size_t jumping_plan(void *state, const struct fr_goal *goal)
{
    struct jumping *s = state;
    uint64_t window = goal->within ? goal->within : goal->window;
    double *param = goal->param, m, n, rate;

    if (window) /* a sub-window is at least one record or tick */
        param[Q] = fmin(param[Q], (double)window);
    s->lanes = fr_u32(param[Q]) + 1;
    /* A lane more than sub-windows: not 0.
       NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    s->per_word = 64 / s->lanes;
    s->words = (goal->bytes - sizeof *s) / 8;
    s->span = part(window, s->lanes - 1);
    s->timed = goal->within > 0;
    m = (double)s->words * s->per_word;
    n = s->timed ? 0 : (double)s->span;
    rate = fr_bloom_share(goal->false_drop, s->lanes);
    param[K] = fr_bloom_k(param[K], m, n, rate);
    if (n == 0)
        n = fmax(1, fr_bloom_room(m, param[K], rate));
    s->k = fr_u32(param[K]);
    s->room = fr_u64(n);
    if (!window)
        s->span = s->room;
    s->once = param[ADD] > 0;
    return sizeof *s + s->words * 8;
}

static bool jumping_check(const void *state, size_t bytes)
{
    const struct jumping *s = state;

    return s->words == (bytes - sizeof *s) / 8 && s->k >= 1 &&
           s->k <= FR_BLOOM_MAX_K && s->lanes >= 2 && s->lanes <= 64 &&
           s->per_word == 64 / s->lanes && s->span >= 1 && s->timed <= 1 &&
           (s->timed ? s->room >= 1 : s->room == s->span) && s->once <= 1 &&
           s->unused[0] == 0 && s->unused[1] == 0;
}

static bool jumping_check_live(const void *state, size_t bytes)
{
    const struct jumping *s = state;

    (void)bytes;
    return s->lane < s->lanes;
}

/* ---- The filter ------------------------------------------------------- */

struct place {
    uint64_t word;
    unsigned shift;
};

/*
 * Returns position fr_reduce(hash, words * per_word) as a word and a place in
 * it.  The low half of the first product gives the place, without a division.
 */
static struct place place_of(const struct jumping *s, freshet_hash key,
                             uint32_t i)
{
    fr_u128 at = (fr_u128)fr_nth(key, i) * s->words;
    uint64_t rest = fr_reduce((uint64_t)at, s->per_word);

    return (struct place){(uint64_t)(at >> 64), (unsigned)rest * s->lanes};
}

static void jumping_touch(const struct jumping *s, freshet_hash key,
                          uint64_t ahead)
{
    (void)ahead;
    for (uint32_t i = 0; i < s->k; i++)
        FR_PREFETCH(&s->cell[place_of(s, key, i).word]);
}

static uint8_t jumping_probe(const struct jumping *s, freshet_hash key)
{
    uint64_t lanes = UINT64_MAX >> (64 - s->lanes);

    for (uint32_t i = 0; lanes && i < s->k; i++) {
        struct place at = place_of(s, key, i);

        lanes &= s->cell[at.word] >> at.shift;
    }
    return lanes != 0;
}

static void jumping_add(struct jumping *s, freshet_hash key)
{
    for (uint32_t i = 0; i < s->k; i++) {
        struct place at = place_of(s, key, i);

        s->cell[at.word] |= UINT64_C(1) << (at.shift + s->lane);
    }
}

/* Returns the bits of one lane in a word. */
static uint64_t lane_mask(const struct jumping *s, uint32_t lane)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < s->per_word; i++)
        mask |= UINT64_C(1) << (i * s->lanes + lane);
    return mask;
}

static void jumping_jump(struct jumping *s)
{
    uint64_t others;

    s->count = 0;
    s->lane = (s->lane + 1) % s->lanes;
    others = ~lane_mask(s, s->lane);
    for (uint64_t i = 0; i < s->words; i++)
        s->cell[i] &= others;
}

static uint8_t jumping_step(struct jumping *s, freshet_hash key)
{
    uint8_t seen = jumping_probe(s, key);

    if (!seen || !s->once)
        jumping_add(s, key);
    if (!s->timed && ++s->count >= s->span)
        jumping_jump(s);
    return seen;
}

FR_BATCHED(jumping)

static void jumping_tick(void *state, uint64_t now)
{
    struct jumping *s = state;
    uint64_t era;

    if (!s->timed)
        return;
    era = now / s->span;
    for (uint32_t i = 0; i < s->lanes && s->era < era; i++, s->era++)
        jumping_jump(s);
    if (s->era < era) /* every lane is empty: skip the remaining ones */
        s->era = era;
}

static void jumping_inspect(const void *state, freshet_info *info)
{
    const struct jumping *s = state;
    double m = (double)s->words * s->per_word, none = 1;
    double planned = m * fr_bloom_fill(m, s->k, (double)s->room);

    info->slots = s->words * s->per_word * s->lanes;
    info->used = 0;
    for (uint32_t lane = 0; lane < s->lanes; lane++) {
        uint64_t mask = lane_mask(s, lane), ones = 0;

        for (uint64_t i = 0; i < s->words; i++)
            ones += (uint64_t)__builtin_popcountll(s->cell[i] & mask);
        info->used += ones;
        info->over_plan |= s->timed && (double)ones > planned;
        none *= 1 - pow((double)ones / m, s->k);
    }
    info->false_drop = 1 - none;
    fr_window_inspect(s->once, info);
}

const struct fr_algo fr_jumping = {
    .about = {.name = "jumping",
              .title = "jumping window",
              .paper = "Metwally, Agrawal and El Abbadi, WWW 2005",
              .can = FRESHET_CAN_WINDOW | FRESHET_CAN_WITHIN |
                     FRESHET_CAN_PROMISE},
    .id = FR_ID('j', 'm', 'p', '1'),
    .params = jumping_params,
    .head = offsetof(struct jumping, count),
    .base = sizeof(struct jumping),
    .plan = jumping_plan,
    .check = jumping_check,
    .check_live = jumping_check_live,
    .offer = jumping_offer,
    .query = jumping_query,
    .inspect = jumping_inspect,
    .expect = jumping_expect,
    .tick = jumping_tick,
};
