/*
 * math_tables.c - fast logarithm and exponential by tables
 */
#include "math_tables.h"

static double middle(uint64_t i)
{
    uint64_t bits = REAL_ROOT + (i << 43) + (UINT64_C(1) << 42);
    double m;

    memcpy(&m, &bits, sizeof m);
    return m;
}

void tables_fill(struct tables *t)
{
    for (size_t i = 0; i < TABLES_LOG; i++) {
        t->cell[i].inverse = 1 / middle(i);
        t->cell[i].log = -real_log(t->cell[i].inverse);
    }
    for (size_t i = 0; i < TABLES_EXP; i++) {
        double power = real_exp((double)i * (REAL_LN2 / TABLES_EXP));

        memcpy(&t->power[i], &power, sizeof power);
    }
}
