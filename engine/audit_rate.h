/*
 * audit_rate.h - a rate of wrong verdicts with its 95 % interval
 */
#ifndef AUDIT_RATE_H
#define AUDIT_RATE_H

#include <stddef.h>
#include <stdint.h>

/* The share of wrong verdicts among n, between low and high with 95 %
   confidence. */
struct audit_rate {
    uint64_t wrong, n;
    double rate, low, high; /* NaN, 0 and 1 if n is 0 */
    const char *of;         /* "repeats" */
};

/*
 * For verdicts that are wrong independently of each other.  Returns Wilson's
 * interval, which also holds for few verdicts and for rates near 0 or 1.
 */
struct audit_rate audit_rate_of(uint64_t wrong, uint64_t n);

/*
 * For verdicts that were drawn in clusters: all of a key, or all of one pass.
 * Each cluster is in one of several groups, at random.  The excess of wrong
 * verdicts in each group shows how much the verdicts of a cluster depend on
 * each other.  If hardly any verdict is wrong the groups do not show it, so one
 * more cluster is assumed whose verdicts, this many, are all wrong.
 */
struct audit_rate audit_rate_of_clusters(uint64_t wrong, uint64_t n,
                                         const double *excess, size_t groups,
                                         double cluster);

#endif
