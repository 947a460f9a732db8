/*
 * cmd_filter.c - freshet: print each record the first time it is seen
 */
#include <string.h>

#include "aim.h"
#include "cli.h"
#include "generate.h"
#include "job.h"
#include "keyargs.h"
#include "outputs.h"
#include "signals.h"
#include "stats.h"

struct filter_args {
    struct key_args key;
    int missing, malformed;
    const char *time;
    struct record_args record;
    /* output */
    bool repeats, repeated, annotate, check;
    const char *dup_output, *output;
    struct aim_args aim;
    /* state */
    const char *state;
    uint64_t checkpoint;
    bool read_only;
    /* looking */
    bool explain, audit;
    uint64_t audit_memory;
    int stats;
    int generate; /* -1 if nothing */
};

#define AT(field) offsetof(struct filter_args, field)

static const struct cli_option filter_options[] = {
    {0, "Keys", CLI_HEADING, 0, NULL, NULL},
    KEY_OPTIONS(struct filter_args, ""),
    {0, "missing", CLI_CHOICE, AT(missing), "pass|drop|key",
     "what to do with a record without key (pass)"},
    {0, "malformed", CLI_CHOICE, AT(malformed), "pass|drop|fail",
     "or one that is not CSV or JSON (pass)"},

    {0, "Records", CLI_HEADING, 0, NULL, NULL},
    RECORD_OPTIONS(struct filter_args),

    {0, "Output", CLI_HEADING, 0, NULL, NULL},
    {'D', "all-repeated", CLI_SWITCH, AT(repeats), NULL,
     "print every repeat instead"},
    {'d', "repeated", CLI_SWITCH, AT(repeated), NULL,
     "print a key's first repeat only"},
    {0, "annotate", CLI_SWITCH, AT(annotate), NULL,
     "print all, with 0 or 1 (repeat) and a tab"},
    {0, "dup-output", CLI_TEXT, AT(dup_output), "FILE",
     "write repeats to FILE as well"},
    {'q', "check", CLI_SWITCH, AT(check), NULL,
     "print nothing; status 1 if there is a repeat"},
    {'o', "output", CLI_TEXT, AT(output), "FILE", "write to FILE"},
    {'c', "count", CLI_REFUSED, 0, NULL,
     "counts of all keys need memory without end; --annotate marks repeats, "
     "--stats counts them"},
    {'u', "unique", CLI_REFUSED, 0, NULL,
     "a record is known to be the only one when the stream has ended; this "
     "one need not end"},

    {0, "Memory and errors", CLI_HEADING, 0, NULL, NULL},
    AIM_MEMORY_OPTIONS(struct filter_args),
    AIM_WINDOW_OPTIONS(struct filter_args),
    {0, "time", CLI_TEXT, AT(time), "PATH|COL|RE",
     "when it happened, for --within (on arrival)"},
    {0, "refresh", CLI_SWITCH, AT(aim.refresh), NULL,
     "each repeat begins the window anew"},
    {0, "algorithm", CLI_TEXT, AT(aim.algorithm), "NAME",
     "one of 'freshet list' (auto)"},
    {0, "param", CLI_TEXTS, AT(aim.params), "NAME=VALUE",
     "set one of the algorithm's parameters"},
    {0, "seed", CLI_POSITIVE, AT(aim.seed), "N",
     "the same seed, the same verdicts (random)"},

    {0, "State", CLI_HEADING, 0, NULL, NULL},
    {0, "state", CLI_TEXT, AT(state), "FILE",
     "go on from FILE if it exists, save to it"},
    {0, "checkpoint", CLI_DURATION, AT(checkpoint), "TIME",
     "save every so often, not only at the end"},
    {0, "read-only", CLI_SWITCH, AT(read_only), NULL,
     "only ask the saved filter, remember nothing"},

    {0, "Looking", CLI_HEADING, 0, NULL, NULL},
    {0, "explain", CLI_SWITCH, AT(explain), NULL,
     "show what the filter would be, and exit"},
    {0, "stats", CLI_MODE, AT(stats), "[=text|json]",
     "count on stderr, at the end and on SIGUSR1"},
    {0, "audit", CLI_SWITCH, AT(audit), NULL,
     "measure how often it is wrong, for --stats"},
    {0, "audit-memory", CLI_MEMORY, AT(audit_memory), "SIZE",
     "for the keys that are checked (16M)"},
    {0, "generate", CLI_CHOICE, AT(generate), GENERATE_WORDS,
     "print man page or completions"},
    {0},
};

