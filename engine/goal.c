/*
 * goal.c - from a user's options to options of the library: memory, errors,
 * windows
 */
#include "goal.h"

#include <stdio.h>
#include <string.h>

/* Appends "name=value" to the parameters.  Returns false if they are too
   long. */
static bool add_param(struct goal *goal, const char *text)
{
    size_t used = strlen(goal->params);
    int n = snprintf(goal->params + used, sizeof goal->params - used, "%s%s",
                     used ? "," : "", text);

    return n >= 0 && (size_t)n < sizeof goal->params - used;
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

/* keep: fingerprints of full width.  drop: a filter that never forgets. */
static bool apply_preference(struct goal *goal, const struct goal_args *args,
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
    goal->options.algorithm = args->prefer == PREFER_KEEP ? "pocket" : "set";
    snprintf(goal->reason, sizeof goal->reason, "%s",
             args->prefer == PREFER_KEEP
                 ? "new records are kept: fingerprints stay at full width"
                 : "repeats are dropped: nothing is ever forgotten");
    if (args->prefer == PREFER_KEEP)
        (void)add_param(goal, "width=64");
    return true;
}

/* Sets the algorithm that the library would choose, unless one is named. */
static bool apply_plan(struct goal *goal, struct fault *why)
{
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    if (freshet_plan(&planned, &goal->options, &err) < 0)
        return fault_set(why, "%s", err.message);
    if (!goal->reason[0])
        memcpy(goal->reason, planned.reason, sizeof goal->reason);
    goal->options.algorithm = planned.algorithm;
    memcpy(goal->params, planned.params, sizeof planned.params);
    return true;
}

/*
 * A window begins at a key's first pass, since otherwise a key that repeats
 * without end would never pass again; the library's default is the opposite.
 */
static bool apply_refresh(struct goal *goal, const struct goal_args *args,
                          struct fault *why)
{
    bool window = args->last || args->within, said = false;

    if (args->refresh && !window)
        return fault_set(why, "--refresh needs a window: --last or --within");
    if (args->refresh && !has_param(goal->options.algorithm, "refresh"))
        return fault_set(why, "%s does not support --refresh; use pocket",
                         goal->options.algorithm);
    for (size_t i = 0; i < args->params.n; i++)
        said |= strncmp(args->params.text[i], "refresh=", 8) == 0;
    if (!window || said || !has_param(goal->options.algorithm, "refresh"))
        return true;
    (void)add_param(goal, args->refresh ? "refresh=1" : "refresh=0");
    return apply_plan(goal, why); /* so that params has it once */
}

bool goal_from_args(struct goal *goal, const struct goal_args *args,
                    struct fault *why)
{
    *goal = (struct goal){.options = {.size = sizeof goal->options,
                                      .algorithm = args->algorithm,
                                      .params = goal->params,
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
                         "--last and --within exclude each other; choose one");
    for (size_t i = 0; i < args->params.n; i++)
        if (!add_param(goal, args->params.text[i]))
            return fault_set(why, "--param: the parameters are too long");
    return apply_preference(goal, args, why) && apply_plan(goal, why) &&
           apply_refresh(goal, args, why);
}
