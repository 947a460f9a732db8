/*
 * audit_rate.c - a rate of wrong verdicts with its 95 % interval
 */
#include "audit_rate.h"

#include <math.h>

/* Computes Wilson's interval, for counts that need not be whole. */
static void set_interval(struct audit_rate *r, double n, double z)
{
    double p = r->rate, scale = 1 + z * z / n;
    double middle = (p + z * z / (2 * n)) / scale;
    double half = z / scale * sqrt(p * (1 - p) / n + z * z / (4 * n * n));

    r->low = r->wrong == 0 ? 0 : fmax(0, middle - half);
    r->high = r->wrong == r->n ? 1 : fmin(1, middle + half);
}

static struct audit_rate share_of(uint64_t wrong, uint64_t n)
{
    if (n == 0)
        return (struct audit_rate){.rate = (double)NAN, .high = 1};
    return (struct audit_rate){.wrong = wrong,
                               .n = n,
                               .rate = (double)wrong / (double)n};
}

struct audit_rate audit_rate_of(uint64_t wrong, uint64_t n)
{
    const double z = 1.959963984540054; /* 95 % of a normal lie within */
    struct audit_rate r = share_of(wrong, n);

    if (n)
        set_interval(&r, (double)n, z);
    return r;
}

struct audit_rate audit_rate_of_clusters(uint64_t wrong, uint64_t n,
                                         const double *excess, size_t groups,
                                         double cluster)
{
    const double t = 1.998; /* Student's, for 64 groups */
    struct audit_rate r = share_of(wrong, n);
    double variance = 0, independent, effect;

    if (n == 0)
        return r;
    for (size_t i = 0; i < groups; i++)
        variance += excess[i] * excess[i];
    variance *= (double)groups / (double)(groups - 1);
    independent = r.rate * (1 - r.rate) * (double)n;
    effect = (variance + cluster * cluster) / (independent + cluster);
    set_interval(&r, (double)n / fmax(1, effect), t);
    return r;
}
