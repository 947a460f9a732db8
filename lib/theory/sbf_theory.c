/*
 * sbf_theory.c - predicted error rates of the stable Bloom filter
 *
 * Equations are those of Deng and Rafiei, SIGMOD 2006, sections 3 and 4.
 */
#include "sbf_theory.h"

#include <math.h>
#include <stdbool.h>

#include "reach.h"

double fr_sbf_wanted_p(const struct fr_sbf_law *l, double false_drop)
{
    double zeros = pow(1 - pow(false_drop, 1 / l->k), 1 / l->max);

    return fmax(1, 1 / ((1 / zeros - 1) * (1 / l->k - 1 / l->m)));
}

/*
 * Eq. 9 to 13: returns the chance that a cell at Max is zero t records later.
 * With setting and decrementing as Poisson events of rates K/m and P/m the sum
 * has a closed form: seen from the end, the cell's last Max events must have
 * happened since then, and all of them must have been decrements.
 */
static double cell_lost(const struct fr_sbf_law *l, double t)
{
    double set = l->set > 0 ? l->set : l->k, share = l->p / (l->p + set);

    return pow(share, l->max) *
           fr_poisson_tail((l->p + set) / l->m * t, (unsigned)l->max);
}

/*
 * Eq. 18: returns how many of m cells like those of one key a record sets.  The
 * key has this share of the records, and phi is the deviation of the other keys
 * of its cells from the average.
 */
static double set_by(const struct fr_sbf_law *l, double frequency, double phi)
{
    double by_chance = l->k / l->m;
    double chance = frequency + by_chance * (1 - frequency) +
                    phi * sqrt(by_chance * (1 - by_chance));

    return l->m * fmin(1, fmax(1e-300, chance));
}

/* Eq. 14. */
static double deng_false_pass(const void *law, double t, double gap)
{
    const struct fr_sbf_law *l = law;

    (void)t;
    return 1 - pow(1 - cell_lost(l, gap), l->k);
}

/* Eq. 1: a cell is zero at record t if it was never set, or was set and then
   lost. */
static double deng_false_drop(const void *law, double t)
{
    const struct fr_sbf_law *l = law;
    double unset = exp(-l->k / l->m * t);
    double idle = fr_poisson_tail(l->p / l->m * t, (unsigned)l->max);

    return pow(1 - unset - (cell_lost(l, t) - unset * idle), l->k);
}

/* Theorem 3: returns a lower bound of the final share of zeros. */
static double stable_zeros(const struct fr_sbf_law *l)
{
    return pow(1 / (1 + 1 / (l->p * (1 / l->k - 1 / l->m))), l->max);
}

/* Eq. 8: the bound at all times, reached on an endless stream of new keys. */
static double stable_false_drop(const struct fr_sbf_law *l)
{
    return pow(1 - stable_zeros(l), l->k);
}

/*
 * Corollary 2: the share of cells in use grows at an exponential rate.  Returns
 * the first record at which it is within 1 % of its limit.
 */
static double stable_after(const struct fr_sbf_law *l)
{
    double in_use = pow(deng_false_drop(l, (double)INFINITY), 1 / l->k);
    double low = 0, high = l->m;

    while (high < 0x1p62 &&
           pow(deng_false_drop(l, high), 1 / l->k) < 0.99 * in_use)
        high *= 2;
    while (high - low > 0.5 + high * 1e-12) {
        double middle = (low + high) / 2;

        if (pow(deng_false_drop(l, middle), 1 / l->k) < 0.99 * in_use)
            low = middle;
        else
            high = middle;
    }
    return ceil(high);
}

double fr_sbf_lost(const struct fr_sbf_law *l, double gap)
{
    return deng_false_pass(l, 0, gap);
}

/*
 * The paper treats every record as K random cells.  On a finite stream repeats
 * set the cells of their own key again, so that x records set only the cells of
 * D(x) different keys.  Seen from the end, a cell is lost when it was not set
 * in the x records since its Max-th last decrement:
 *
 *     integral of exp(-K D(x) / m) dF(x), F = P(Poisson(P x / m) >= Max)
 *
 * which is Eq. 9 to 13 again for D(x) = x.  It is kept as a table over x that
 * ends where F is 1 or the stream ends, with growing steps, since most happens
 * early.
 */
enum { STEPS = 512 };

struct finite {
    struct fr_sbf_law law;
    double universe; /* 0: each key comes once */
    double longest;
    double lost[STEPS + 1];
};

/* Returns the chance that none of the last x records has set a given cell. */
static double left_alone(const struct finite *f, double x)
{
    return exp(-f->law.k / f->law.m * fr_distinct(x, f->universe));
}

static double decremented(const struct fr_sbf_law *l, double x)
{
    return fr_poisson_tail(l->p / l->m * x, (unsigned)l->max);
}

static void finite_fill(struct finite *f, double records)
{
    const struct fr_sbf_law *l = &f->law;
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

/* A cell is zero if it was lost, or never set and decremented too rarely to be
   lost. */
static double sbf_false_drop(const void *finite, double t)
{
    const struct finite *f = finite;
    double idle = 1 - decremented(&f->law, t);

    return pow(1 - finite_lost(f, t) - idle * left_alone(f, t), f->law.k);
}

/* A record decrements before it sets, so it does not decrement the key's own
   cells afterwards. */
static double sbf_false_pass(const void *finite, double t, double gap)
{
    const struct finite *f = finite;

    (void)t;
    return 1 - pow(1 - finite_lost(f, gap - 1), f->law.k);
}

static void over_stream(const struct fr_sbf_law *l, const freshet_workload *w,
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

void fr_sbf_expect(const struct fr_sbf_law *l, const freshet_workload *w,
                   freshet_rates *rates)
{
    struct fr_course printed = {l, deng_false_drop, deng_false_pass};
    struct fr_sbf_law its = *l; /* for the cells of the repeat's key */
    bool uneven = w->published && (w->frequency > 0 || w->deviation != 0);

    rates->reach = fr_reach(&printed);
    rates->drop_bound = stable_false_drop(l);
    rates->stable_fill = 1 - stable_zeros(l);
    rates->stable_after = stable_after(l);
    if (w->distinct) {
        over_stream(l, w, rates);
        return;
    }
    rates->theory = uneven ? "Deng and Rafiei Eq. 8, 9-14, 18 and 19"
                           : "Deng and Rafiei Eq. 8 and 9-14";
    rates->false_drop = stable_false_drop(l);
    if (uneven)
        its.set = set_by(l, w->frequency, w->deviation);
    rates->false_pass = deng_false_pass(&its, 0, (double)w->span);
}
