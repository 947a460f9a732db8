/*
 * audit_counts.c - counts of an audit, by levels and groups
 */
#include "audit_counts.h"

#include <math.h>

enum { GROUPS = AUDIT_GROUPS };

static void add(struct audit_group *to, const struct audit_group *g)
{
    to->fresh += g->fresh;
    to->dropped += g->dropped;
    to->repeats += g->repeats;
    to->passed += g->passed;
    to->either += g->either;
    to->passes += g->passes;
}

void audit_counts_sum(const struct audit_counts *c, unsigned level,
                      struct audit_group sum[AUDIT_GROUPS])
{
    for (unsigned i = 0; i < GROUPS; i++) {
        sum[i] = (struct audit_group){0};
        for (unsigned l = level; l < AUDIT_LEVELS; l++)
            add(&sum[i], &c->group[l][i]);
    }
}

static struct audit_group total_of(const struct audit_group sum[GROUPS])
{
    struct audit_group all = {0};

    for (unsigned i = 0; i < GROUPS; i++)
        add(&all, &sum[i]);
    return all;
}

uint64_t audit_counts_either(const struct audit_group sum[AUDIT_GROUPS])
{
    return total_of(sum).either;
}

struct audit_rate audit_counts_drops(const struct audit_group sum[AUDIT_GROUPS],
                                     bool window)
{
    struct audit_group all = total_of(sum);
    double n = (double)all.fresh, rate = (double)all.dropped / n;
    double excess[GROUPS], cluster = 0;

    if (!window || all.fresh == 0)
        return audit_rate_of(all.dropped, all.fresh);
    for (unsigned i = 0; i < GROUPS; i++) {
        double size = (double)sum[i].fresh, away = size - n / GROUPS;

        excess[i] = (double)sum[i].dropped - rate * size;
        cluster += away * away / n;
    }
    return audit_rate_of_clusters(all.dropped, all.fresh, excess, GROUPS,
                                  fmax(1, cluster));
}

struct audit_rate audit_counts_passes(
    const struct audit_group sum[AUDIT_GROUPS])
{
    struct audit_group all = total_of(sum);

    return audit_rate_of(all.passed, all.repeats);
}

/* Returns the lowest possible rate, which assumes that every record called a
   repeat is one. */
static double least_rate(const struct audit_group *all,
                         const struct audit_counts *totals)
{
    double passed =
        audit_rate_of(all->passed, all->passes).low * (double)totals->passes;

    return passed > 0 ? passed / (passed + (double)totals->seen) : 0;
}

struct audit_rate audit_counts_ratio(const struct audit_group sum[AUDIT_GROUPS],
                                     const struct audit_counts *totals)
{
    struct audit_group all = total_of(sum);
    double rate = (double)all.passed / (double)all.repeats;
    double excess[GROUPS];
    struct audit_rate r;

    for (unsigned i = 0; i < GROUPS; i++)
        excess[i] = (double)sum[i].passed - rate * (double)sum[i].repeats;
    r = audit_rate_of_clusters(all.passed, all.repeats, excess, GROUPS, 1);
    r.low = fmin(r.low, least_rate(&all, totals));
    return r;
}
