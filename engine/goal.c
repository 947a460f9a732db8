/*
 * goal.c - what a user wants of a filter: memory, errors, windows
 */
#include "goal.h"

#include <stdio.h>
#include <string.h>

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
        return fault_set(why, "%s has no --refresh; pocket has",
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
                                     .seed = args->seed,
                                     .hash = args->hash},
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
