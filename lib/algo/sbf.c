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
 * Departure: P need not be whole.  Its fraction is the chance of one more
 * cell, so that any wanted rate can be met.
 */
#include <math.h>

#include "algo.h"
#include "batch.h"
#include "bits.h"
#include "cells.h"
#include "theory.h"

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

/* ---- Theory ----------------------------------------------------------- */

struct law {
    double m, k, p, max;
};

static struct law law_of(const struct sbf *s)
{
    return (struct law){(double)s->m, s->k, s->p + (double)s->fraction / 0x1p64,
                        (double)((1u << s->d) - 1)};
}

/* Eq. 17: the P that keeps false drops at fps, at least 1. */
static double wanted_p(struct law l, double fps)
{
    double zeros = pow(1 - pow(fps, 1 / l.k), 1 / l.max);

    return fmax(1, 1 / ((1 / zeros - 1) * (1 / l.k - 1 / l.m)));
}

/*
 * Eq. 9 to 13, the chance that a cell at Max is zero t records later.  With
 * setting and decrementing as Poisson events of rates K/m and P/m the sum has
 * a closed form: looking back from now, the cell's last Max events must have
 * happened since, and all of them must have been decrements.
 */
static double cell_lost(const struct law *l, double t)
{
    double share = l->p / (l->p + l->k);

    return pow(share, l->max) *
           fr_poisson_tail((l->p + l->k) / l->m * t, (unsigned)l->max);
}

/* Eq. 14. */
static double sbf_false_pass(const void *law, double t, double gap)
{
    const struct law *l = law;

    (void)t;
    return 1 - pow(1 - cell_lost(l, gap), l->k);
}

/* Eq. 1: a cell is zero by record t if never set, or set and lost since. */
static double sbf_false_drop(const void *law, double t)
{
    const struct law *l = law;
    double unset = exp(-l->k / l->m * t);
    double idle = fr_poisson_tail(l->p / l->m * t, (unsigned)l->max);

    return pow(1 - unset - (cell_lost(l, t) - unset * idle), l->k);
}

/* Eq. 8, the bound at all times, met on an endless stream of new keys. */
static double stable_false_drop(const struct law *l)
{
    double zeros = pow(1 / (1 + 1 / (l->p * (1 / l->k - 1 / l->m))), l->max);

    return pow(1 - zeros, l->k);
}

/*
 * Section 4.1: K hardly depends on the data, so the paper tries each on a
 * test gap (200, for a table of any size: we take m/100, where curves part).
 */
static double best_k(struct law l, double fps)
{
    double best = 1, least = 2;

    for (l.k = 1; l.k <= 10; l.k++) {
        double lost;

        l.p = wanted_p(l, fps);
        lost = sbf_false_pass(&l, 0, l.m / 100);
        if (lost < least) {
            least = lost;
            best = l.k;
        }
    }
    return best;
}

static void sbf_expect(const void *state, const freshet_workload *w,
                       freshet_rates *rates)
{
    struct law l = law_of(state);
    struct fr_course course = {&l, sbf_false_drop, sbf_false_pass};

    if (w->distinct) {
        rates->theory = "Deng and Rafiei Eq. 1, 9-14, averaged over a stream";
        fr_average(&course, w, rates);
    } else {
        rates->theory = "Deng and Rafiei Eq. 8 and 9-14";
        rates->false_drop = stable_false_drop(&l);
        rates->false_pass = sbf_false_pass(&l, 0, (double)w->gap);
    }
    /* Losses grow linearly at first, with a power of Max. */
    rates->reach = l.max > 1 ? (double)NAN : 0.001 * l.m / (l.k * l.p);
}

/* ---- Layout ----------------------------------------------------------- */

static size_t sbf_plan(void *state, const struct fr_goal *goal)
{
    struct sbf *s = state;
    size_t words = (goal->bytes - sizeof *s) / 8;
    double *param = goal->param;
    struct law l;

    s->d = fr_u32(param[D]);
    s->m = words * 64 / s->d;
    s->seed = goal->seed;
    l = (struct law){.m = (double)s->m, .max = exp2(param[D]) - 1};
    if (param[K] == 0)
        param[K] = best_k(l, goal->false_drop);
    l.k = param[K];
    if (param[P] == 0)
        param[P] = fmin(wanted_p(l, goal->false_drop), 1e6);
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
           s->k <= 32 && s->p >= 1 && s->p <= s->m;
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
