/*
 * state.c - a filter that outlives the run: --state
 */
#include "state.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "compatible.h"
#include "signals.h"

/* Named by what is at odds: theirs, then ours. */
int state_check_notes(const struct state *s)
{
    static const char *const odds[NOTE_KINDS] = {
        [NOTE_KEYS] = "was saved by a run that compared",
        [NOTE_RECORDS] = "was saved by a run whose records ended with",
        [NOTE_CLOCK] = "was saved by a run with times of",
    };
    unsigned theirs_by = key_note_rules(&s->snapshot.notes);
    unsigned ours_by = key_note_rules(&s->notes);

    for (int i = 0; i < NOTE_KINDS; i++) {
        struct view theirs = key_note_line(&s->snapshot.notes, (enum note)i);
        struct view ours = key_note_line(&s->notes, (enum note)i);

        if (odds[i] && theirs.at &&
            (theirs.len != ours.len ||
             memcmp(theirs.at, ours.at, ours.len) != 0))
            return cli_fail("%s: %s '%.*s', not '%.*s'; give the same "
                            "options, or take another file",
                            s->path, odds[i], (int)theirs.len, theirs.at,
                            (int)ours.len, ours.at ? ours.at : "");
    }
    if (theirs_by && theirs_by != ours_by)
        return cli_fail("%s: was saved by %s freshet, which compared such "
                        "values by other rules; take another file",
                        s->path, theirs_by < ours_by ? "an older" : "a newer");
    return CLI_GO;
}

/* ---- Opening ---------------------------------------------------------- */

int state_open(struct state *s, const struct goal_args *args, unsigned filters)
{
    struct compatible saved = {.name = s->path,
                               .what = "saved filter",
                               .instead = "file",
                               .filters = filters,
                               .info.size = sizeof(freshet_info)};
    freshet_error err;
    struct fault why;
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
    return compatible_check(&saved, args, &why) ? CLI_GO
                                                : cli_fail("%s", why.text);
}

void state_aim(const struct state *s, struct goal *aim)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(s->snapshot.filter, &info);
    *aim = (struct goal){.options = compatible_options(&info)};
    memcpy(aim->params, info.params, sizeof info.params);
    aim->options.params = aim->params;
    snprintf(aim->reason, sizeof aim->reason, "it was saved so");
}

bool state_clock(const struct state *s, uint64_t latest, uint64_t *now,
                 struct fault *why)
{
    freshet_info info = {.size = offsetof(freshet_info, slots)};
    char date[sizeof "2554-07-21T23:34:33Z"];
    struct tm tm;

    *now = 0;
    if (!s->snapshot.filter)
        return true;
    freshet_get_info(s->snapshot.filter, &info);
    *now = info.now;
    if (info.now <= latest)
        return true;
    gmtime_r(&(time_t){(time_t)(info.now / 1000000000)}, &tm);
    strftime(date, sizeof date, "%FT%TZ", &tm);
    fault_set(why,
              "the saved clock shows %s, later than this machine's clock and "
              "--max-skew allow; check the machine's clock, use another file, "
              "or accept the saved clock with --max-skew none",
              date);
    return false;
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
