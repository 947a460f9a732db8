/*
 * explain.c - describes a filter before it is made: --explain
 */
#include "explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "duration.h"
#include "forgetting.h"
#include "size.h"
#include "stability.h"

static double wanted_of(const freshet_options *o)
{
    return o->false_drop_rate > 0 ? o->false_drop_rate : 1e-6;
}

/* Rounds up to two digits, but ignores a millionth of the rate. */
static double rounded_up(double rate)
{
    double unit = pow(10, floor(log10(rate)) - 1);

    return ceil(rate / unit - 1e-5) * unit;
}

/* Returns the number of distinct keys that a filter which never forgets holds
   within its rate. */
static double capacity(const freshet_options *o)
{
    double low = 1, high = 0x1p48;

    while (high > low * 1.001) {
        double middle = sqrt(low * high);
        freshet_rates rates = {.size = sizeof rates};
        freshet_workload load = {.size = sizeof load,
                                 .distinct = (uint64_t)middle};

        if (freshet_expect_options(&rates, o, &load, NULL) < 0 ||
            !(rates.false_drop <= wanted_of(o)))
            high = middle;
        else
            low = middle;
    }
    return low;
}

static void print_drops(const freshet_options *o, const freshet_rates *rates)
{
    printf("%-13s ", "false drops");
    if (isinf(rates->reach) && !o->expect)
        printf("%.2g of new records at most, up to %.3g distinct keys\n",
               wanted_of(o), capacity(o));
    else if (rates->drop_bound > 0)
        printf("%.2g of new records at most\n", rounded_up(rates->drop_bound));
    else if (rates->false_drop > 0)
        printf("%.2g of new records, in the long run\n", rates->false_drop);
    else
        puts(isnan(rates->false_drop) ? "not known" : "none");
}

/* On a long stream of equally likely keys all gaps are equally likely. */
static void print_passes(const freshet_options *o, const freshet_rates *rates)
{
    double worst = worst_passes(o);

    printf("%-13s ", "false passes");
    if (isnan(worst) || worst == 0) {
        puts(worst == 0 ? "none" : "not known");
        return;
    }
    printf("%.2g of repeats, if every key is equally likely\n",
           rates->false_pass);
    printf("%-13s %.2g of repeats at worst, if all keys come before one "
           "repeats\n",
           "", rounded_up(worst));
}

static void print_reach(const freshet_options *o, const freshet_rates *rates)
{
    char text[DURATION_TEXT];

    if (o->within)
        printf("%-13s %s, and no more than 1/8 longer\n", "window",
               duration_text(text, o->within));
    if (isnan(rates->reach))
        return;
    printf("%-13s ", "forgets");
    if (isinf(rates->reach))
        puts("never");
    else if (forgets_gradually(o, rates->reach))
        printf("gradually: finds 99 %% of keys %.3g new keys back, 90 %% %.3g "
               "back, 50 %% %.3g back\n",
               found_until(o, 0.99), found_until(o, 0.9), found_until(o, 0.5));
    else
        printf("keys that are more than %.3g new keys back\n", rates->reach);
}

static const char *title_of(const char *name)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        if (strcmp(a->name, name) == 0)
            return a->title;
    return "";
}

int explain(const struct goal *goal)
{
    const freshet_options *o = &goal->options;
    freshet_planned planned = {.size = sizeof planned};
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload load = {.size = sizeof load, .distinct = o->expect};
    struct stability stability;
    freshet_error err;
    char size[SIZE_TEXT];

    if (freshet_plan(&planned, o, &err) < 0 ||
        freshet_expect_options(&rates, o, &load, &err) < 0)
        return cli_fail("%s", err.message);
    printf("%-13s %s, %s\n", "algorithm", planned.algorithm,
           title_of(planned.algorithm));
    printf("%-13s %s\n", "parameters", planned.params);
    printf("%-13s %s\n", "why", goal->reason);
    printf("%-13s %s%s%s\n", "memory", size_text(size, planned.bytes),
           goal->memory_from ? ", by " : "",
           goal->memory_from ? goal->memory_from : "");
    print_drops(o, &rates);
    if (o->expect)
        print_passes(o, &rates);
    print_reach(o, &rates);
    if (stability_of_options(&stability, o))
        stability_print(&stability, "settles");
    return cli_finish();
}
