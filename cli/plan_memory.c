/*
 * plan_memory.c - the least memory with which an algorithm reaches a goal
 */
#include "plan_memory.h"

#include <math.h>

#include "audit.h"

#define PASSES_WANTED 1e-3 /* the definition of reach */

static bool reached_in_theory(const struct memory_search *g)
{
    freshet_rates r = {.size = sizeof r};

    return freshet_expect_options(&r, &g->options, g->load, NULL) == 0 &&
           r.false_drop <= g->wanted * 1.01 &&
           r.false_pass <= PASSES_WANTED * 1.01;
}

/* False drops may be too rare to be counted: the goal is missed only if too
   many are counted. */
static bool reached_on_sample(const struct memory_search *g)
{
    struct extrapolation x;
    struct fault why;
    struct audit_rate drop, pass;

    if (!plan_sample_rates(g->sample, &g->options, &x, &why))
        return false;
    drop =
        audit_rate_of(error_count_drops(&x.tally), error_count_new(&x.tally));
    pass = audit_rate_of(error_count_passes(&x.tally), x.tally.repeats);
    return drop.low <= g->wanted * 1.01 && !(pass.rate > PASSES_WANTED);
}

static bool is_reached(struct memory_search *g, double memory)
{
    g->options.memory = (uint64_t)memory;
    return g->sample ? reached_on_sample(g) : reached_in_theory(g);
}

double plan_memory_needed(struct memory_search *g)
{
    double here = (double)g->options.memory, close = g->sample ? 1.1 : 1.03;
    double low = here, high = here;

    if (is_reached(g, here))
        low = fmax(2048, here / 0x1p20);
    else
        high = here * 0x1p20;
    if (high > here && !is_reached(g, high))
        return (double)NAN;
    while (high > low * close) {
        double middle = sqrt(low * high);

        if (is_reached(g, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}
