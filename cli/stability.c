/*
 * stability.c - computes the stable state of a filter
 */
#include "stability.h"

#include <math.h>
#include <stdio.h>

/* A filter, or options of one that is not made yet. */
struct asked {
    const freshet *filter;
    const freshet_options *options;
};

/* Returns the rates for repeats at a gap, or NaN. */
static freshet_rates at_gap(const struct asked *of, double gap)
{
    freshet_workload load = {.size = sizeof load, .gap = (uint64_t)gap};
    freshet_rates rates = {.size = sizeof rates};
    int status = of->filter
                     ? freshet_expect(&rates, of->filter, &load, NULL)
                     : freshet_expect_options(&rates, of->options, &load, NULL);

    if (status < 0)
        rates.stable_fill = rates.false_pass = (double)NAN;
    return rates;
}

/* Returns the first gap in steps of a factor at which one of 1000 repeats
   passes. */
static double first_lost(const struct asked *of, double gap, double step)
{
    while (gap < 1e15 && !(at_gap(of, gap).false_pass >= 1e-3))
        gap *= step;
    return gap;
}

/* Gaps are powers of ten, from the first at which repeats pass.  If most pass
   there already, each gap is twice the one before, from the last at which none
   pass. */
static bool fill(struct stability *s, const struct asked *of)
{
    freshet_rates rates = at_gap(of, 1);
    double step = 10, gap = first_lost(of, 1, step);

    if (isnan(rates.stable_fill))
        return false;
    s->in_use = rates.stable_fill;
    s->after = rates.stable_after;
    if (gap > 1 && at_gap(of, gap).false_pass > 0.5) {
        step = 2;
        gap = first_lost(of, gap / 10, step) / step;
    }
    for (int i = 0; i < STABILITY_GAPS; i++, gap *= step) {
        s->gap[i] = gap;
        s->passes[i] = at_gap(of, gap).false_pass;
    }
    return true;
}

bool stability_of_options(struct stability *s, const freshet_options *options)
{
    return fill(s, &(struct asked){.options = options});
}

bool stability_of_filter(struct stability *s, const freshet *filter)
{
    return fill(s, &(struct asked){.filter = filter});
}

void stability_print(const struct stability *s, const char *heading)
{
    printf("%-13s with %.3g %% of its cells zero; 99 %% of the others are in "
           "use after %.3g records\n",
           heading, 100 * (1 - s->in_use), s->after);
    printf("%-13s passes %.2g of repeats %g records back", "", s->passes[0],
           s->gap[0]);
    for (int i = 1; i < STABILITY_GAPS; i++)
        printf(", %.2g %g back", s->passes[i], s->gap[i]);
    putchar('\n');
}

void stability_json(const struct stability *s, struct json *j)
{
    json_real(j, "stable_zero", 1 - s->in_use);
    json_real(j, "stable_after", s->after);
    json_begin(j, "false_pass_at", '{');
    for (int i = 0; i < STABILITY_GAPS; i++) {
        char gap[24];

        snprintf(gap, sizeof gap, "%.0f", s->gap[i]);
        json_real(j, gap, s->passes[i]);
    }
    json_end(j, '}');
}
