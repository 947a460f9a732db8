/*
 * rsbf_theory.c - what the paper that introduced rsbf says of it
 *
 * Equations are those of Dutta et al., EDBT 2012, section 5; Bera et al. print
 * 5.7 and 5.17 again as 3.8 and 3.9.  Their P_FPR and P_FNR are of all records;
 * rates are of the new ones and of the repeats among them.  The equations are
 * used as printed, without p* and with their errors:
 *
 *     5.7   both ways in which a bit may come to be set are counted, but bits
 *           that are set already count as gains, so that it tends to 1
 *     5.12  s e^(-x), with x below s/U, is said to be at most 1; it is near s,
 *           and the FNR of 5.17 is too small by that factor
 *     5.22  half of the bits are set in the end
 *     5.24  the variance that a record adds to the number of ones; the square
 *           of its mean change is taken as p^2, not (p (1 - 2 beta))^2, so that
 *           it is below zero while the record enters with p above 1/2
 */
#include "rsbf_theory.h"

#include <math.h>

#include "theory.h"

struct dutta {
    struct fr_dutta_law law;
    double universe;
};

/* 5.4 up to record s, then 5.7 without the chance that the key is new. */
static double dutta_false_drop(const void *dutta, double m)
{
    const struct fr_dutta_law *l = &((const struct dutta *)dutta)->law;

    if (m <= l->s)
        return pow(-expm1(-m / l->s), l->k);
    return fmin(1, fmax(0, 1 - l->k * l->s / m +
                               pow((1 - exp(-1)) * l->s / m, l->k)));
}

/* 5.14 and, for keys of the first s records, 5.15 and 5.16; nothing is deleted
   in these. */
static double dutta_false_pass(const void *dutta, double m, double gap)
{
    const struct dutta *d = dutta;
    const struct fr_dutta_law *l = &d->law;
    double repeats = 1 - fr_unmet(m, d->universe);

    (void)gap;
    if (m <= l->s || repeats <= 0)
        return 0;
    return fmin(1, (l->k * (m - l->s) + l->s * l->k) / (d->universe * m) /
                       repeats);
}

/* 5.24: beta is the share of ones, p the probability that a record enters. */
static double step_variance(double beta, double p)
{
    return p * (beta * beta + (1 - beta) * (1 - beta)) - p * p;
}

/* Returns the probability that the last record of the workload enters. */
static double last_entry(const struct fr_dutta_law *l,
                         const freshet_workload *w)
{
    double m = (double)(w->records ? w->records : w->distinct);

    return m > 0 ? fmin(1, l->s / m) : 0; /* 0: an endless stream */
}

void fr_dutta_expect(const struct fr_dutta_law *law, const freshet_workload *w,
                     freshet_rates *rates)
{
    struct dutta d = {*law, (double)w->distinct};
    struct fr_course course = {&d, dutta_false_drop, dutta_false_pass};

    rates->theory = "Dutta et al. Eq. 5.7, 5.17, 5.22 and 5.24";
    rates->stable_fill = 0.5;
    rates->step_variance =
        step_variance(rates->stable_fill, last_entry(law, w));
    rates->false_drop = 1; /* finally, on an endless stream */
    rates->false_pass = 0;
    if (w->distinct)
        fr_average(&course, w, rates);
}
