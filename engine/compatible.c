/*
 * compatible.c - checks options against a filter that exists
 */
#include "compatible.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "duration.h"
#include "size.h"

__attribute__((format(printf, 4, 5))) static bool contradiction(
    const struct compatible *s, struct fault *why, const char *theirs,
    const char *format, ...)
{
    char ours[128];
    va_list ap;

    va_start(ap, format);
    vsnprintf(ours, sizeof ours, format, ap);
    va_end(ap);
    return fault_set(why,
                     "%s: %s contradicts the %s, which has %s; leave it out, "
                     "or use another %s",
                     s->name, ours, s->what, theirs, s->instead);
}

freshet_options compatible_options(const freshet_info *info)
{
    return (freshet_options){.size = sizeof(freshet_options),
                             .algorithm = info->algorithm,
                             .params = info->params,
                             .memory = info->memory,
                             .false_drop_rate = info->wanted,
                             .expect = info->expect,
                             .window = info->window,
                             .within = info->within,
                             .seed = info->seed,
                             .hash = info->hash};
}

/* A parameter agrees if setting it again changes nothing. */
static bool check_param(const struct compatible *s, struct fault *why,
                        const char *option, const char *text)
{
    freshet_options o = compatible_options(&s->info);
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;
    char params[512];

    snprintf(params, sizeof params, "%s,%s", s->info.params, text);
    o.params = params;
    if (freshet_plan(&planned, &o, &err) < 0)
        return fault_set(why, "%s: %s", s->name, err.message);
    if (strcmp(planned.params, s->info.params) != 0)
        return contradiction(s, why, s->info.params, "%s", option);
    return true;
}

static bool check_algorithm(const struct compatible *s, struct fault *why,
                            const char *option, const char *name)
{
    if (!name || strcmp(name, "auto") == 0 ||
        strcmp(name, s->info.algorithm) == 0)
        return true;
    return contradiction(s, why, s->info.algorithm, "%s %s", option, name);
}

/* Refuses a --memory that would have made a filter of another size. */
static bool check_memory(const struct compatible *s, struct fault *why,
                         uint64_t memory)
{
    freshet_options o = compatible_options(&s->info);
    freshet_planned planned = {.size = sizeof planned};
    char ours[SIZE_TEXT], theirs[SIZE_TEXT];

    if (!memory)
        return true;
    o.memory = memory;
    if (freshet_plan(&planned, &o, NULL) == 0 &&
        planned.bytes == s->info.memory)
        return true;
    return contradiction(s, why, size_text(theirs, s->filters * s->info.memory),
                         "--memory %s", size_text(ours, s->filters * memory));
}

static bool check_count(const struct compatible *s, struct fault *why,
                        const char *option, uint64_t ours, uint64_t theirs)
{
    char text[32];

    if (!ours || ours == theirs)
        return true;
    snprintf(text, sizeof text, "%" PRIu64, theirs);
    return contradiction(s, why, theirs ? text : "none", "%s %" PRIu64, option,
                         ours);
}

static bool check_within(const struct compatible *s, struct fault *why,
                         uint64_t ours)
{
    char a[DURATION_TEXT], b[DURATION_TEXT] = "none";

    if (!ours || ours == s->info.within)
        return true;
    return contradiction(s, why, duration_text(b, s->info.within),
                         "--within %s", duration_text(a, ours));
}

/* A filter stores the rate in units of 2^-64; a server reports six digits. */
static bool check_error(const struct compatible *s, struct fault *why,
                        double ours)
{
    char text[32];

    if (ours <= 0 || fabs(ours - s->info.wanted) <= 1e-5 * ours + 0x1p-64)
        return true;
    snprintf(text, sizeof text, "%g", s->info.wanted);
    return contradiction(s, why, text, "--error %g", ours);
}

static bool check_preference(const struct compatible *s, struct fault *why,
                             int prefer)
{
    const char *algorithm = prefer == PREFER_DROP ? "set" : "pocket";

    if (prefer == PREFER_NONE)
        return true;
    if (strcmp(s->info.algorithm, algorithm) != 0)
        return contradiction(s, why, s->info.algorithm,
                             "--prefer %s, which chooses %s,",
                             prefer == PREFER_DROP ? "drop" : "keep",
                             algorithm);
    return prefer == PREFER_DROP ||
           check_param(s, why, "--prefer keep", "width=64");
}

static bool check_refresh(const struct compatible *s, struct fault *why,
                          bool refresh)
{
    if (!refresh)
        return true;
    if (!s->info.window && !s->info.within)
        return contradiction(s, why, "no window", "--refresh");
    return check_param(s, why, "--refresh", "refresh=1");
}

static bool check_params(const struct compatible *s, struct fault *why,
                         const struct option_texts *params)
{
    for (size_t i = 0; i < params->n; i++) {
        char option[80];

        snprintf(option, sizeof option, "--param %s", params->text[i]);
        if (!check_param(s, why, option, params->text[i]))
            return false;
    }
    return true;
}

static bool check_hash(const struct compatible *s, struct fault *why,
                       const char *hash)
{
    if (!hash || strcmp(hash, s->info.hash) == 0)
        return true;
    return contradiction(s, why, s->info.hash, "--hash %s", hash);
}

bool compatible_check(const struct compatible *s, const struct goal_args *args,
                      struct fault *why)
{
    return check_algorithm(s, why, "--algorithm", args->algorithm) &&
           check_preference(s, why, args->prefer) &&
           check_memory(s, why, args->memory) &&
           check_error(s, why, args->error) &&
           check_count(s, why, "--expect", args->expect, s->info.expect) &&
           check_count(s, why, "--last", args->last, s->info.window) &&
           check_within(s, why, args->within) &&
           check_count(s, why, "--seed", args->seed, s->info.seed) &&
           check_hash(s, why, args->hash) &&
           check_refresh(s, why, args->refresh) &&
           check_params(s, why, &args->params);
}
