/*
 * filter_decider.c - creates the filter that the options describe, and its
 * decider
 */
#include "filter_decider.h"

#include <string.h>

#include "command.h"
#include "explain.h"
#include "goal.h"

/* ---- A filter on a server --------------------------------------------- */

static int refuse_remote(const struct filter_args *args)
{
    const struct {
        bool given;
        const char *why;
    } no[] = {
        {args->state, "--state saves a filter of this process; the server "
                      "saves that of --remote"},
        {args->repeated, "-d needs two filters, and --remote has one; use -D "
                         "to print every repeat"},
        {args->explain, "--explain shows a filter of this process; use the "
                        "server's command FR.INFO for that of --remote"},
        {args->audit, "--audit needs a filter that only this run fills, and "
                      "that of --remote is shared"},
        {args->key.max_skew,
         "--max-skew limits the times of --time, and --remote "
         "uses the server's clock"},
        {args->key.time,
         "--time cannot be used with --remote, which uses the server's clock"},
    };

    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (no[i].given)
            return cli_misuse(&cmd_filter, "%s", no[i].why);
    return CLI_GO;
}

static int connect_remote(struct filter_job *job,
                          const struct filter_args *args)
{
    int status = refuse_remote(args);
    struct fault why;

    if (status != CLI_GO)
        return status;
    job->config.decider = decider_redis(&args->remote, &args->goal, &why);
    return job->config.decider ? CLI_GO : cli_fail("%s", why.text);
}

/* ---- A filter of this process ----------------------------------------- */

static int make_filter(freshet **out, const struct goal *goal)
{
    freshet_error err;

    if (freshet_create(out, &goal->options, &err) < 0)
        return cli_fail("%s", err.message);
    return CLI_GO;
}

/* Makes the filters that were not saved.  Both have the same hash, so that a
   key is hashed once. */
static int make_filters(struct filter_job *job, struct goal *goal,
                        const struct filter_args *args)
{
    freshet_hasher hasher = {.size = sizeof hasher};
    int status = job->filter ? CLI_GO : make_filter(&job->filter, goal);

    if (status != CLI_GO || !args->repeated || job->repeated)
        return status;
    freshet_hasher_of(job->filter, &hasher);
    goal->options.hash = hasher.hash;
    goal->options.seed = hasher.key[0];
    goal->options.seed_high = hasher.key[1];
    first_repeat_options(&goal->options);
    return make_filter(&job->repeated, goal);
}

/* Prepares the note on keys for the state file, and compares it with the one
   that the file has. */
static int prepare_key_note(struct filter_job *job,
                            const struct filter_args *args)
{
    struct key_note *notes = &job->state.notes;
    const struct extractor *x = &job->extractor;
    struct fault why;

    if (!args->state)
        return CLI_GO;
    if (!key_note_make(notes, x->key, x->framing.delimiter) ||
        (job->config.within &&
         !key_note_add(notes, NOTE_CLOCK,
                       event_time_is_set(&x->time) ? "event" : "arrival")))
        return cli_fail("%s: the options that choose the key are too long to "
                        "be saved",
                        args->state);
    return state_check_notes(&job->state, &why) ? CLI_GO
                                                : cli_fail("%s", why.text);
}

/* Sets the clock to the time that was saved. */
static int set_up_clock(struct filter_job *job, const struct filter_args *args)
{
    struct event_time *time = &job->extractor.time;
    struct fault why;

    if (args->key.max_skew && !job->config.within)
        return cli_misuse(&cmd_filter, "--max-skew needs --within, the window "
                                       "whose clock it limits");
    if (args->key.max_skew)
        time->max_skew = args->key.max_skew;
    if (state_clock(&job->state, event_time_latest(time->max_skew),
                    &job->config.now, &why))
        return CLI_GO;
    return cli_fail("%s", why.text);
}

static int open_state(struct filter_job *job, const struct filter_args *args,
                      const struct goal_args *wanted)
{
    struct fault why;

    if (!state_open(&job->state, wanted, args->repeated ? 2 : 1, &why))
        return cli_fail("%s", why.text);
    if (state_has_other_names(&job->state))
        cli_fail("warning: %s has %u names (hard links); saving separates "
                 "them, and the others keep the filter as it is now",
                 args->state, job->state.snapshot.links);
    return CLI_GO;
}

/* Loads a saved filter, and sets the goal to what it was made for or to what
   the options want. */
static int load_filter(struct filter_job *job, const struct filter_args *args,
                       struct goal *goal)
{
    struct goal_args wanted = args->goal;
    struct fault why;
    int status;

