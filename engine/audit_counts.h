/*
 * audit_counts.h - counts of an audit, by levels and groups
 *
 * Each key has a draw, which is a hash of it, and each record has one, which is
 * a hash of its number.  The level of a draw is the number of its leading
 * zeros.  After h halvings the sample consists of levels h and above, so
 * nothing that left comes back, and counts per level need only be summed from h
 * on.  The last bits of a draw choose its group; the differences between groups
 * give the variance.
 */
#ifndef AUDIT_COUNTS_H
#define AUDIT_COUNTS_H

#include <stdbool.h>

#include "audit_rate.h"

enum { AUDIT_LEVELS = 49, AUDIT_GROUPS = 64 };

struct audit_group {
    uint64_t fresh, dropped;  /* new records of drawn keys */
    uint64_t repeats, passed; /* of drawn records */
    uint64_t either;          /* records at the end of a window */
    uint64_t passes;          /* drawn passes */
};

struct audit_counts {
    uint64_t passes, seen; /* of all records, drawn or not */
    struct audit_group group[AUDIT_LEVELS][AUDIT_GROUPS];
};

static inline unsigned audit_level_of(uint64_t draw)
{
    unsigned zeros = draw ? (unsigned)__builtin_clzll(draw) : 64;

    return zeros < AUDIT_LEVELS ? zeros : AUDIT_LEVELS - 1;
}

/* Returns the counts for this draw. */
static inline struct audit_group *audit_group_of(struct audit_counts *c,
                                                 uint64_t draw)
{
    return &c->group[audit_level_of(draw)][draw % AUDIT_GROUPS];
}

/* Sums the groups of a level and those above. */
void audit_counts_sum(const struct audit_counts *c, unsigned level,
                      struct audit_group sum[AUDIT_GROUPS]);

uint64_t audit_counts_either(const struct audit_group sum[AUDIT_GROUPS]);

/* Returns the rate of false drops; a key has one new record, or several with a
   window. */
struct audit_rate audit_counts_drops(const struct audit_group sum[AUDIT_GROUPS],
                                     bool window);

/* Returns the rate of false passes if each repeat was drawn by a record of its
   own. */
struct audit_rate audit_counts_passes(
    const struct audit_group sum[AUDIT_GROUPS]);

/*
 * Returns the rate of false passes if a drawn pass has all the repeats of its
 * window.  A frequent key has far more repeats than others; if its passes
 * happen not to be drawn, the number of repeats is underestimated and the rate
 * overestimated.  But there are at most as many repeats as records called
 * repeats, which bounds the rate from below.
 */
struct audit_rate audit_counts_ratio(const struct audit_group sum[AUDIT_GROUPS],
                                     const struct audit_counts *totals);

#endif
