/*
 * plan_rows.c - what each algorithm achieves with given memory, best first
 */
#include "plan_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forgetting.h"
#include "plan_memory.h"
#include "status_line.h"

/* The distances at which these shares of keys are found. */
static const double found_shares[PLAN_FOUND] = {0.99, 0.9, 0.5};

/* ---- Ranking ---------------------------------------------------------- */

/* Returns a rate for comparison: an unknown rate counts as the worst, and all
   rates below 1e-9 are equal. */
static double weight(double rate)
{
    return isnan(rate) ? 2 : fmax(rate, 1e-9);
}

/* Remembering more than the window is no advantage. */
static double reach_of(const struct plan_row *row)
{
    double reach = isnan(row->rates.reach) ? 0 : row->rates.reach;

    return row->window ? fmin(reach, (double)row->window) : reach;
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_rates(const struct plan_row *a, const struct plan_row *b)
{
    double limit = a->wanted * 1.01; /* a planned rate may be rounded up */
    int drops = order(weight(a->rates.false_drop), weight(b->rates.false_drop));
    int passes =
        order(weight(a->rates.false_pass), weight(b->rates.false_pass));

    if (a->prefer == PREFER_KEEP)
        return drops ? drops : passes;
    if (a->prefer == PREFER_NONE && (weight(a->rates.false_drop) > limit) !=
                                        (weight(b->rates.false_drop) > limit))
        return drops;
    return passes;
}

/*
 * Orders the rows: first those within the wanted rate, then by the fewest false
 * passes.  --prefer compares one kind of error before everything else.
 */
static int compare(const void *left, const void *right)
{
    const struct plan_row *a = left, *b = right;
    int by = (a->why_not.text[0] != 0) - (b->why_not.text[0] != 0);

    if (!by)
        by = compare_rates(a, b);
    if (!by)
        by = order(reach_of(b), reach_of(a));
    if (!by)
        by = b->chosen - a->chosen;
    return by ? by : strcmp(a->algorithm->name, b->algorithm->name);
}

/* ---- Filling rows ----------------------------------------------------- */

/* Returns the predicted false passes for the gaps, or NaN. */
static double passes_by_gaps(const freshet_options *o,
                             const struct gap_counts *gaps)
{
    freshet_workload load = {.size = sizeof load,
                             .gaps = gaps->gap,
                             .gap_count = gaps->n};
    freshet_rates rates = {.size = sizeof rates};

    if (gaps->n == 0 || freshet_expect_options(&rates, o, &load, NULL) < 0)
        return (double)NAN;
    return rates.false_pass;
}

static void fill_measured(struct plan_row *row, struct plan_sample *sample,
                          const freshet_options *o)
{
    struct extrapolation *x = &row->sample;
    struct fault why;

    if (row->settles)
        row->by_gaps = passes_by_gaps(o, &sample->gaps);
    status_line_show("measuring %s", row->algorithm->name);
    if (!plan_sample_rates(sample, o, x, &why)) {
        row->why_not = why;
        return;
    }
    row->measured = true;
    row->drop =
        audit_rate_of(error_count_drops(&x->tally), error_count_new(&x->tally));
    row->pass = audit_rate_of(error_count_passes(&x->tally), x->tally.repeats);
    row->rates.false_pass = row->pass.rate;
    if (row->drop.wrong) /* otherwise the prediction is better */
        row->rates.false_drop = row->drop.rate;
}

static void fill(struct plan_row *row, const freshet_options *options,
                 const freshet_workload *load, struct plan_sample *sample)
{
    struct memory_search goal = {*options, load, sample, row->wanted};
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    goal.options.algorithm = row->algorithm->name;
    row->rates = (freshet_rates){.size = sizeof row->rates};
    row->needs = (double)NAN;
    if (freshet_plan(&planned, &goal.options, &err) < 0 ||
        freshet_expect_options(&row->rates, &goal.options, load, &err) < 0) {
        fault_set(&row->why_not, "%s", err.message);
        return;
    }
    row->bytes = planned.bytes;
    for (int i = 0; i < PLAN_FOUND; i++)
        row->found[i] = found_until(&goal.options, found_shares[i]);
    row->settles = stability_of_options(&row->stability, &goal.options);
    row->worst = load->distinct ? worst_passes(&goal.options) : (double)NAN;
    if (sample)
        fill_measured(row, sample, &goal.options);
    /* the search takes too long */
    if (row->why_not.text[0] || (sample && !row->chosen))
        return;
    goal.options.memory = planned.bytes;
    goal.options.params = NULL; /* parameters depend on the memory */
    row->needs = plan_memory_needed(&goal);
}

/* ---- All rows --------------------------------------------------------- */

size_t plan_rows_make(struct plan_row rows[PLAN_ROWS], const struct goal *goal,
                      const freshet_workload *load, int prefer,
                      struct plan_sample *sample)
{
    freshet_options o = goal->options;
    size_t n = 0;

    for (; n < PLAN_ROWS && (rows[n].algorithm = freshet_algorithm_at(n));
         n++) {
        rows[n].chosen =
            strcmp(rows[n].algorithm->name, goal->options.algorithm) == 0;
        o.params = rows[n].chosen ? goal->params : NULL;
        rows[n].prefer = prefer;
        rows[n].window = o.window;
        rows[n].expect = load->distinct != 0;
        rows[n].wanted = o.false_drop_rate > 0 ? o.false_drop_rate : 1e-6;
        fill(&rows[n], &o, load, sample);
    }
    status_line_clear();
    qsort(rows, n, sizeof *rows, compare);
    return n;
}
