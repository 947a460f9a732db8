/*
 * explain.c - what a filter would do, for people
 */
#include "explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "duration.h"
#include "size.h"

static double wanted_of(const freshet_options *o)
{
    return o->false_drop_rate > 0 ? o->false_drop_rate : 1e-6;
}

static void print_rate(const char *name, double rate, const char *of)
{
    if (isnan(rate))
        printf("%-13s no theory tells\n", name);
    else if (rate == 0)
        printf("%-13s none\n", name);
    else
        printf("%-13s %.2g of %s\n", name, rate, of);
}

/* Distinct keys that a filter which never forgets holds within its rate. */
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

static void print_reach(const freshet_rates *rates, uint64_t within)
{
    char text[DURATION_TEXT];

    if (within)
        printf("%-13s %s, and no more than 1/8 longer\n", "window",
               duration_text(text, within));
    if (isinf(rates->reach))
        printf("%-13s never\n", "forgets");
    else if (!isnan(rates->reach))
        printf("%-13s what is more than %.3g new keys back\n", "forgets",
               rates->reach);
}

static const char *title_of(const char *name)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        if (strcmp(a->name, name) == 0)
            return a->title;
    return "";
}

int explain(const struct goal *aim)
{
    const freshet_options *o = &aim->options;
    freshet_planned planned = {.size = sizeof planned};
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload load = {.size = sizeof load, .distinct = o->expect};
    freshet_error err;
    char size[SIZE_TEXT];

    if (freshet_plan(&planned, o, &err) < 0 ||
        freshet_expect_options(&rates, o, &load, &err) < 0)
        return cli_fail("%s", err.message);
    printf("%-13s %s, %s\n", "algorithm", planned.algorithm,
           title_of(planned.algorithm));
    printf("%-13s %s\n", "parameters", planned.params);
    printf("%-13s %s\n", "why", aim->reason);
    printf("%-13s %s%s%s\n", "memory", size_text(size, planned.bytes),
           aim->memory_from ? ", by " : "",
           aim->memory_from ? aim->memory_from : "");
    if (isinf(rates.reach) && !o->expect)
        printf("%-13s %.2g of new records up to %.3g distinct keys\n",
               "false drops", wanted_of(o), capacity(o));
    else
        print_rate("false drops", rates.false_drop, "new records at most");
    if (o->expect)
        print_rate("false passes", rates.false_pass, "repeats");
    print_reach(&rates, o->within);
    return cli_finish();
}
