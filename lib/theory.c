/*
 * theory.c - what the formulas of several algorithms have in common
 */
#include "theory.h"

#include <math.h>

double fr_poisson_tail(double mean, unsigned k)
{
    double term, below;

    if (k == 0)
        return 1;
    if (mean < k) { /* sum the tail itself: it may be far below rounding */
        term = exp(k * log(mean) - mean - lgamma(k + 1.0));
        below = 0;
        for (double i = k; term > below * 1e-17 && i < k + 1e4; i++) {
            below += term;
            term *= mean / (i + 1);
        }
        return mean > 0 ? fmin(1, below) : 0;
    }
    below = 0;
    for (unsigned i = 0; i < k; i++)
        below += exp(i * log(mean) - mean - lgamma(i + 1.0));
    return fmax(0, 1 - below);
}

double fr_distinct(double records, double universe)
{
    return universe > 0 ? -universe * expm1(-records / universe) : records;
}

enum { TIMES = 400, GAPS = 100 };

double fr_over_gaps(const struct fr_course *c, double t, double universe)
{
    double longest = -expm1(-t / universe), sum = 0;

    /* By quantiles of the gap, densest among the long ones: they get lost. */
    for (int i = 0; i < GAPS; i++) {
        double left = 1 - (i + 0.5) / GAPS, share = longest * (1 - left * left);

        sum +=
            2 * left * c->false_pass(c->filter, t, -log1p(-share) * universe);
    }
    return sum / GAPS;
}

static void over_time(const struct fr_course *c, double records,
                      double universe, freshet_rates *rates)
{
    double drops = 0, passes = 0, fresh = 0, repeats = 0;

    for (int i = 0; i < TIMES; i++) {
        double t = records * (i + 0.5) / TIMES, is_new = exp(-t / universe);

        fresh += is_new;
        drops += is_new * c->false_drop(c->filter, t);
        repeats += 1 - is_new;
        passes += (1 - is_new) * fr_over_gaps(c, t, universe);
    }
    rates->false_drop = drops / fresh;
    rates->false_pass = passes / repeats;
}

void fr_average(const struct fr_course *c, const freshet_workload *w,
                freshet_rates *rates)
{
    double universe = (double)w->distinct, sum = 0;

    if (w->records) {
        over_time(c, (double)w->records, universe, rates);
        return;
    }
    for (int i = 0; i < GAPS; i++)
        sum += c->false_pass(c->filter, universe, universe * (i + 0.5) / GAPS);
    rates->false_drop = c->false_drop(c->filter, universe);
    rates->false_pass = sum / GAPS;
}
