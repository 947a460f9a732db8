/*
 * theory.h - formulas that several algorithms share
 */
#ifndef FR_THEORY_H
#define FR_THEORY_H

#include "freshet.h"

/* Returns ln n!; unlike lgamma() it writes no global variable. */
double fr_log_factorial(double n);

/* Returns P(X >= k) for X Poisson with the given mean. */
double fr_poisson_tail(double mean, unsigned k);

/*
 * For draws from a finite universe, each key equally likely: the chance that
 * they miss a given key; the number of different keys among them, which is the
 * number of draws if universe is 0; and the number of draws that are not the
 * first of their key.
 */
double fr_unmet(double draws, double universe);
double fr_distinct(double draws, double universe);
double fr_repeats(double draws, double universe);

/*
 * A filter on a finite uniform stream, as two functions of time: the chance
 * that a new key is called a repeat by record t, and the chance that a key
 * last seen gap records before record t is called new; NULL if it never is.
 */
struct fr_course {
    const void *filter;
    double (*false_drop)(const void *filter, double t);
    double (*false_pass)(const void *filter, double t, double gap);
};

/* Returns the mean false_pass at time t over the gaps of a uniform stream. */
double fr_over_gaps(const struct fr_course *course, double t, double universe);

/*
 * Averages them over workload->records draws from workload->distinct keys:
 * record t, counted from zero, is new with probability (1 - 1/U)^t; gaps are
 * geometric, from 1 for a key that comes twice in a row up to t.  With records
 * zero: the chances after each key came once, in any order.  Without repeats
 * the rate of false passes is zero.
 */
void fr_average(const struct fr_course *course,
                const freshet_workload *workload, freshet_rates *rates);

#endif
