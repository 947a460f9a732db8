/*
 * forgetting.c - computes at which distances a filter finds its keys
 */
#include "forgetting.h"

#include <math.h>

static double found_at(const freshet_options *options, double gap)
{
    freshet_workload load = {.size = sizeof load, .gap = (uint64_t)gap};
    freshet_rates rates = {.size = sizeof rates};

    if (freshet_expect_options(&rates, options, &load, NULL) < 0)
        return (double)NAN;
    return 1 - rates.false_pass;
}

double found_until(const freshet_options *options, double share)
{
    double low = 0, high = 1;

    if (isnan(found_at(options, high)))
        return (double)NAN;
    while (found_at(options, high) >= share) {
        low = high;
        high *= 2;
        if (high > 0x1p48)
            return (double)INFINITY;
    }
    while (high - low > 1 && high > low * 1.001) {
        double middle = floor((low + high) / 2);

        if (found_at(options, middle) >= share)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool forgets_gradually(const freshet_options *options, double reach)
{
    return isfinite(reach) && found_at(options, 2 * reach + 1) >= 0.5;
}

double worst_passes(const freshet_options *options)
{
    freshet_workload load = {.size = sizeof load,
                             .distinct = options->expect,
                             .gap = options->expect - 1};
    freshet_rates rates = {.size = sizeof rates};

    if (options->window && load.gap > options->window)
        load.gap = options->window;
    if (freshet_expect_options(&rates, options, &load, NULL) < 0)
        return (double)NAN;
    return fmax(rates.false_pass, 1 - found_at(options, (double)load.gap));
}
