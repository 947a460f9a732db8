/*
 * sbf.c - stable Bloom filter
 *
 * F. Deng and D. Rafiei, "Approximately detecting duplicates for streaming data
 * using stable Bloom filters", SIGMOD 2006.
 *
 * m cells of d bits, Max = 2^d - 1.  A key is seen when its K cells are all
 * above zero.  In either case P cells are then decremented, and the key's own K
 * cells are set to Max.  Gain and loss balance, so the share of zeros becomes
 * stable, and with it the false-drop rate, however long the stream is.  The
 * price is forgetting: a repeat that comes late may pass as new.
 *
 * As in the authors' own implementation (their section 5.2) the P cells are
 * neighbours, starting at one random place.  The printed Algorithm 1 sets the
 * duplicate flag once more inside the decrement loop: a misprint, left out.
 *
 * Section 4.1 chooses Max among 1, 3 and 7 by the gaps between repeats.  Here
 * it is the one with the fewest false passes at the given gap (gap=N), on
 * average over the gaps of the options (Eq. 16), or at the expected gap: the
 * window, or the number of distinct keys, which is the mean gap of a uniform
 * stream.  Without any of these it is 1.
 *
 * The equations are in sbf_theory.c.
 *
 * Departure: P need not be whole.  Its fraction is the chance of one more cell,
 * so that any wanted rate can be met.
 */
#include <math.h>

#include "algo.h"
#include "parts/batched.h"
#include "parts/bits.h"
#include "parts/cells.h"
#include "theory/sbf_theory.h"

struct sbf {
    uint64_t m, seed;
    uint64_t fraction; /* the fraction of P, times 2^64 */
    uint32_t k, p, d, unused;
    uint64_t draws; /* live from here */
    uint64_t pad[2];
    uint64_t cell[];
};
_Static_assert(sizeof(struct sbf) == 64, "part of the format");

enum { D, K, P, GAP, END };
enum { MOST_P = 1000000 };
static const freshet_parameter sbf_params[] = {
    [D] = {"d", 0, 8, 0, 1, NULL,
           "bits per cell: 1, 2, 3, 4 or 8; 0: fewest false passes at the gap"},
    [K] = {"k", 0, 32, 0, 1, NULL, "cells per key; 0: fewest false passes"},
    [P] = {"p", 0, MOST_P, 0, 0, NULL,
           "cells decremented, from 1 to all; 0: from the rate"},
    [GAP] = {"gap", 0, 1e15, 0, 1, NULL,
             "records from a key to its repeat; 0: the window or the keys"},
    [END] = {0},
};

/* ---- Layout ----------------------------------------------------------- */

/* Returns the number of cells of d bits in a number of words. */
static uint64_t cells_in(uint64_t words, double d)
{
    return words * fr_cells_per_word(fr_u32(d));
}

static double gap_of(const struct fr_goal *goal)
{
    if (goal->param[GAP] > 0)
        return goal->param[GAP];
    return (double)(goal->window ? goal->window : goal->expect);
}

/* Returns whether the distances of repeats are known. */
static bool has_gaps(const struct fr_goal *goal)
{
    return goal->gap_count || gap_of(goal) > 0;
}

/*
 * Eq. 16: returns the share of repeats that are called new.  Where no gap is
 * known the paper tries one of 200 in a table of any size; we try m/100, where
 * the curves differ.
 */
static double lost_at(const struct fr_sbf_law *l, const struct fr_goal *goal)
{
    double lost = 0, shares = 0;

    if (goal->param[GAP] > 0 || !goal->gap_count)
        return fr_sbf_lost(l, gap_of(goal) > 0 ? gap_of(goal) : l->m / 100);
    for (uint64_t i = 0; i < goal->gap_count; i++) {
        const freshet_gap *g = &goal->gaps[i];

        lost += g->share * fr_sbf_lost(l, (double)fr_span_of(g));
        shares += g->share;
    }
    return lost / shares;
}

/* Section 4.1: returns the K that loses the fewest repeats if P keeps to the
   wanted rate. */
