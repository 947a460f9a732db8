/*
 * goal.c - what a user wants of a filter: memory, errors, windows
 */
#include "goal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "duration.h"
#include "size.h"

/* ---- From options to the library's ------------------------------------ */

/* One more "name=value" behind those there are; false: too long. */
static bool add_param(struct goal *aim, const char *text)
{
    size_t used = strlen(aim->params);
    int n = snprintf(aim->params + used, sizeof aim->params - used, "%s%s",
                     used ? "," : "", text);

    return n >= 0 && (size_t)n < sizeof aim->params - used;
}

static bool has_param(const char *algorithm, const char *name)
{
    const freshet_algorithm *a;
    const freshet_parameter *p;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        for (size_t j = 0; (p = freshet_parameter_at(a, j)); j++)
            if (strcmp(a->name, algorithm) == 0 && strcmp(p->name, name) == 0)
                return true;
    return false;
}

/* Keep: full-width fingerprints.  Drop: a filter that never forgets. */
static bool take_preference(struct goal *aim, const struct goal_args *args,
                            struct fault *why)
{
    if (args->prefer == PREFER_NONE)
        return true;
    if (args->algorithm || args->params.n)
        return fault_set(why, "--prefer chooses the algorithm; leave out "
                              "--algorithm and --param");
    if (args->prefer == PREFER_DROP && (args->last || args->within))
        return fault_set(why,
                         "--prefer drop never forgets, and a window forgets; "
                         "leave one of them out");
    aim->options.algorithm = args->prefer == PREFER_KEEP ? "pocket" : "set";
    snprintf(aim->reason, sizeof aim->reason, "%s",
             args->prefer == PREFER_KEEP
                 ? "new records are kept: fingerprints stay at full width"
                 : "repeats are dropped: nothing is ever forgotten");
    if (args->prefer == PREFER_KEEP)
        (void)add_param(aim, "width=64");
    return true;
}

/* Where nobody named an algorithm, what the library would choose. */
static bool take_plan(struct goal *aim, struct fault *why)
{
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    if (freshet_plan(&planned, &aim->options, &err) < 0)
        return fault_set(why, "%s", err.message);
    if (!aim->reason[0])
        memcpy(aim->reason, planned.reason, sizeof aim->reason);
    aim->options.algorithm = planned.algorithm;
    memcpy(aim->params, planned.params, sizeof planned.params);
    return true;
}

/*
 * A window counts from a key's first pass, or an endless repeat would never
 * be seen again; the library's default is the other way.
 */
static bool take_refresh(struct goal *aim, const struct goal_args *args,
                         struct fault *why)
{
    bool window = args->last || args->within, said = false;

    if (args->refresh && !window)
        return fault_set(why, "--refresh needs a window: --last or --within");
    if (args->refresh && !has_param(aim->options.algorithm, "refresh"))
        return fault_set(why, "%s cannot --refresh; pocket can",
                         aim->options.algorithm);
    for (size_t i = 0; i < args->params.n; i++)
        said |= strncmp(args->params.text[i], "refresh=", 8) == 0;
    if (!window || said || !has_param(aim->options.algorithm, "refresh"))
        return true;
    (void)add_param(aim, args->refresh ? "refresh=1" : "refresh=0");
    return take_plan(aim, why); /* so that params say it once */
}

bool goal_take(struct goal *aim, const struct goal_args *args,
               struct fault *why)
{
    *aim = (struct goal){.options = {.size = sizeof aim->options,
                                     .algorithm = args->algorithm,
                                     .params = aim->params,
                                     .memory = args->memory,
                                     .false_drop_rate = args->error,
                                     .expect = args->expect,
                                     .window = args->last,
                                     .within = args->within,
                                     .seed = args->seed},
                         .memory_from = args->memory_from};
    if (args->last && args->within)
        return fault_set(why,
                         "--last and --within are two windows; choose one");
    for (size_t i = 0; i < args->params.n; i++)
        if (!add_param(aim, args->params.text[i]))
            return fault_set(why, "--param: too long");
    return take_preference(aim, args, why) && take_plan(aim, why) &&
           take_refresh(aim, args, why);
}

/* ---- Explaining ------------------------------------------------------- */

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

int goal_explain(const struct goal *aim)
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
