/*
 * state.c - a filter that outlives the run: --state
 */
#include "state.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "duration.h"
#include "signals.h"
#include "size.h"

/* ---- What contradicts ------------------------------------------------- */

struct saved {
    const char *path;
    freshet_info info;
};

__attribute__((format(printf, 3, 4))) static int contradiction(
    const struct saved *s, const char *theirs, const char *format, ...)
{
    char ours[128];
    va_list ap;

    va_start(ap, format);
    vsnprintf(ours, sizeof ours, format, ap);
    va_end(ap);
    return cli_fail("%s: %s contradicts the saved filter, which has %s; leave "
                    "it out, or take another file",
                    s->path, ours, theirs);
}

static freshet_options options_of(const freshet_info *info)
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
static int check_param(const struct saved *s, const char *option,
                       const char *text)
{
    freshet_options o = options_of(&s->info);
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;
    char params[512];

    snprintf(params, sizeof params, "%s,%s", s->info.params, text);
    o.params = params;
    if (freshet_plan(&planned, &o, &err) < 0)
        return cli_fail("%s: %s", s->path, err.message);
    if (strcmp(planned.params, s->info.params) != 0)
        return contradiction(s, s->info.params, "%s", option);
    return CLI_GO;
}

static int check_algorithm(const struct saved *s, const char *option,
                           const char *name)
{
    if (!name || strcmp(name, "auto") == 0 ||
        strcmp(name, s->info.algorithm) == 0)
        return CLI_GO;
    return contradiction(s, s->info.algorithm, "%s %s", option, name);
}

/* So much memory would have made a filter of another size. */
static int check_memory(const struct saved *s, uint64_t memory)
{
    freshet_options o = options_of(&s->info);
    freshet_planned planned = {.size = sizeof planned};
    char ours[SIZE_TEXT], theirs[SIZE_TEXT];

    if (!memory)
        return CLI_GO;
    o.memory = memory;
    if (freshet_plan(&planned, &o, NULL) == 0 &&
        planned.bytes == s->info.memory)
        return CLI_GO;
    return contradiction(s, size_text(theirs, s->info.memory), "--memory %s",
                         size_text(ours, memory));
}

static int check_count(const struct saved *s, const char *option, uint64_t ours,
                       uint64_t theirs)
{
    char text[32];

    if (!ours || ours == theirs)
        return CLI_GO;
    snprintf(text, sizeof text, "%" PRIu64, theirs);
    return contradiction(s, theirs ? text : "none", "%s %" PRIu64, option,
                         ours);
}

static int check_within(const struct saved *s, uint64_t ours)
{
    char a[DURATION_TEXT], b[DURATION_TEXT] = "none";

    if (!ours || ours == s->info.within)
        return CLI_GO;
    return contradiction(s, duration_text(b, s->info.within), "--within %s",
                         duration_text(a, ours));
}

static int check_error(const struct saved *s, double ours)
{
    char text[32];

    if (ours <= 0 || fabs(ours - s->info.wanted) <= 1e-9 * ours)
        return CLI_GO;
    snprintf(text, sizeof text, "%g", s->info.wanted);
    return contradiction(s, text, "--error %g", ours);
}

static int check_preference(const struct saved *s, int prefer)
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

static int check_refresh(const struct saved *s, bool refresh)
{
    if (!refresh)
        return CLI_GO;
    if (!s->info.window && !s->info.within)
        return contradiction(s, "no window", "--refresh");
    return check_param(s, "--refresh", "refresh=1");
}

static int check_params(const struct saved *s, const struct cli_texts *params)
{
    int status = CLI_GO;

    for (size_t i = 0; status == CLI_GO && i < params->n; i++) {
        char option[80];

        snprintf(option, sizeof option, "--param %s", params->text[i]);
        status = check_param(s, option, params->text[i]);
    }
    return status;
}

static int check_args(const struct saved *s, const struct aim_args *args)
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

