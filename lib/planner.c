/*
 * planner.c - chooses algorithm and parameters when the user names none
 *
 * Two filters are worth choosing from.  set never forgets: it is best when the
 * number of distinct keys is known and they fit into the memory.  pocket
 * forgets the oldest keys: it is best for everything else.  The other
 * algorithms exist to be compared with.
 *
 * The planner has no formulas of its own.  It calls freshet_expect_options()
 * for each candidate and chooses the best.
 */
#include "planner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the rates to expect of an algorithm with these parameters and
   options. */
static freshet_rates rates_of(const freshet_options *options,
                              const char *algorithm, const char *params,
                              uint64_t records)
{
    freshet_options o = *options;
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload w = {.size = sizeof w,
                          .distinct = options->expect,
                          .records = records};

    o.algorithm = algorithm;
    o.params = params;
    if (freshet_expect_options(&rates, &o, &w, NULL) < 0)
        rates.false_drop = rates.false_pass = 1; /* does not fit: the worst */
    return rates;
}

static void choose(freshet_options *o, char *params, const char *algorithm,
                   const char *chosen)
{
    snprintf(params, FR_PLANNED_PARAMS, "%s", chosen);
    o->algorithm = algorithm;
    o->params = params;
}

/*
 * Chooses the fewest errors of both kinds, on a stream with each key eight
 * times.  From one candidate of a family to the next false passes grow and
 * false drops fall: when false passes alone are too many, so are those of the
 * rest.
 */
static void choose_fewest(freshet_options *o, char *params, char *reason)
{
    static const struct {
        const char *algorithm, *parameter;
        int from, to;
    } family[] = {{"set", "k", 1, 16}, {"pocket", "width", 8, 26}};
    double least = (double)INFINITY;

    for (size_t i = 0; i < sizeof family / sizeof *family; i++)
        for (int v = family[i].from; v <= family[i].to; v++) {
            char candidate[32];
            freshet_rates r;

            snprintf(candidate, sizeof candidate, "%s=%d", family[i].parameter,
                     v);
            r = rates_of(o, family[i].algorithm, candidate, 8 * o->expect);
            if (r.false_pass >= least)
                break;
            if (r.false_drop + r.false_pass >= least)
                continue;
            least = r.false_drop + r.false_pass;
            choose(o, params, family[i].algorithm, candidate);
            snprintf(reason, FR_REASON,
                     "fewest errors for %llu distinct keys in this memory: "
                     "false drops %.2g, false passes %.2g",
                     (unsigned long long)o->expect, r.false_drop, r.false_pass);
        }
}

/* Stays within the false-drop rate asked for, and never forgets if that is
   possible. */
static void choose_for_keys(freshet_options *o, char *params, char *reason)
{
    freshet_rates set = rates_of(o, "set", "", 0);
    freshet_rates pocket = rates_of(o, "pocket", "", 0);
    unsigned long long keys = o->expect;

    if (set.false_drop <= o->false_drop_rate) {
        choose(o, params, "set", "");
        snprintf(reason, FR_REASON,
                 "%llu distinct keys fit within the wanted rate of false "
                 "drops, and none is ever forgotten",
                 keys);
        return;
    }
    choose(o, params, "pocket", "");
    if (pocket.reach >= (double)keys)
        snprintf(reason, FR_REASON, "%llu distinct keys fit", keys);
    else
        snprintf(reason, FR_REASON,
                 "memory is short: of %llu distinct keys the last %.3g are "
                 "remembered; all would need about %.3g bytes",
                 keys, pocket.reach,
                 (double)o->memory * (double)keys / pocket.reach);
}

static void choose_for_window(freshet_options *o, char *params, char *reason)
{
    freshet_rates r = rates_of(o, "pocket", "", 0);

    choose(o, params, "pocket", "");
    if (o->within)
        snprintf(reason, FR_REASON,
                 "a window of time, as long as no more than %.3g new keys "
                 "come in it",
                 r.reach);
    else if (r.reach >= (double)o->window)
        snprintf(reason, FR_REASON, "memory holds the last %llu record%s",
                 (unsigned long long)o->window, o->window == 1 ? "" : "s");
    else
        snprintf(reason, FR_REASON,
                 "memory is short: of a window of %llu records the last %.3g "
                 "are remembered; all would need about %.3g bytes",
                 (unsigned long long)o->window, r.reach,
                 (double)o->memory * (double)o->window / r.reach);
}

int fr_choose(freshet_options *o, char params[FR_PLANNED_PARAMS],
              char reason[FR_REASON], freshet_error *err)
{
    if (o->params && *o->params)
        return fr_fail(err, FRESHET_ERR_PARAMETER,
                       "parameters belong to an algorithm: name one to set "
                       "%.60s",
                       o->params);
    if (o->goal == FRESHET_GOAL_FEWEST && (o->window || o->within))
        return fr_fail(err, FRESHET_ERR_ARGUMENT,
                       "fewest errors are planned for a known number of keys, "
                       "not for a window");
    if (o->goal == FRESHET_GOAL_FEWEST && !o->expect)
        return fr_fail(err, FRESHET_ERR_ARGUMENT,
                       "for the fewest errors, say how many distinct keys to "
                       "expect");
    choose(o, params, "pocket", "");
    if (o->window || o->within)
        choose_for_window(o, params, reason);
    else if (o->goal == FRESHET_GOAL_FEWEST)
        choose_fewest(o, params, reason);
    else if (o->expect)
        choose_for_keys(o, params, reason);
    else
        snprintf(reason, FR_REASON,
                 "remembers as much as memory holds, about the last %.3g keys",
                 rates_of(o, "pocket", "", 0).reach);
    return FRESHET_OK;
}
