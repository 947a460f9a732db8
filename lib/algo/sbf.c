/*
 * sbf.c - stable Bloom filter
 *
 * F. Deng and D. Rafiei, "Approximately detecting duplicates for streaming
 * data using stable Bloom filters", SIGMOD 2006.
 *
 * m cells of d bits, Max = 2^d - 1.  A key is seen when its K cells are all
 * above zero.  Whatever the answer, P cells then lose one, and the key's own
 * K are set to Max.  Gain and loss balance, so the share of zeros settles,
 * and with it the false-drop rate, however long the stream.  The price is
 * forgetting: a repeat that comes late may pass as new.
 *
 * As in the authors' own implementation (their section 5.2) the P cells are
 * neighbours from one random place on.  The printed Algorithm 1 sets the
 * duplicate flag once more inside the decrement loop: a misprint, left out.
 *
 * The equations are in sbf_theory.c.
 *
 * Departure: P need not be whole.  Its fraction is the chance of one more
 * cell, so that any wanted rate can be met.
 */
#include <math.h>

#include "algo.h"
#include "parts/batched.h"
#include "parts/bits.h"
#include "parts/cells.h"
#include "theory/sbf_theory.h"

struct sbf {
    uint64_t m, seed;
    uint64_t fraction; /* of P, times 2^64 */
    uint32_t k, p, d, unused;
    uint64_t draws; /* live from here */
    uint64_t pad[2];
    uint64_t cell[];
};
_Static_assert(sizeof(struct sbf) == 64, "part of the format");

enum { D, K, P, END };
static const freshet_parameter sbf_params[] = {
    [D] = {"d", 1, 8, 1, 1, NULL, "bits per cell: 1, 2, 4 or 8"},
    [K] = {"k", 0, 32, 0, 1, NULL, "cells per key; 0: fewest false passes"},
    [P] = {"p", 0, 1e6, 0, 0, NULL, "cells decremented; 0: from the rate"},
    [END] = {0},
};

/* ---- Layout ----------------------------------------------------------- */

static size_t sbf_plan(void *state, const struct fr_goal *goal)
{
    struct sbf *s = state;
    size_t words = (goal->bytes - sizeof *s) / 8;
    double *param = goal->param;
    struct fr_sbf_law l;

    s->d = fr_u32(param[D]);
    s->m = words * 64 / s->d;
    s->seed = goal->seed;
    l = (struct fr_sbf_law){.m = (double)s->m, .max = exp2(param[D]) - 1};
    if (param[K] == 0)
        param[K] = fr_sbf_best_k(l, goal->false_drop);
    l.k = param[K];
    if (param[P] == 0)
        param[P] = fmin(fr_sbf_wanted_p(l, goal->false_drop), 1e6);
    s->k = fr_u32(param[K]);
    s->p = fr_u32(param[P]);
    s->fraction = fr_probability(param[P] - floor(param[P]));
    return sizeof *s + words * 8;
}

static bool sbf_check(const void *state, size_t bytes)
{
    const struct sbf *s = state;

    return (s->d == 1 || s->d == 2 || s->d == 4 || s->d == 8) &&
           s->m == (bytes - sizeof *s) / 8 * 64 / s->d && s->k >= 1 &&
           s->k <= 32 && s->p >= 1 && s->p <= s->m && s->unused == 0;
}

/* ---- The filter ------------------------------------------------------- */

static uint64_t cell_of(const struct sbf *s, freshet_hash key, uint32_t i)
{
    return fr_reduce(fr_nth(key, i), s->m);
}

/* All cells are looked at: leaving early would be a branch on chance. */
static uint8_t sbf_probe(const struct sbf *s, freshet_hash key)
{
    uint8_t seen = FRESHET_SEEN;

    for (uint32_t i = 0; i < s->k; i++)
        seen &= fr_cell_get(s->cell, cell_of(s, key, i), s->d) != 0;
    return seen;
}

/* One random number a record: where to begin, and whether P rounds up. */
static void sbf_decay(struct sbf *s)
{
    uint64_t random = fr_random(s->seed, &s->draws);
    uint64_t at = fr_reduce(random, s->m);
    uint32_t p = s->p + (uint32_t)fr_chance(fr_mix(random), s->fraction);

    if (at + p <= s->m) {
        fr_cells_wane(s->cell, at, p, s->d);
        return;
    }
    fr_cells_wane(s->cell, at, s->m - at, s->d);
    fr_cells_wane(s->cell, 0, p - (s->m - at), s->d);
}

static void sbf_set(struct sbf *s, freshet_hash key)
{
    for (uint32_t i = 0; i < s->k; i++)
        fr_cell_fill(s->cell, cell_of(s, key, i), s->d);
}

static uint8_t sbf_step(struct sbf *s, freshet_hash key)
{
    uint8_t seen = sbf_probe(s, key);

    sbf_decay(s);
    sbf_set(s, key);
    return seen;
}

static void sbf_touch(const struct sbf *s, freshet_hash key, uint64_t ahead)
{
    uint64_t at = fr_reduce(fr_random_at(s->seed, s->draws + ahead), s->m);

    for (uint32_t i = 0; i < s->k; i++)
        FR_PREFETCH(&s->cell[cell_of(s, key, i) * s->d / 64]);
    FR_PREFETCH(&s->cell[at * s->d / 64]);
}

FR_BATCHED(sbf)

static void sbf_expect(const void *state, const freshet_workload *w,
                       freshet_rates *rates)
{
    const struct sbf *s = state;
    struct fr_sbf_law law = {
        .m = (double)s->m,
        .k = s->k,
        .p = s->p + (double)s->fraction / 0x1p64,
        .max = (double)((1u << s->d) - 1),
    };

    fr_sbf_expect(&law, w, rates);
}

static void sbf_inspect(const void *state, freshet_info *info)
{
    const struct sbf *s = state;

    info->slots = s->m;
    info->used = fr_cells_used(s->cell, s->m, s->d);
    info->false_drop = pow((double)info->used / (double)s->m, s->k);
}

const struct fr_algo fr_sbf = {
    .about = {.name = "sbf",
              .title = "stable Bloom filter",
              .paper = "Deng and Rafiei, SIGMOD 2006",
              .can = FRESHET_CAN_PROMISE},
    .id = FR_ID('s', 'b', 'f', '1'),
    .params = sbf_params,
    .head = offsetof(struct sbf, draws),
    .base = sizeof(struct sbf),
    .plan = sbf_plan,
    .check = sbf_check,
    .offer = sbf_offer,
    .query = sbf_query,
    .inspect = sbf_inspect,
    .expect = sbf_expect,
};