/* Named by what is at odds: theirs, then ours. */
int state_check_notes(const struct state *s)
{
    static const char *const odds[NOTE_KINDS] = {
        [NOTE_KEYS] = "was saved by a run that compared",
        [NOTE_RECORDS] = "was saved by a run whose records ended with",
        [NOTE_CLOCK] = "was saved by a run with times of",
    };

    for (int i = 0; i < NOTE_KINDS; i++) {
        struct view theirs = notes_line(&s->snapshot.notes, (enum note)i);
        struct view ours = notes_line(&s->notes, (enum note)i);

        if (theirs.at && (theirs.len != ours.len ||
                          memcmp(theirs.at, ours.at, ours.len) != 0))
            return cli_fail("%s: %s '%.*s', not '%.*s'; give the same "
                            "options, or take another file",
                            s->path, odds[i], (int)theirs.len, theirs.at,
                            (int)ours.len, ours.at ? ours.at : "");
    }
    return CLI_GO;
}

/* ---- Opening ---------------------------------------------------------- */

int state_open(struct state *s, const struct aim_args *args)
{
    struct saved saved = {s->path, {.size = sizeof(freshet_info)}};
    freshet_error err;
    int status;

    if (!s->path)
        return CLI_GO;
    if (!s->read_only) {
        s->lock = snapshot_lock(s->path, &err);
        if (s->lock < 0)
            return cli_fail("%s: %s", s->path, err.message);
    }
    status = snapshot_load(&s->snapshot, s->path, &err);
    if (status < 0)
        return cli_fail("%s: %s", s->path, err.message);
    if (status == SNAPSHOT_NONE)
        return s->read_only ? cli_fail("%s: %s; --read-only needs a saved "
                                       "filter",
                                       s->path, strerror(ENOENT))
                            : CLI_GO;
    freshet_get_info(s->snapshot.filter, &saved.info);
    return check_args(&saved, args);
}

void state_aim(const struct state *s, struct aim *aim)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(s->snapshot.filter, &info);
    *aim = (struct aim){.options = options_of(&info)};
    memcpy(aim->params, info.params, sizeof info.params);
    aim->options.params = aim->params;
    snprintf(aim->reason, sizeof aim->reason, "it was saved so");
}

void state_close(struct state *s)
{
    snapshot_free(&s->snapshot);
    if (s->path)
        snapshot_unlock(s->path, s->lock);
    s->lock = -1;
}

/* ---- Saving ----------------------------------------------------------- */

void state_hold(struct state *s, const freshet *filter, const freshet *repeated)
{
    s->parts =
        (struct snapshot_parts){filter,
                                repeated ? repeated : s->snapshot.repeated,
                                &s->notes};
}

static int save(const struct state *s)
{
    freshet_error err;

    if (snapshot_save(&s->parts, s->path, &err) < 0)
        return cli_fail("%s: %s", s->path, err.message);
    return CLI_OK;
}

int state_save(struct state *s)
{
    int before = state_reap(s, true), now = save(s);

    return now == CLI_OK ? before : now;
}

int state_checkpoint(struct state *s)
{
    if (s->child)
        return CLI_OK;
    s->child = fork();
    if (s->child < 0) {
        s->child = 0;
        return cli_fail("%s: no checkpoint: %s", s->path, strerror(errno));
    }
    if (s->child == 0) {
        signals_ignore();
        _exit(save(s));
    }
    return CLI_OK;
}

int state_reap(struct state *s, bool wait)
{
    int status = 0;
    pid_t ended;

    if (!s->child)
        return CLI_OK;
    do
        ended = waitpid(s->child, &status, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return CLI_OK;
    s->child = 0;
    if (ended > 0 && WIFSIGNALED(status))
        return cli_fail("%s: the checkpoint was killed by signal %d", s->path,
                        WTERMSIG(status));
    return ended > 0 && WEXITSTATUS(status) == 0 ? CLI_OK : CLI_TROUBLE;
}
