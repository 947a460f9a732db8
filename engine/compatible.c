/*
 * compatible.c - do options agree with a filter that is there?
 */
#include "compatible.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "duration.h"
#include "size.h"

__attribute__((format(printf, 3, 4))) static int contradiction(
    const struct compatible *s, const char *theirs, const char *format, ...)
{
    char ours[128];
    va_list ap;

    va_start(ap, format);
    vsnprintf(ours, sizeof ours, format, ap);
    va_end(ap);
    return cli_fail("%s: %s contradicts the %s, which has %s; leave it out, or "
                    "take another %s",
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
                             .seed = info->seed};
}

/* A parameter is the same if setting it once more changes nothing. */
static int check_param(const struct compatible *s, const char *option,
                       const char *text)
{
    freshet_options o = compatible_options(&s->info);
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;
    char params[512];

    snprintf(params, sizeof params, "%s,%s", s->info.params, text);
    o.params = params;
    if (freshet_plan(&planned, &o, &err) < 0)
        return cli_fail("%s: %s", s->name, err.message);
    if (strcmp(planned.params, s->info.params) != 0)
        return contradiction(s, s->info.params, "%s", option);
    return CLI_GO;
}

static int check_algorithm(const struct compatible *s, const char *option,
                           const char *name)
{
    if (!name || strcmp(name, "auto") == 0 ||
        strcmp(name, s->info.algorithm) == 0)
        return CLI_GO;
    return contradiction(s, s->info.algorithm, "%s %s", option, name);
}

/* So much memory would have made a filter of another size. */
static int check_memory(const struct compatible *s, uint64_t memory)
{
    freshet_options o = compatible_options(&s->info);
    freshet_planned planned = {.size = sizeof planned};
    char ours[SIZE_TEXT], theirs[SIZE_TEXT];

    if (!memory)
        return CLI_GO;
    o.memory = memory;
    if (freshet_plan(&planned, &o, NULL) == 0 &&
        planned.bytes == s->info.memory)
        return CLI_GO;
    return contradiction(s, size_text(theirs, s->filters * s->info.memory),
                         "--memory %s", size_text(ours, s->filters * memory));
}

static int check_count(const struct compatible *s, const char *option,
                       uint64_t ours, uint64_t theirs)
{
    char text[32];

    if (!ours || ours == theirs)
        return CLI_GO;
    snprintf(text, sizeof text, "%" PRIu64, theirs);
    return contradiction(s, theirs ? text : "none", "%s %" PRIu64, option,
                         ours);
}

static int check_within(const struct compatible *s, uint64_t ours)
{
    char a[DURATION_TEXT], b[DURATION_TEXT] = "none";

    if (!ours || ours == s->info.within)
        return CLI_GO;
    return contradiction(s, duration_text(b, s->info.within), "--within %s",
                         duration_text(a, ours));
}

/* A server tells it in six digits. */
static int check_error(const struct compatible *s, double ours)
{
    char text[32];

    if (ours <= 0 || fabs(ours - s->info.wanted) <= 1e-5 * ours)
        return CLI_GO;
    snprintf(text, sizeof text, "%g", s->info.wanted);
    return contradiction(s, text, "--error %g", ours);
}

static int check_preference(const struct compatible *s, int prefer)
{
    int status;

    if (prefer == PREFER_NONE)
        return CLI_GO;
    if (prefer == PREFER_DROP)
        return check_algorithm(s, "--prefer drop, by", "set");
    status = check_algorithm(s, "--prefer keep, by", "pocket");
    return status == CLI_GO ? check_param(s, "--prefer keep", "width=64")
                            : status;
}

static int check_refresh(const struct compatible *s, bool refresh)
{
    if (!refresh)
        return CLI_GO;
    if (!s->info.window && !s->info.within)
        return contradiction(s, "no window", "--refresh");
    return check_param(s, "--refresh", "refresh=1");
}

static int check_params(const struct compatible *s,
                        const struct option_texts *params)
{
    int status = CLI_GO;

    for (size_t i = 0; status == CLI_GO && i < params->n; i++) {
        char option[80];

        snprintf(option, sizeof option, "--param %s", params->text[i]);
        status = check_param(s, option, params->text[i]);
    }
    return status;
}

int compatible_check(const struct compatible *s, const struct goal_args *args)
{
    int status = check_algorithm(s, "--algorithm", args->algorithm);

    if (status == CLI_GO)
        status = check_preference(s, args->prefer);
    if (status == CLI_GO)
        status = check_memory(s, args->memory);
    if (status == CLI_GO)
        status = check_error(s, args->error);
    if (status == CLI_GO)
        status = check_count(s, "--expect", args->expect, s->info.expect);
    if (status == CLI_GO)
        status = check_count(s, "--last", args->last, s->info.window);
    if (status == CLI_GO)
        status = check_within(s, args->within);
    if (status == CLI_GO)
        status = check_count(s, "--seed", args->seed, s->info.seed);
    if (status == CLI_GO)
        status = check_refresh(s, args->refresh);
    return status == CLI_GO ? check_params(s, &args->params) : status;
}
