/*
 * audit_counts.h - what an audit counted, by levels and groups
 *
 * A key has a draw, a hash of it, and so has a record, a hash of its number.
 * The level of a draw is the number of zeros it begins with.  After h halvings
 * the sample is what has level h and above, so what leaves never comes back,
 * and counts kept per level need only be summed from h on.  The last bits of a
 * draw choose its group, to see how much groups differ.
 */
#ifndef AUDIT_COUNTS_H
#define AUDIT_COUNTS_H

#include <stdbool.h>

#include "audit_rate.h"

enum { AUDIT_LEVELS = 49, AUDIT_GROUPS = 64 };

struct audit_group {
    uint64_t fresh, dropped;  /* new records of drawn keys */
    uint64_t repeats, passed; /* of drawn records */
    uint64_t either;          /* at the window's edge */
    uint64_t passes;          /* drawn */
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

/* Where to count what was drawn by this. */
static inline struct audit_group *audit_group_of(struct audit_counts *c,
                                                 uint64_t draw)
{
    return &c->group[audit_level_of(draw)][draw % AUDIT_GROUPS];
}

/* The groups of a level and above. */
void audit_counts_sum(const struct audit_counts *c, unsigned level,
                      struct audit_group sum[AUDIT_GROUPS]);

uint64_t audit_counts_either(const struct audit_group sum[AUDIT_GROUPS]);

/* False drops; a key has one new record, or with a window several. */
struct audit_rate audit_counts_drops(const struct audit_group sum[AUDIT_GROUPS],
                                     bool window);

/* False passes, where each repeat was drawn by a record of its own. */
struct audit_rate audit_counts_passes(
    const struct audit_group sum[AUDIT_GROUPS]);

/*
 * False passes, where a drawn pass has all the repeats of its window.  A key
 * that comes often has far more of them than others, and if its passes happen
 * not to be drawn, repeats seem to be fewer than they are, and the rate higher.
 * But they are no more than all records that were called repeats, which bounds
 * the rate from below.
 */
struct audit_rate audit_counts_ratio(const struct audit_group sum[AUDIT_GROUPS],
                                     const struct audit_counts *totals);

#endif
