/*
 * cmd_filter.c - freshet: print each record the first time it is seen
 */
#include "command.h"
#include "file_list.h"
#include "filter_run.h"
#include "filter_setup.h"
#include "generate.h"
#include "signals.h"

#define AT(field) offsetof(struct filter_args, field)

static const struct option_spec filter_options[] = {
    {0, "Keys", OPTION_HEADING, 0, NULL, NULL},
    KEY_OPTIONS(struct filter_args, ""),
    {0, "missing", OPTION_CHOICE, AT(missing), "pass|drop|key",
     "what to do with records that have no key (pass)"},
    {0, "malformed", OPTION_CHOICE, AT(malformed), "pass|drop|fail",
     "what to do with invalid CSV, JSON or times (pass)"},

    {0, "Records", OPTION_HEADING, 0, NULL, NULL},
    RECORD_OPTIONS(struct filter_args),
    {'H', "header", OPTION_SWITCH, AT(header), NULL,
     "print a file's first record without comparing it"},
    {0, "files0-from", OPTION_FILE, AT(files0_from), "FILE",
     "read the files that FILE lists, separated by NUL"},
    {0, "parallel", OPTION_POSITIVE, AT(threads), "N",
     "use N threads (one per core, up to 16)"},

    {0, "Output", OPTION_HEADING, 0, NULL, NULL},
    {'D', "all-repeated", OPTION_SWITCH, AT(repeats), NULL,
     "print all repeats instead of new records"},
    {'d', "repeated", OPTION_SWITCH, AT(repeated), NULL,
     "print only the first repeat of each key"},
    {0, "annotate", OPTION_SWITCH, AT(annotate), NULL,
     "mark all records: 0 new, 1 repeat, - not compared"},
    {0, "dup-output", OPTION_FILE, AT(dup_output), "FILE",
     "also write repeats to FILE"},
    {'q', "check", OPTION_SWITCH, AT(check), NULL,
     "print nothing; exit 1 if there is a repeat"},
    {'o', "output", OPTION_FILE, AT(output), "FILE",
     "write to FILE instead of standard output"},
    {0, "line-buffered", OPTION_SWITCH, AT(line_buffered), NULL,
     "write each record as soon as it is decided"},
    {'c', "count", OPTION_REFUSED, 0, NULL,
     "counting every key takes memory without limit; --annotate marks "
     "repeats, --stats counts them"},
    {'u', "unique", OPTION_REFUSED, 0, NULL,
     "whether a record is the only one of its kind is known when the stream "
     "has ended, and this one need not end; use sort | uniq -u"},

    {0, "Memory and errors", OPTION_HEADING, 0, NULL, NULL},
    GOAL_MEMORY_OPTIONS(struct filter_args),
    GOAL_WINDOW_OPTIONS(struct filter_args),
    TIME_OPTIONS(struct filter_args, "record"),
    GOAL_ALGORITHM_OPTIONS(struct filter_args),

    {0, "State", OPTION_HEADING, 0, NULL, NULL},
    {0, "state", OPTION_FILE, AT(state), "FILE",
     "load the filter from FILE, and save it at the end"},
    {0, "checkpoint", OPTION_DURATION, AT(checkpoint), "TIME",
     "also save the state every TIME, such as 30s"},
    {0, "read-only", OPTION_SWITCH, AT(read_only), NULL,
     "look records up in --state, do not remember them"},

    {0, "Shared filters (Redis, Valkey)", OPTION_HEADING, 0, NULL, NULL},
    REDIS_OPTIONS(struct filter_args),
    {0, "retry", OPTION_DURATION, AT(remote.retry), "TIME",
     "wait this long for a server to answer (30s)"},
    {0, "at-least-once", OPTION_SWITCH, AT(remote.at_least_once), NULL,
     "remember records when they are written"},

    {0, "Diagnostics", OPTION_HEADING, 0, NULL, NULL},
    {0, "explain", OPTION_SWITCH, AT(explain), NULL,
     "show the filter and its error rates, and exit"},
    REPORT_OPTIONS(struct filter_args),
    {0, "audit", OPTION_SWITCH, AT(audit), NULL,
     "measure the error rates of this run for --stats"},
    {0, "audit-memory", OPTION_MEMORY, AT(audit_memory), "SIZE",
     "memory of --audit (16M)"},
    {0, "generate", OPTION_CHOICE, AT(generate), GENERATE_WORDS,
     "print a man page or shell completions"},
    {0},
};

static int filter_run(int argc, char **argv);

const struct cli_command cmd_filter = {
    .operands = "[OPTION]... [FILE]...",
    .summary = "Print each record the first time it is seen",
    .examples =
        "  tail -F log | freshet            print new lines as they come\n"
        "  freshet -t , -k 2 a.csv b.csv    the first record of each field 2\n"
        "  freshet --within 24h -m 1G       each line at most once in 24 "
        "hours\n"
        "  freshet --explain --expect 1e9   errors with a billion keys\n",
    .options = filter_options,
    .run = filter_run,
};

/* ---- The command ------------------------------------------------------ */

/* Replaces the operands by the files that --files0-from lists. */
static int read_file_list(struct file_list *files,
                          const struct filter_args *args, int *argc,
                          char ***argv)
{
    struct fault why;

    if (!args->files0_from)
        return CLI_GO;
    if (*argc)
        return cli_misuse(&cmd_filter,
                          "--files0-from lists the files; leave "
                          "out %s",
                          **argv);
    if (!file_list_read(files, args->files0_from, &why))
        return cli_fail("%s", why.text);
    *argc = files->n;
    *argv = files->name;
    return CLI_GO;
}

static int filter_run(int argc, char **argv)
{
    struct filter_args args = {.key = KEY_ARGS(&cmd_filter, ""),
                               .record = RECORD_ARGS,
                               .threads = pool_default_threads(),
                               .goal.prefer = PREFER_NONE,
                               .generate = -1};
    struct filter_job job = {.output = {.out.fd = -1, .dup.fd = -1},
                             .state.lock = -1};
    struct file_list files = {0};
    int status = cli_parse(&cmd_filter, &args, &argc, &argv);

    if (status != CLI_GO)
        return status;
    if (args.generate >= 0)
        return generate(args.generate);
    signals_catch();
    status = read_file_list(&files, &args, &argc, &argv);
    if (status == CLI_GO)
        filter_choose_memory(&job, &args, argc, argv);
    if (status == CLI_GO)
        status = filter_set_up(&job, &args, argc, argv);
    if (status == CLI_GO)
        status = filter_run_files(&job, argc, argv);
    if (filter_tear_down(&job) != CLI_OK)
        status = CLI_TROUBLE;
    file_list_free(&files);
    if (signals_end())
        signals_die(signals_end());
    return status;
}
