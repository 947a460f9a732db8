/*
 * plan_rows.h - what each algorithm achieves with given memory, best first
 */
#ifndef PLAN_ROWS_H
#define PLAN_ROWS_H

#include "audit.h"
#include "fault.h"
#include "freshet.h"
#include "goal.h"
#include "plan_sample.h"
#include "stability.h"

enum {
    PLAN_ROWS = 64, /* more than there are algorithms */
    PLAN_FOUND = 3  /* distances: 99, 90 and 50 % of keys are found there */
};

struct plan_row {
    const freshet_algorithm *algorithm;
    freshet_rates rates;
    double worst;             /* false-pass rate; NaN: unknown */
    double found[PLAN_FOUND]; /* in new keys; NaN: unknown */
    bool settles;
    struct stability stability; /* if settles is true */
    double by_gaps; /* predicted false passes for the gaps of the sample */
    uint64_t bytes;
    double needs;  /* bytes needed to reach the goal; NaN: unknown */
    bool measured; /* on a sample, with the results that follow */
    struct audit_rate drop, pass;
    struct extrapolation sample;
    struct fault why_not; /* why the algorithm cannot be used, or empty */
    double wanted;        /* the false-drop rate asked for */
    uint64_t window;
    int prefer;
    bool chosen, expect; /* chosen by the planner; --expect was given */
};

/*
 * Makes a row for each algorithm and sorts them: those within the wanted rate
 * first, then by the fewest false passes; prefer is that of --prefer.  Without
 * a sample, NULL, rates are those of theory.  Returns the number of rows.
 */
size_t plan_rows_make(struct plan_row rows[PLAN_ROWS], const struct goal *goal,
                      const freshet_workload *load, int prefer,
                      struct plan_sample *sample);

#endif
