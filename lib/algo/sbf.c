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
static double deng_false_pass(const void *law, double t, double gap)
{
    const struct law *l = law;

    (void)t;
    return 1 - pow(1 - cell_lost(l, gap), l->k);
}

/* Eq. 1: a cell is zero by record t if never set, or set and lost since. */
static double deng_false_drop(const void *law, double t)
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
        lost = deng_false_pass(&l, 0, l.m / 100);
        if (lost < least) {
            least = lost;
            best = l.k;
        }
    }
    return best;
}

/*
 * The paper takes every record for K random cells.  On a finite stream
 * repeats set the cells of their own key again, so that x records set only
 * those of D(x) different keys.  Looking back from now, a cell is lost when
 * it was not set in the x records since its Max-th last decrement:
 *
 *     integral of exp(-K D(x) / m) dF(x), F = P(Poisson(P x / m) >= Max)
 *
 * which is Eq. 9 to 13 again for D(x) = x.  Kept as a table over x that ends
 * where F is 1 or the stream ends, with steps that grow: most happens early.
 */
enum { STEPS = 512 };

struct finite {
    struct law law;
    double universe; /* 0: each key comes once */
    double longest;
    double lost[STEPS + 1];
};

/* No record of the last x has set a given cell. */
static double left_alone(const struct finite *f, double x)
{
    return exp(-f->law.k / f->law.m * fr_distinct(x, f->universe));
}

static double decremented(const struct law *l, double x)
{
    return fr_poisson_tail(l->p / l->m * x, (unsigned)l->max);
}

static void finite_fill(struct finite *f, double records)
{
    const struct law *l = &f->law;
    double far = l->max + 12 * sqrt(l->max) + 30, share = 0, alone = 1;

    f->longest = fmin(records, far * l->m / l->p);
    for (int i = 1; i <= STEPS; i++) {
        double x = f->longest * i * i / STEPS / STEPS;
        double next = decremented(l, x), still = left_alone(f, x);

        f->lost[i] = f->lost[i - 1] + (next - share) * (alone + still) / 2;
        share = next;
        alone = still;
    }
}

static double finite_lost(const struct finite *f, double x)
{
    double at = STEPS * sqrt(fmin(1, x / f->longest));
    int low = (int)fmin(at, STEPS - 1);
    double from = (double)low * low, to = from + 2 * low + 1;

    return f->lost[low] +
           (f->lost[low + 1] - f->lost[low]) * (at * at - from) / (to - from);
}

/* Zero: lost, or never set and not often enough decremented to be lost. */
static double sbf_false_drop(const void *finite, double t)
{
    const struct finite *f = finite;
    double idle = 1 - decremented(&f->law, t);

    return pow(1 - finite_lost(f, t) - idle * left_alone(f, t), f->law.k);
}

/* A record decrements before it sets: the key's own did it no harm. */
static double sbf_false_pass(const void *finite, double t, double gap)
{
    const struct finite *f = finite;

    (void)t;
    return 1 - pow(1 - finite_lost(f, gap - 1), f->law.k);
}

static void over_stream(const struct law *l, const freshet_workload *w,
                        freshet_rates *rates)
{
    struct finite f = {.law = *l,
                       .universe = w->records ? (double)w->distinct : 0};
    struct fr_course ours = {&f, sbf_false_drop, sbf_false_pass};
    struct fr_course printed = {l, deng_false_drop, deng_false_pass};

    if (w->published) {
        rates->theory = "Deng and Rafiei Eq. 1, 9-14, averaged over a stream";
        fr_average(&printed, w, rates);
        return;
    }
    rates->theory = "Deng and Rafiei Eq. 1, 9-14, with repeats setting their "
                    "own cells";
    finite_fill(&f, (double)(w->records ? w->records : w->distinct));
    fr_average(&ours, w, rates);
}

static void sbf_expect(const void *state, const freshet_workload *w,
                       freshet_rates *rates)
{
    struct law l = law_of(state);

    /* Losses grow linearly at first, with a power of Max. */
    rates->reach = l.max > 1 ? (double)NAN : 0.001 * l.m / (l.k * l.p);
    if (w->distinct) {
        over_stream(&l, w, rates);
        return;
    }
    rates->theory = "Deng and Rafiei Eq. 8 and 9-14";
    rates->false_drop = stable_false_drop(&l);
    rates->false_pass = deng_false_pass(&l, 0, (double)w->gap);
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