static int filter_run(int argc, char **argv);

const struct cli_command cmd_filter = {
    .operands = "[OPTION]... [FILE]...",
    .summary = "Print each record the first time it is seen",
    .examples =
        "  tail -F log | freshet            new lines, as they come\n"
        "  freshet -t , -k 2 a.csv b.csv    first of each second field\n"
        "  freshet --within 24h -m 1G       at most once a day\n"
        "  freshet --explain --expect 1e9   what that takes\n",
    .options = filter_options,
    .run = filter_run,
};

/* ---- From options to a pipeline --------------------------------------- */

static int take_output(struct pipeline *p, const struct filter_args *args)
{
    if (args->repeats + args->repeated + args->annotate + args->check > 1)
        return cli_misuse(&cmd_filter,
                          "-D, -d, -q and --annotate exclude each other");
    p->show = args->repeats    ? SHOW_REPEATS
              : args->repeated ? SHOW_REPEATED
              : args->annotate ? SHOW_ALL
              : args->check    ? SHOW_NOTHING
                               : SHOW_NEW;
    p->until_repeat =
        args->check && !args->stats && !args->dup_output && !args->state;
    return CLI_GO;
}

static int take_records(struct pipeline *p, const struct filter_args *args)
{
    int status = record_take(&p->delimiter, &args->record, &args->key, &p->key);

    p->missing = (enum missing)args->missing;
    p->malformed = (enum malformed)args->malformed;
    return status;
}

/* A name may turn out to be the state's only when it was opened. */
static int refuse_state(const struct filter_args *args)
{
    for (int i = 0; args->state && i < 2; i++) {
        const char *output = i ? args->dup_output : args->output;

        if (output && outputs_same(output, args->state))
            return cli_fail("%s: is the state file; write records to another",
                            output);
    }
    return CLI_GO;
}

static int take_state(struct job *job, const struct filter_args *args)
{
    if (!args->state && (args->checkpoint || args->read_only))
        return cli_misuse(&cmd_filter, "--checkpoint and --read-only need "
                                       "--state, the file they are about");
    if (args->checkpoint && args->read_only)
        return cli_misuse(&cmd_filter, "--checkpoint writes the file that "
                                       "--read-only leaves alone");
    if (args->state && args->repeated)
        return cli_misuse(&cmd_filter, "-d has a second filter, which --state "
                                       "does not save; -D has not");
    job->state.path = args->state;
    job->state.read_only = args->read_only;
    job->every = args->checkpoint;
    job->pipeline.ask_only = args->read_only;
    return CLI_GO;
}

/* ---- Filters ---------------------------------------------------------- */

static int make_filter(freshet **out, const struct aim *aim)
{
    freshet_error err;

    if (freshet_create(out, &aim->options, &err) < 0)
        return cli_fail("%s", err.message);
    return CLI_GO;
}

/* With -d, half of the memory is for the keys that were shown. */
static int make_filters(struct pipeline *p, struct aim *aim,
                        const struct filter_args *args)
{
    freshet_info info = {.size = sizeof info};
    int status = make_filter(&p->filter, aim);

    if (status != CLI_GO || !args->repeated)
        return status;
    freshet_get_info(p->filter, &info);
    aim->options.seed = info.seed; /* hashes serve both */
    return make_filter(&p->repeated, aim);
}

/*
 * What is measured is this run, in which the filter must begin with nothing
 * and learn everything.
 */
