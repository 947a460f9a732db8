/*
 * state.c - a filter that is kept in a file between runs: --state
 */
#include "state.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "atomic_file.h"
#include "compatible.h"
#include "signals.h"

/* Sets *why to the path and the reason.  Returns false. */
static bool refuse(const struct state *s, struct fault *why,
                   const struct fault *reason)
{
    return fault_set(why, "%s: %s", s->path, reason->text);
}

/* Returns how many bytes of a note are quoted: the advice after it must not be
   cut off. */
static int quoted_length(struct view note)
{
    return note.len < 200 ? (int)note.len : 200;
}

/* Names each difference: first the value in the file, then that of this run. */
static bool check_lines(const struct state *s, struct fault *why)
{
    static const char *const odds[NOTE_KINDS] = {
        [NOTE_KEYS] = "was saved by a run that compared",
        [NOTE_RECORDS] = "was saved by a run whose records ended with",
        [NOTE_CLOCK] = "was saved by a run with times of",
        [NOTE_FROM] = "was saved by a run that read",
        [NOTE_TO] = "was saved by a run that wrote to",
        [NOTE_GROUP] = "was saved by a run of the group",
    };

    for (int i = 0; i < NOTE_KINDS; i++) {
        struct view theirs = key_note_line(&s->snapshot.notes, (enum note)i);
        struct view ours = key_note_line(&s->notes, (enum note)i);

        if (odds[i] && theirs.at &&
            (theirs.len != ours.len ||
             memcmp(theirs.at, ours.at, ours.len) != 0))
            return fault_set(why,
                             "%s: %s '%.*s', not '%.*s'; give the same "
                             "options, or use another file",
                             s->path, odds[i], quoted_length(theirs), theirs.at,
                             quoted_length(ours), ours.at ? ours.at : "");
    }
    return true;
}

bool state_check_notes(const struct state *s, struct fault *why)
{
    unsigned theirs = key_note_rules(&s->snapshot.notes);
    unsigned ours = key_note_rules(&s->notes);

    if (!check_lines(s, why))
        return false;
    return !theirs || theirs == ours ||
           fault_set(why,
                     "%s: was saved by %s freshet, which compared such values "
                     "by other rules; use another file",
                     s->path, theirs < ours ? "an older" : "a newer");
}

/* ---- Opening ---------------------------------------------------------- */

/* All names of a file must have one lock, so symbolic links are resolved
   first. */
static bool lock(struct state *s, struct fault *why)
{
    struct fault reason;

    s->file = atomic_file_target(s->path);
    if (!s->file)
        return fault_set(why, "%s: cannot be locked: %s", s->path,
                         strerror(errno));
    s->lock = snapshot_lock(s->file, &reason);
    return s->lock >= 0 || refuse(s, why, &reason);
}

bool state_open(struct state *s, const struct goal_args *args, unsigned filters,
                struct fault *why)
{
    struct compatible saved = {.name = s->path,
                               .what = "saved filter",
                               .instead = "file",
                               .filters = filters,
                               .info.size = sizeof(freshet_info)};
    struct fault reason;

    if (!s->path)
        return true;
    if (!s->read_only && !lock(s, why))
        return false;
    switch (snapshot_load(&s->snapshot, s->path, &reason)) {
    case SNAPSHOT_LOADED:
        break;
    case SNAPSHOT_NONE:
        return !s->read_only ||
               fault_set(why, "%s: %s; --read-only needs a saved filter",
                         s->path, reason.text);
    case SNAPSHOT_REFUSED:
        return refuse(s, why, &reason);
    }
    freshet_get_info(s->snapshot.filter, &saved.info);
    return compatible_check(&saved, args, why);
}

bool state_has_other_names(const struct state *s)
{
    return !s->read_only && s->snapshot.links > 1;
}

void state_goal(const struct state *s, struct goal *goal)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(s->snapshot.filter, &info);
    *goal = (struct goal){.options = compatible_options(&info)};
    memcpy(goal->params, info.params, sizeof info.params);
    goal->options.params = goal->params;
    snprintf(goal->reason, sizeof goal->reason, "as saved in the state file");
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
    return fault_set(why,
                     "%s: the saved clock shows %s, later than this machine's "
                     "clock and --max-skew allow; check the machine's clock, "
                     "use another file, or accept the saved clock with "
                     "--max-skew none",
                     s->path, date);
}

void state_close(struct state *s)
{
    snapshot_free(&s->snapshot);
    if (s->file)
        snapshot_unlock(s->file, s->lock);
    s->lock = -1;
    free(s->file);
    s->file = NULL;
}

/* ---- Saving ----------------------------------------------------------- */

void state_hold(struct state *s, const freshet *filter, const freshet *repeated)
{
    s->parts =
        (struct snapshot_parts){filter,
                                repeated ? repeated : s->snapshot.repeated,
                                &s->notes};
}

bool state_save(const struct state *s, struct fault *why)
{
    struct fault reason;

    return snapshot_save(&s->parts, s->file, &reason) ||
           refuse(s, why, &reason);
}

/* ---- Checkpoints ------------------------------------------------------ */

/* In the child: saves, and reports nothing or the reason of a failure. */
__attribute__((noreturn)) static void save_and_report(const struct state *s,
                                                      int to)
{
    struct fault report = {""};
    bool done;

    signals_ignore();
    done = state_save(s, &report);
    (void)!write(to, &report, sizeof report);
    _exit(!done);
}

bool state_checkpoint(struct state *s, struct fault *why)
{
    int ends[2];

    if (s->child)
        return true;
    if (pipe(ends) < 0)
        return fault_set(why, "%s: the checkpoint failed: %s", s->path,
                         strerror(errno));
    s->child = fork();
    if (s->child == 0)
        save_and_report(s, ends[1]);
    close(ends[1]);
    s->report = ends[0];
    if (s->child > 0)
        return true;
    s->child = 0;
    close(ends[0]);
    return fault_set(why, "%s: the checkpoint failed: %s", s->path,
                     strerror(errno));
}

/* Reads the report of a child that has ended; false if there is none. */
static bool read_report(struct state *s, struct fault *report)
{
    ssize_t n = read(s->report, report, sizeof *report);

    close(s->report);
    return n == sizeof *report;
}

bool state_reap(struct state *s, bool wait, struct fault *why)
{
    struct fault report = {""};
    int status = 0;
    pid_t ended;

    if (!s->child)
        return true;
    do
        ended = waitpid(s->child, &status, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (ended == 0)
        return true;
    s->child = 0;
    if (read_report(s, &report))
        return !report.text[0] || fault_set(why, "%s", report.text);
    if (ended > 0 && WIFSIGNALED(status))
        return fault_set(why, "%s: the checkpoint was killed by signal %d",
                         s->path, WTERMSIG(status));
    return fault_set(why,
                     "%s: the checkpoint failed: its process ended without a "
                     "report",
                     s->path);
}
