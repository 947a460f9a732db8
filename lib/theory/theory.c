/*
 * theory.c - formulas that several algorithms share
 */
#include "theory.h"

#include <math.h>

double fr_log_factorial(double n)
{
    int sign;

    return lgamma_r(n + 1, &sign);
}

double fr_poisson_tail(double mean, unsigned k)
{
    double at, term, sum = 0;

    if (k == 0 || isinf(mean))
        return 1;
    if (k == 1)
        return -expm1(-mean);
    at = mean < k ? k : k - 1.0;
    term = exp(at * log(mean) - mean - fr_log_factorial(at));
    if (mean < k) { /* sum the tail itself: it may be far below rounding */
        for (; term > sum * 1e-17; term *= mean / ++at)
            sum += term;
        return fmin(1, sum);
    }
    for (; at >= 0 && term > sum * 1e-17; term *= at-- / mean)
        sum += term;
    return fmax(0, 1 - sum);
}

/* ---- Draws from a universe -------------------------------------------- */

double fr_unmet(double draws, double universe)
{
    if (universe > 1)
        return exp(draws * log1p(-1 / universe));
    return draws > 0 ? 0 : 1;
}

double fr_distinct(double draws, double universe)
{
    if (universe > 1)
        return -universe * expm1(draws * log1p(-1 / universe));
    return universe > 0 ? fmin(draws, 1) : draws;
}

double fr_repeats(double draws, double universe)
{
    double n = draws, u = universe;

    if (n > u / 1000)
        return n - fr_distinct(n, u);
    /* The binomial series: rounding would destroy the difference. */
    return n * (n - 1) / (2 * u) *
           (1 - (n - 2) / (3 * u) * (1 - (n - 3) / (4 * u)));
}

/* Returns the number of draws after which a given key has come with this
   chance. */
static double draws_until(double universe, double chance)
{
    return universe > 1 ? log1p(-chance) / log1p(-1 / universe) : 0;
}

/* ---- Averages over a stream ------------------------------------------- */

/*
 * All three averages divide their range into blocks of whole records, at most
 * this many blocks.  A block has its exact weight, so that the only error comes
 * from taking one record for its whole block; on streams so short that each
 * record is a block there is none.
 */
enum { NEW = 100, REPEATS = 50, GAPS = 100 };

/* Returns the end of a block that begins at "from" and should end at "to". */
static double block_end(double from, double to, double last)
{
    return fmin(last, fmax(from + 1, ceil(to)));
}

static double within(double low, double value, double high)
{
    return fmin(high, fmax(low, value));
}

/* Returns the i-th gap.  Long gaps are the densest, since their keys are the
   ones that get lost. */
static double gap_at(double longest, double universe, double i)
{
    double left = 1 - i / GAPS;

    return draws_until(universe, longest * (1 - left * left));
}

double fr_over_gaps(const struct fr_course *c, double t, double universe)
{
    double longest = fr_distinct(t, universe) / universe, sum = 0, from = 0,
           met = 0;

    for (int i = 1; from < t; i++) {
        double to = i < GAPS ? gap_at(longest, universe, i) : t, gap, all;

        to = block_end(from, to, t);
        gap = within(from + 1, gap_at(longest, universe, i - 0.5), to);
        all = fr_distinct(to, universe);
        if (all > met)
            sum += (all - met) * c->false_pass(c->filter, t, gap);
        met = all;
        from = to;
    }
    return met > 0 ? sum / met : 0;
}

/* Averages over new keys: on a long stream all of them come near its
   beginning. */
static double over_new(const struct fr_course *c, double n, double universe)
{
    double most = fr_distinct(n, universe) / universe, sum = 0, from = 0,
           met = 0;

    for (int i = 1; from < n; i++) {
        double to = draws_until(universe, most * i / NEW), t, all;

        to = i < NEW ? block_end(from, to, n) : n;
        t = draws_until(universe, most * (i - 0.5) / NEW);
        all = fr_distinct(to, universe);
        if (all > met)
            sum +=
                (all - met) * c->false_drop(c->filter, within(from, t, to - 1));
        met = all;
        from = to;
    }
    return sum / met;
}

/* Averages over time: apart from the beginning, repeats come evenly. */
static double over_repeats(const struct fr_course *c, double n, double universe)
{
    double sum = 0, from = 0, met = 0;

    for (int i = 1; from < n; i++) {
        double to = block_end(from, n * i / REPEATS, n);
        double all = fr_repeats(to, universe);

        if (all > met)
            sum += (all - met) *
                   fr_over_gaps(c, ceil((from + to - 1) / 2), universe);
        met = all;
        from = to;
    }
    return met > 0 ? sum / met : 0;
}

/* The rates after each key of the universe came once: all gaps are equally
   likely, unless the workload gives one. */
static void after_each_once(const struct fr_course *c,
                            const freshet_workload *w, freshet_rates *rates)
{
    double universe = (double)w->distinct, blocks = fmin(universe, GAPS);
    double sum = 0;

    rates->false_drop = c->false_drop(c->filter, universe);
    rates->false_pass = 0;
    if (!c->false_pass)
        return;
    for (double i = 0.5; i < blocks && !w->gap; i++)
        sum += c->false_pass(c->filter, universe, universe * i / blocks + 0.5);
    rates->false_pass = w->gap
                            ? c->false_pass(c->filter, universe,
                                            fmin((double)w->gap + 1, universe))
                            : sum / blocks;
}

void fr_average(const struct fr_course *c, const freshet_workload *w,
                freshet_rates *rates)
{
    double records = (double)w->records, universe = (double)w->distinct;

    if (w->records) {
        rates->false_drop = over_new(c, records, universe);
        rates->false_pass =
            c->false_pass ? over_repeats(c, records, universe) : 0;
    } else {
        after_each_once(c, w, rates);
    }
}