static int take_audit(struct pipeline *p, const struct filter_args *args)
{
    uint64_t bytes = args->audit_memory ? args->audit_memory : 16u << 20;
    const struct aim_args *aim = &args->aim;
    bool refresh = aim->refresh;

    if (!args->audit && args->audit_memory)
        return cli_misuse(&cmd_filter, "--audit-memory needs --audit");
    if (!args->audit)
        return CLI_GO;
    if (!args->stats)
        return cli_misuse(&cmd_filter, "--audit needs --stats, where it is "
                                       "reported");
    if (args->state)
        return cli_misuse(&cmd_filter, "--audit knows nothing of earlier "
                                       "runs; leave out --state");
    for (size_t i = 0; i < aim->params.n; i++)
        refresh |= strcmp(aim->params.text[i], "refresh=1") == 0;
    p->audit =
        audit_create(bytes, aim->last ? aim->last : aim->within, refresh);
    return p->audit ? CLI_GO : cli_fail("no memory for the audit");
}

/* Saved, or made as the options say; or only explained. */
static int take_filter(struct job *job, const struct filter_args *args)
{
    struct aim_args wanted = args->aim;
    struct aim aim;
    int status;

    status = state_open(&job->state, &args->aim);
    if (status != CLI_GO)
        return status;
    if (args->repeated)
        wanted.memory = (wanted.memory ? wanted.memory : 256u << 20) / 2;
    if (job->state.snapshot.filter)
        state_aim(&job->state, &aim);
    else
        status = aim_take(&aim, &wanted);
    if (status != CLI_GO)
        return status;
    job->pipeline.timed = aim.options.within != 0;
    if (args->time && !job->pipeline.timed)
        return cli_misuse(&cmd_filter, "--time needs --within, the window");
    if (args->explain)
        return aim_explain(&aim);
    job->pipeline.filter = job->state.snapshot.filter;
    return job->pipeline.filter ? CLI_GO
                                : make_filters(&job->pipeline, &aim, args);
}

/* ---- The command ------------------------------------------------------ */

static int set_up(struct job *job, const struct filter_args *args, int argc,
                  char **argv)
{
    struct pipeline *p = &job->pipeline;
    int status = refuse_state(args);

    if (status == CLI_GO)
        status = key_take(&p->key, &args->key);
    if (status == CLI_GO)
        status = eventtime_take(&p->time, args->time, &p->key);
    if (status == CLI_GO)
        status = take_output(p, args);
    if (status == CLI_GO)
        status = take_records(p, args);
    if (status == CLI_GO)
        status = take_state(job, args);
    if (status == CLI_GO)
        status = take_audit(p, args);
    if (status == CLI_GO)
        status = take_filter(job, args);
    if (status == CLI_GO && reader_init(&p->in, args->record.max_record) < 0)
        status = cli_fail("no memory to read into");
    if (status == CLI_GO)
        status = outputs_open(p, args->output, args->dup_output, argc, argv);
    if (status == CLI_GO)
        status = refuse_state(args);
    p->in.as_is = args->record.decompress != 0;
    job->stats = args->stats;
    job->check = args->check;
    return status;
}

static int tear_down(struct job *job)
{
    struct pipeline *p = &job->pipeline;
    int status = outputs_close(p);

    reader_free(&p->in);
    key_scratch_free(&p->scratch);
    key_spec_free(&p->key);
    eventtime_free(&p->time);
    audit_free(p->audit);
    freshet_free(p->repeated);
    if (p->filter != job->state.snapshot.filter)
        freshet_free(p->filter);
    state_close(&job->state);
    return status;
}

static int filter_run(int argc, char **argv)
{
    struct filter_args args = {.key = KEY_ARGS(&cmd_filter, ""),
                               .record = RECORD_ARGS,
                               .aim.prefer = PREFER_NONE,
                               .generate = -1};
    struct job job = {.pipeline = {.in.fd = -1, .out.fd = -1, .dup.fd = -1},
                      .state.lock = -1};
    int status = cli_parse(&cmd_filter, &args, &argc, &argv);

    if (status != CLI_GO)
        return status;
    if (args.generate >= 0)
        return generate(args.generate);
    signals_catch();
    status = set_up(&job, &args, argc, argv);
    if (status == CLI_GO)
        status = job_run(&job, argc, argv);
    if (tear_down(&job) != CLI_OK)
        status = CLI_TROUBLE;
    if (signals_end())
        signals_die(signals_end());
    return status;
}
