/*
 * audit_rate.h - a share of wrong verdicts, with its 95 % interval
 */
#ifndef AUDIT_RATE_H
#define AUDIT_RATE_H

#include <stddef.h>
#include <stdint.h>

/* Of n verdicts some were wrong: their share, between low and high with
   95 % confidence. */
struct audit_rate {
    uint64_t wrong, n;
    double rate, low, high; /* NaN, 0 and 1 if n is 0 */
    const char *of;         /* "repeats" */
};

/*
 * Verdicts that are wrong or right independently of each other.  Returns
 * Wilson's interval, which is right also for few verdicts and for rates near 0
 * or 1.
 */
struct audit_rate audit_rate_of(uint64_t wrong, uint64_t n);

/*
 * Verdicts that were drawn in clusters: all of a key, or all that belong to one
 * pass.  Each cluster is in one of several groups, at random.  By how much a
 * group has more wrong verdicts than its share tells how far the verdicts of a
 * cluster depend on each other.  Where hardly any verdict is wrong the groups
 * cannot tell, so one cluster more is supposed that is wrong throughout, with
 * this many verdicts.
 */
struct audit_rate audit_rate_of_clusters(uint64_t wrong, uint64_t n,
                                         const double *excess, size_t groups,
                                         double cluster);

#endif
