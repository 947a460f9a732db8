/*
 * math_tables.h - fast logarithm and exponential by tables
 *
 * The tables are computed by exact_math.h when a stream starts and used with
 * the same exact operations, so that results have the same bits on every
 * machine.  The error is about 1e-15, absolute for a logarithm, relative for an
 * exponential.
 */
#ifndef GEN_TABLES_H
#define GEN_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "exact_math.h"

enum { TABLES_LOG = 512, TABLES_EXP = 1024 };

struct tables {
    struct {
        double inverse, log;
    } cell[TABLES_LOG]; /* sqrt(1/2) to sqrt(2); values of the middles */
    uint64_t power[TABLES_EXP]; /* the bits of 2^(i / TABLES_EXP) */
};

void tables_fill(struct tables *t);

/* Returns the cell of m, which is between sqrt(1/2) and sqrt(2), by its first
   bits. */
static inline size_t tables_cell(double m)
{
    uint64_t bits;

    memcpy(&bits, &m, sizeof bits);
    return (bits - REAL_ROOT) >> 43;
}

/* Returns ln x, for normal x above 0: the value of the cell and a series around
   its middle. */
static inline double tables_log(const struct tables *t, double x)
{
    int e;
    double m = real_split(x, &e);
    size_t i = tables_cell(m);
    double r = m * t->cell[i].inverse - 1, s = r * r; /* r is below 2^-10 */

    return e * REAL_LN2 + t->cell[i].log +
           (r - s * ((1.0 / 2 - r * (1.0 / 3)) + s * (1.0 / 4)));
}

/*
 * Returns e^x, for |x| below 700: the nearest power and a series.  The sum with
 * 1.5 2^52 rounds to an integer in its last bits: the index of the nearest
 * power.
 */
static inline double tables_exp(const struct tables *t, double x)
{
    double whole = x * (TABLES_EXP / REAL_LN2) + 0x1.8p52, power, r;
    uint64_t bits;

    memcpy(&bits, &whole, sizeof bits);
    whole -= 0x1.8p52;
    r = x - whole * (REAL_LN2_HIGH / TABLES_EXP);
    r -= whole * (REAL_LN2_LOW / TABLES_EXP); /* below 2^-11 */
    bits = t->power[bits % TABLES_EXP] + (bits / TABLES_EXP << 52);
    memcpy(&power, &bits, sizeof power);
    return power + power * (r + r * r * (1.0 / 2 + r * (1.0 / 6)));
}

#endif
