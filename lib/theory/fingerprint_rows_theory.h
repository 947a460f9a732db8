/*
 * fingerprint_rows_theory.h - the statistics of rows of k fingerprints
 *
 * A key falls into one row per table and has one of S equally likely
 * fingerprints, which is stored only if no table has it; a full row gives up
 * one at random.  So a row never holds a fingerprint twice, and its state
 * depends only on D, the number of the S fingerprints that it has met, of which
 * it holds min(k, D).  Keys come to a row as a Poisson process, hence D is
 * binomial.
 *
 * These are our own derivations; the papers print none.  They are exact in the
 * limit of many rows, except that tables are taken as independent.
 */
#ifndef FR_FINGERPRINT_ROWS_THEORY_H
#define FR_FINGERPRINT_ROWS_THEORY_H

#include <math.h>

#include "theory.h"

struct fr_rowlaw {
    double rows; /* rows of one table */
    double k, kinds, tables;
    double universe; /* keys of a finite stream; 0: endless, or each key comes
                        once */
};

/* Returns the number of different keys among the first t records. */
static inline double fr_rowlaw_distinct(const struct fr_rowlaw *l, double t)
{
    return fr_distinct(t, l->universe);
}

/*
 * Returns how often a fingerprint has been stored, on average, after n
 * different keys.  With m tables a fingerprint is stored only if it is in none,
 * so that the share g of those met obeys dg/dn = (1 - g)^m / (S rows): this is
 * -ln(1 - g).
 */
static inline double fr_rowlaw_brought(const struct fr_rowlaw *l, double n)
{
    double x = n / (l->kinds * l->rows), others = l->tables - 1;

    return others > 0 ? log1p(others * x) / others : x;
}

/* Returns the mean of min(k, D). */
static inline double fr_rowlaw_held(const struct fr_rowlaw *l, double n)
{
    double y = fr_rowlaw_brought(l, n), most = fmin(l->k, l->kinds);
    double chance = exp(-l->kinds * y), held = l->k;

    if (l->kinds * y > 700) /* D is hardly random, e^-700 too small */
        return fmin(most, -l->kinds * expm1(-y));
    for (double j = 0; j < l->k && j <= l->kinds; j++) {
        held -= (l->k - j) * chance;
        chance *= (l->kinds - j) / (j + 1) * expm1(y);
    }
    return fmax(0, fmin(held, most));
}

/* Returns the chance that a new key's fingerprint is in one of the tables. */
static inline double fr_rowlaw_false_drop(const void *law, double t)
{
    const struct fr_rowlaw *l = law;
    double held = fr_rowlaw_held(l, fr_rowlaw_distinct(l, t));

    return 1 - pow(1 - held / l->kinds, l->tables);
}

/*
 * On a uniform stream all fingerprints met are equivalent, whatever was evicted
 * and when: a table lacks that of an old key with probability 1 - held / D.
 */
static inline double fr_rowlaw_finite_pass(const void *law, double t,
                                           double gap)
{
    const struct fr_rowlaw *l = law;
    double n = fr_rowlaw_distinct(l, t);
    double met = -l->kinds * expm1(-fr_rowlaw_brought(l, n));

    (void)gap;
    return pow(fmax(0, 1 - fr_rowlaw_held(l, n) / met), l->tables);
}

/*
 * On an endless stream rows are full.  A fingerprint leaves a row and comes
 * back with other keys as a chain of two states, which forgets its start at
 * rate (1 - k/S)^(m - 1) / (k rows).  A key passes when it was stored and then
 * lost in all tables, or when the tables in which it was falsely seen lost it.
 */
static inline double fr_rowlaw_endless_pass(const void *law, double t,
                                            double gap)
{
    const struct fr_rowlaw *l = law;
    double m = l->tables, in = fmin(1, l->k / l->kinds), out = 1 - in;
    double mixed = -expm1(-pow(out, m - 1) * gap / (l->k * l->rows));

    (void)t;
    return fmax(0, pow(out, m) + pow(out * out * mixed, m) -
                       pow(out * (1 - in * mixed), m));
}

#endif