static double best_k(struct fr_sbf_law l, const struct fr_goal *goal)
{
    double best = 1, least = 2;

    for (l.k = 1; l.k <= 10; l.k++) {
        double lost;

        l.p = fr_sbf_wanted_p(&l, goal->false_drop);
        lost = lost_at(&l, goal);
        if (lost < least) {
            least = lost;
            best = l.k;
        }
    }
    return best;
}

/* Chooses K and P for cells of d bits, unless they are given. */
static struct fr_sbf_law law_for(double d, uint64_t words,
                                 const struct fr_goal *goal)
{
    struct fr_sbf_law l = {.m = (double)cells_in(words, d),
                           .max = exp2(d) - 1,
                           .k = goal->param[K],
                           .p = goal->param[P]};

    if (l.k == 0)
        l.k = best_k(l, goal);
    if (l.p == 0)
        l.p = fmin(fr_sbf_wanted_p(&l, goal->false_drop), MOST_P);
    return l;
}

/* Section 4.1: returns the bits of a cell that lose the fewest repeats. */
static double best_size(uint64_t words, const struct fr_goal *goal)
{
    static const double sizes[] = {1, 2, 3, 4, 8};
    double least = 2, best = 1;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct fr_sbf_law l = law_for(sizes[i], words, goal);
        double lost = lost_at(&l, goal);

        if (lost < least && l.p <= l.m) {
            least = lost;
            best = sizes[i];
        }
    }
    return best;
}

static size_t sbf_plan(void *state, const struct fr_goal *goal)
{
    struct sbf *s = state;
    size_t words = (goal->bytes - sizeof *s) / 8;
    double *param = goal->param;
    struct fr_sbf_law l;

    if (param[D] == 0)
        param[D] = has_gaps(goal) ? best_size(words, goal) : 1;
    l = law_for(param[D], words, goal);
    param[K] = l.k;
    param[P] = l.p;
    s->d = fr_u32(param[D]);
    s->m = cells_in(words, param[D]);
    s->seed = goal->seed;
    s->k = fr_u32(param[K]);
    s->p = fr_u32(param[P]);
    s->fraction = fr_probability(param[P] - floor(param[P]));
    return sizeof *s + words * 8;
}

static bool sbf_check(const void *state, size_t bytes)
{
    const struct sbf *s = state;

    return ((s->d >= 1 && s->d <= 4) || s->d == 8) &&
           s->m == cells_in((bytes - sizeof *s) / 8, s->d) && s->k >= 1 &&
           s->k <= 32 && s->p >= 1 && s->p <= s->m && s->unused == 0;
}

/* ---- The filter ------------------------------------------------------- */

static uint64_t cell_of(const struct sbf *s, freshet_hash key, uint32_t i)
{
    return fr_reduce(fr_nth(key, i), s->m);
}

/* All cells are read: leaving early would be an unpredictable branch. */
static uint8_t sbf_probe(const struct sbf *s, freshet_hash key)
{
    uint8_t seen = FRESHET_SEEN;

    for (uint32_t i = 0; i < s->k; i++)
        seen &= fr_cell_get(s->cell, cell_of(s, key, i), s->d) != 0;
    return seen;
}

/* One random number per record decides where to begin, and whether P is rounded
   up. */
static void sbf_decay(struct sbf *s)
{
    uint64_t random = fr_random(s->seed, &s->draws);
    uint64_t at = fr_reduce(random, s->m);
    uint32_t p = s->p + (uint32_t)fr_chance(fr_mix(random), s->fraction);

    if (at + p <= s->m) {
        fr_cells_decrement(s->cell, at, p, s->d);
        return;
    }
    fr_cells_decrement(s->cell, at, s->m - at, s->d);
    fr_cells_decrement(s->cell, 0, p - (s->m - at), s->d);
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
        FR_PREFETCH(&s->cell[fr_cell_index(cell_of(s, key, i), s->d)]);
    FR_PREFETCH(&s->cell[fr_cell_index(at, s->d)]);
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