    if (args->repeated) /* half is for the keys printed */
        wanted.memory /= 2;
    status = open_state(job, args, &wanted);
    if (status != CLI_GO)
        return status;
    if (args->repeated && !wanted.memory)
        wanted.memory = 128u << 20;
    if (job->state.snapshot.filter)
        state_goal(&job->state, goal);
    else if (!goal_from_args(goal, &wanted, &why))
        return cli_fail("%s", why.text);
    return CLI_GO;
}

/* Sets the window of the run and its clock. */
static int set_up_window(struct filter_job *job, const struct filter_args *args,
                         uint64_t within)
{
    int status;

    job->config.within = within;
    job->timed = within && !args->key.time;
    if (args->key.time && !within)
        return cli_misuse(&cmd_filter, "--time needs --within");
    status = prepare_key_note(job, args);
    return status == CLI_GO ? set_up_clock(job, args) : status;
}

/* Loads a saved filter or makes one from the options; with --explain, only
   describes it. */
static int prepare_filter(struct filter_job *job,
                          const struct filter_args *args)
{
    struct goal goal;
    int status;

    if (args->remote.url)
        return connect_remote(job, args);
    if (args->remote.shards || args->remote.on_error || args->remote.retry ||
        args->remote.at_least_once)
        return cli_misuse(&cmd_filter, "--shards, --on-error, --retry and "
                                       "--at-least-once need --remote");
    status = load_filter(job, args, &goal);
    if (status == CLI_GO)
        status = set_up_window(job, args, goal.options.within);
    if (status != CLI_GO)
        return status;
    if (args->explain)
        return explain(&goal);
    job->filter = job->state.snapshot.filter;
    if (args->repeated)
        job->repeated = job->state.snapshot.repeated;
    status = make_filters(job, &goal, args);
    state_hold(&job->state, job->filter, job->repeated);
    return status;
}

/* ---- Audit and decider ------------------------------------------------ */

static int check_audit(const struct filter_args *args)
{
    if (!args->audit && args->audit_memory)
        return cli_misuse(&cmd_filter, "--audit-memory needs --audit");
    if (args->audit && !args->report.stats && !args->report.stats_output &&
        !args->report.metrics && !args->report.listen)
        return cli_misuse(&cmd_filter, "--audit needs --stats, --metrics or "
                                       "--listen to report to");
    if (args->audit && args->read_only)
        return cli_misuse(&cmd_filter, "--audit measures what a filter "
                                       "remembers, and with --read-only it "
                                       "remembers nothing new");
    return CLI_GO;
}

/* Creates the audit with the filter's window, given or saved. */
static int create_audit(struct filter_job *job, const struct filter_args *args)
{
    uint64_t bytes = args->audit_memory ? args->audit_memory : 16u << 20;
    freshet_info info = {.size = sizeof info};

    if (!args->audit)
        return CLI_GO;
    freshet_get_info(job->filter, &info);
    job->audit =
        audit_create(bytes, info.seed,
                     (struct audit_window){info.window ? info.window
                                                       : info.within,
                                           strstr(info.params, "refresh=1") !=
                                               NULL});
    if (!job->audit)
        return cli_fail("no memory for the audit");
    if (job->filter == job->state.snapshot.filter)
        audit_begin_late(job->audit);
    return CLI_GO;
}

static void print_notice(void *context, const char *text)
{
    (void)context;
    cli_fail("%s", text);
}

/* With fewer threads, one thread that decides while the others prepare was
   measured to be faster than parts. */
enum { PARTS_THREADS = 4 };

/* Returns a decider for several threads if each record is offered to one
   filter, at the time of its arrival or of the record; else NULL. */
static struct decider *create_parts(struct filter_job *job,
                                    const struct filter_args *args)
{
    if (args->threads < PARTS_THREADS || args->read_only || job->audit ||
        job->repeated)
        return NULL;
    return decider_parts(job->filter, 2 * (unsigned)args->threads);
}

static int create_decider(struct filter_job *job,
                          const struct filter_args *args)
{
    struct decider *d = job->config.decider;

    if (!d)
        d = create_parts(job, args);
    if (!d) {
        d = decider_local(job->filter,
                          args->read_only ? DECIDER_QUERY : DECIDER_OFFER);
        if (job->audit)
            d = decider_audited(d, job->audit);
        if (job->repeated)
            d = decider_first_repeat(d, job->repeated);
    }
    job->config.decider = d;
    if (!d)
        return cli_fail("no memory to decide");
    d->notice = print_notice;
    return CLI_GO;
}

int filter_decider_create(struct filter_job *job,
                          const struct filter_args *args)
{
    int status = check_audit(args);

    if (status == CLI_GO)
        status = prepare_filter(job, args);
    if (status == CLI_GO)
        status = create_audit(job, args);
    if (status == CLI_GO)
        status = create_decider(job, args);
    return status;
}
