/*
 * cmd_filter.c - freshet: print each record the first time it is seen
 */
#include <string.h>

#include "command.h"
#include "default_memory.h"
#include "explain.h"
#include "file_list.h"
#include "filter_run.h"
#include "generate.h"
#include "goal.h"
#include "key_options.h"
#include "output_files.h"
#include "redis.h"
#include "signals.h"
#include "stats.h"

struct filter_args {
    struct key_args key;
    int missing, malformed;
    struct record_args record;
    bool header;
    const char *files0_from;
    uint64_t threads;
    uint64_t max_skew; /* nanoseconds; 0: not given */
    /* output */
    bool repeats, repeated, annotate, check, line_buffered;
    const char *dup_output, *output;
    struct goal_args aim;
    /* state */
    const char *state;
    uint64_t checkpoint;
    bool read_only;
    struct redis_args remote;
    /* diagnostics */
    bool explain, audit;
    uint64_t audit_memory;
    int stats;
    const char *stats_output, *metrics;
    bool progress;
    int generate; /* -1 if nothing */
};

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
    {0, "time", OPTION_TEXT, AT(key.time), "PLACE",
     "field, column, .path or RE with a record's time"},
    {0, "time-format", OPTION_TEXT, AT(key.time_format), "FORMAT",
     "how times are written: '%d.%m.%Y %H:%M:%S'"},
    {0, "max-skew", OPTION_LIMIT, AT(max_skew), "TIME|none",
     "accept times this far ahead of the clock (1h)"},
    {0, "refresh", OPTION_SWITCH, AT(aim.refresh), NULL,
     "count the window from a key's latest repeat"},
    {0, "algorithm", OPTION_TEXT, AT(aim.algorithm), "ALGORITHM",
     "use this algorithm; see 'freshet list' (auto)"},
    {0, "param", OPTION_TEXTS, AT(aim.params), "NAME=VALUE",
     "set a parameter of the algorithm"},
    {0, "seed", OPTION_POSITIVE, AT(aim.seed), "N",
     "seed of the hash, for repeatable runs (random)"},
    {0, "hash", OPTION_TEXT, AT(aim.hash), "xxh3-128|siphash",
     "hash keys by this; siphash resists attackers"},

    {0, "State", OPTION_HEADING, 0, NULL, NULL},
    {0, "state", OPTION_FILE, AT(state), "FILE",
     "load the filter from FILE, and save it at the end"},
    {0, "checkpoint", OPTION_DURATION, AT(checkpoint), "TIME",
     "also save the state every TIME, such as 30s"},
    {0, "read-only", OPTION_SWITCH, AT(read_only), NULL,
     "look records up in --state, do not remember them"},

    {0, "Shared filters (Redis, Valkey)", OPTION_HEADING, 0, NULL, NULL},
    {0, "remote", OPTION_TEXT, AT(remote.url), "URL",
     "use a filter on a server: redis://HOST/NAME"},
    {0, "shards", OPTION_POSITIVE, AT(remote.shards), "N",
     "spread the filter of --remote over N keys (1)"},
    {0, "on-error", OPTION_CHOICE, AT(remote.on_error), "stop|pass",
     "what to do when no server answers (stop)"},
    {0, "retry", OPTION_DURATION, AT(remote.retry), "TIME",
     "wait this long for a server to answer (30s)"},
    {0, "at-least-once", OPTION_SWITCH, AT(remote.at_least_once), NULL,
     "remember records when they are written"},

    {0, "Diagnostics", OPTION_HEADING, 0, NULL, NULL},
    {0, "explain", OPTION_SWITCH, AT(explain), NULL,
     "show the filter and its error rates, and exit"},
    {0, "stats", OPTION_MODE, AT(stats), "[=text|json]",
     "print counts on stderr at the end and on SIGUSR1"},
    {0, "stats-output", OPTION_FILE, AT(stats_output), "FILE",
     "write statistics to FILE instead of stderr"},
    {0, "metrics", OPTION_FILE, AT(metrics), "FILE",
     "write Prometheus metrics to FILE every 5 seconds"},
    {0, "progress", OPTION_SWITCH, AT(progress), NULL,
     "show progress if standard error is a terminal"},
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

/* ---- From options to an engine ---------------------------------------- */

static int set_up_output(struct filter_run *job, const struct filter_args *args)
{
    if (args->repeats + args->repeated + args->annotate + args->check > 1)
        return cli_misuse(&cmd_filter,
                          "give only one of -D, -d, -q and --annotate");
    job->output.mode = &output_modes[args->repeats    ? OUTPUT_REPEATS
                                     : args->repeated ? OUTPUT_FIRST_REPEATS
                                     : args->annotate ? OUTPUT_ALL
                                     : args->check    ? OUTPUT_NOTHING
                                                      : OUTPUT_NEW];
    job->config.until_repeat = args->check && !job->stats &&
                               !args->dup_output && !args->state &&
                               !args->metrics;
    return CLI_GO;
}

static int set_up_records(struct filter_run *job,
                          const struct filter_args *args)
{
    struct extractor *x = &job->extractor;
    char delimiter;
    int status;

    if (args->threads > POOL_MOST)
        return cli_misuse(&cmd_filter, "--parallel: no more than %d threads",
                          POOL_MOST);
    x->has_header = args->header;
    x->missing = (enum missing)args->missing;
    x->malformed = (enum malformed)args->malformed;
    status = record_take(&delimiter, &args->record, &args->key, x->key);
    if (status == CLI_GO)
        extractor_set_framing(x, delimiter,
                              record_limit(&args->record, x->key));
    return status;
}

/* Refuses two names of one file, which may show only after opening it. */
static int refuse_same(const struct filter_args *args)
{
    const struct {
        const char *name, *what;
    } own[] = {{args->state, "the state file"},
               {args->metrics, "the metrics file"},
               {args->stats_output, "the statistics file"},
               {args->output, NULL},
               {args->dup_output, NULL}};

    for (size_t i = 0; i < 3; i++)
        for (size_t j = i + 1; own[i].name && j < 5; j++)
            if (own[j].name && outputs_same(own[j].name, own[i].name))
                return cli_fail("%s: is %s; write to another file", own[j].name,
                                own[i].what);
    return CLI_GO;
}

static int set_up_state(struct filter_run *job, const struct filter_args *args)
{
    if (!args->state && (args->checkpoint || args->read_only))
        return cli_misuse(&cmd_filter, "--checkpoint and --read-only need "
                                       "--state");
    if (args->checkpoint && args->read_only)
        return cli_misuse(&cmd_filter, "--checkpoint writes the file, and "
                                       "--read-only does not");
    if (args->read_only && args->repeated)
        return cli_misuse(&cmd_filter, "-d remembers what it has printed, and "
                                       "--read-only remembers nothing; use -D "
                                       "to print every repeat");
    job->state.path = args->state;
    job->state.read_only = args->read_only;
    job->every = args->checkpoint;
    if (args->state && !args->read_only)
        signals_catch_pipe();
    return CLI_GO;
}

/* ---- Filters ---------------------------------------------------------- */

static int make_filter(freshet **out, const struct goal *aim)
{
    freshet_error err;

    if (freshet_create(out, &aim->options, &err) < 0)
        return cli_fail("%s", err.message);
    return CLI_GO;
}

/* Makes the filters that were not saved.  Both have the same hash, so that a
   key is hashed once. */
static int make_filters(struct filter_run *job, struct goal *aim,
                        const struct filter_args *args)
{
    freshet_hasher hasher = {.size = sizeof hasher};
    int status = job->filter ? CLI_GO : make_filter(&job->filter, aim);

    if (status != CLI_GO || !args->repeated || job->repeated)
        return status;
    freshet_hasher_of(job->filter, &hasher);
    aim->options.hash = hasher.hash;
    aim->options.seed = hasher.key[0];
    aim->options.seed_high = hasher.key[1];
    return make_filter(&job->repeated, aim);
}

/* Prepares the note on keys for the state file, and compares it with the one
   that the file has. */
static int prepare_key_note(struct filter_run *job,
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
        return cli_fail("%s: what the keys are is too long to be saved",
                        args->state);
    return state_check_notes(&job->state, &why) ? CLI_GO
                                                : cli_fail("%s", why.text);
}

/* Sets the clock to the time that was saved. */
static int set_up_clock(struct filter_run *job, const struct filter_args *args)
{
    struct event_time *time = &job->extractor.time;
    struct fault why;

    if (args->max_skew && !job->config.within)
        return cli_misuse(&cmd_filter, "--max-skew needs --within, the window "
                                       "whose clock it limits");
    if (args->max_skew)
        time->max_skew = args->max_skew;
    if (state_clock(&job->state, event_time_latest(time->max_skew),
                    &job->config.now, &why))
        return CLI_GO;
    return cli_fail("%s", why.text);
}

static int check_audit(const struct filter_args *args)
{
    if (!args->audit && args->audit_memory)
        return cli_misuse(&cmd_filter, "--audit-memory needs --audit");
    if (args->audit && !args->stats && !args->stats_output && !args->metrics)
        return cli_misuse(&cmd_filter, "--audit needs --stats or --metrics to "
                                       "report to");
    if (args->audit && args->read_only)
        return cli_misuse(&cmd_filter, "--audit measures what a filter "
                                       "remembers, and with --read-only it "
                                       "remembers nothing new");
    return CLI_GO;
}

/* Creates the audit with the filter's window, given or saved. */
static int create_audit(struct filter_run *job, const struct filter_args *args)
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

/* With fewer threads, one that decides while the others prepare was measured
   to be faster than parts. */
enum { PARTS_THREADS = 4 };

/* Several threads decide, where each record is offered to one filter at the
   time of its arrival; else NULL. */
static struct decider *create_parts(struct filter_run *job,
                                    const struct filter_args *args)
{
    if (args->threads < PARTS_THREADS || args->read_only || args->key.time ||
        job->audit || job->repeated)
        return NULL;
    return decider_parts(job->filter, 2 * (unsigned)args->threads);
}

static int create_decider(struct filter_run *job,
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

/* ---- Elsewhere -------------------------------------------------------- */

static int refuse_remote(const struct filter_args *args)
{
    const struct {
        bool given;
        const char *why;
    } no[] = {
        {args->state, "--state saves a filter of this process; the server "
                      "saves that of --remote"},
        {args->repeated, "-d needs two filters, and --remote is one; use -D to "
                         "print every repeat"},
        {args->explain, "--explain shows a filter of this process; the command "
                        "FR.INFO shows that of --remote"},
        {args->audit, "--audit checks a filter that this run alone fills, and "
                      "that of --remote is shared"},
        {args->max_skew, "--max-skew limits the times of --time, and --remote "
                         "goes by the server's clock"},
        {args->key.time, "--time does not go with --remote, which goes by the "
                         "server's clock"},
    };

    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (no[i].given)
            return cli_misuse(&cmd_filter, "%s", no[i].why);
    return CLI_GO;
}

static int connect_remote(struct filter_run *job,
                          const struct filter_args *args)
{
    int status = refuse_remote(args);
    struct fault why;

    if (status != CLI_GO)
        return status;
    job->config.decider = decider_redis(&args->remote, &args->aim, &why);
    return job->config.decider ? CLI_GO : cli_fail("%s", why.text);
}

static int open_state(struct filter_run *job, const struct filter_args *args,
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

/* Loads a saved filter or makes one from the options; with --explain, only
   describes it. */
static int prepare_filter(struct filter_run *job,
                          const struct filter_args *args)
{
    struct goal_args wanted = args->aim;
    struct goal aim;
    struct fault why;
    int status;

    if (args->remote.url)
        return connect_remote(job, args);
    if (args->remote.shards || args->remote.on_error || args->remote.retry ||
        args->remote.at_least_once)
        return cli_misuse(&cmd_filter, "--shards, --on-error, --retry and "
                                       "--at-least-once need --remote");
    if (args->repeated) /* half is for the keys printed */
        wanted.memory /= 2;
    status = open_state(job, args, &wanted);
    if (status != CLI_GO)
        return status;
    if (args->repeated && !wanted.memory)
        wanted.memory = 128u << 20;
    if (job->state.snapshot.filter)
        state_aim(&job->state, &aim);
    else
        status =
            goal_take(&aim, &wanted, &why) ? CLI_GO : cli_fail("%s", why.text);
    if (status != CLI_GO)
        return status;
    job->config.within = aim.options.within;
    job->timed = job->config.within && !args->key.time;
    if (args->key.time && !job->config.within)
        return cli_misuse(&cmd_filter, "--time needs --within");
    status = prepare_key_note(job, args);
    if (status == CLI_GO)
        status = set_up_clock(job, args);
    if (status != CLI_GO)
        return status;
    if (args->explain)
        return explain(&aim);
    job->filter = job->state.snapshot.filter;
    if (args->repeated)
        job->repeated = job->state.snapshot.repeated;
    status = make_filters(job, &aim, args);
    state_hold(&job->state, job->filter, job->repeated);
    return status;
}

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

static int set_up_time(struct extractor *x, const struct filter_args *args)
{
    const struct key_args *key = &args->key;
    struct event_time *time = &x->time;
    struct fault why;

    if (key->time_format && !key->time)
        return cli_misuse(&cmd_filter, "--time-format needs --time, the place "
                                       "of the time");
    if (!event_time_create(time, key->time, x->key, &why))
        return cli_misuse(&cmd_filter, "--time: %s", why.text);
    if (key->time_format &&
        !event_time_set_format(time, key->time_format, &why))
        return cli_misuse(&cmd_filter, "--time-format: %s", why.text);
    return CLI_GO;
}

/* Sets up progress, metrics and statistics. */
static int set_up_reports(struct filter_run *job,
                          const struct filter_args *args, int argc, char **argv)
{
    int status = CLI_GO;

    job->bar.wanted = args->progress;
    job->metrics.path = args->metrics;
    job->stats = args->stats || !args->stats_output ? args->stats : STATS_TEXT;
    if (args->metrics)
        status = outputs_refuse(args->metrics, argc, argv);
    if (status == CLI_GO && args->stats_output)
        status = outputs_refuse(args->stats_output, argc, argv);
    if (status == CLI_GO && args->stats_output)
        status = stats_file_open(&job->stats_file, args->stats_output);
    return status;
}

/* Returns whether any option describes the filter. */
static bool is_asked_for(const struct filter_args *args)
{
    const struct goal_args *aim = &args->aim;

    return aim->memory || aim->error > 0 || aim->expect || aim->last ||
           aim->within || aim->algorithm || aim->params.n ||
           aim->prefer != PREFER_NONE || args->state || args->remote.url;
}

/* If none does, the size of plain files determines the memory. */
static void choose_memory(struct filter_run *job, struct filter_args *args,
                          int argc, char **argv)
{
    bool as_is = args->record.decompress != 0;
    struct default_memory enough;

    if (is_asked_for(args))
        return;
    enough = default_memory(argc, argv, as_is);
    job->planned_input = enough.input;
    args->aim.memory = (args->repeated ? 2 : 1) * enough.bytes;
    args->aim.memory_from = enough.input ? "the size of the input" : NULL;
    job->memory_from = args->aim.memory_from;
}

/* Opens the inputs and outputs. */
static int open_files(struct filter_run *job, const struct filter_args *args,
                      int argc, char **argv)
{
    struct source_file_config config = {.framing = job->extractor.framing,
                                        .as_is = args->record.decompress != 0};
    int status;

    job->source = source_file_create(&config);
    if (!job->source)
        return cli_fail("no memory to read into");
    status =
        outputs_open(&job->output, args->output, args->dup_output, argc, argv);
    job->output.out.by_record = job->output.dup.by_record = args->line_buffered;
    return status == CLI_GO ? refuse_same(args) : status;
}

static int set_up(struct filter_run *job, const struct filter_args *args,
                  int argc, char **argv)
{
    int status = refuse_same(args);

    if (status == CLI_GO)
        status = set_up_reports(job, args, argc, argv);
    if (status == CLI_GO)
        status = key_take(&job->extractor.key, &args->key);
    if (status == CLI_GO)
        status = set_up_time(&job->extractor, args);
    if (status == CLI_GO)
        status = set_up_output(job, args);
    if (status == CLI_GO)
        status = set_up_records(job, args);
    if (status == CLI_GO)
        status = set_up_state(job, args);
    if (status == CLI_GO)
        status = check_audit(args);
    if (status == CLI_GO)
        status = prepare_filter(job, args);
    if (status == CLI_GO)
        status = create_audit(job, args);
    if (status == CLI_GO)
        status = create_decider(job, args);
    if (status == CLI_GO)
        status = open_files(job, args, argc, argv);
    job->config.threads = (unsigned)args->threads;
    job->check = args->check;
    return status;
}

static int tear_down(struct filter_run *job)
{
    int status = outputs_close(&job->output);

    engine_free(job->engine);
    pool_free(job->config.pool);
    if (job->source)
        job->source->type->free(job->source);
    extractor_free(&job->extractor);
    decider_close(job->config.decider);
    audit_free(job->audit);
    if (job->repeated != job->state.snapshot.repeated)
        freshet_free(job->repeated);
    if (job->filter != job->state.snapshot.filter)
        freshet_free(job->filter);
    state_close(&job->state);
    return status;
}

static int filter_run(int argc, char **argv)
{
    struct filter_args args = {.key = KEY_ARGS(&cmd_filter, ""),
                               .record = RECORD_ARGS,
                               .threads = pool_default_threads(),
                               .aim.prefer = PREFER_NONE,
                               .generate = -1};
    struct filter_run job = {.output = {.out.fd = -1, .dup.fd = -1},
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
        choose_memory(&job, &args, argc, argv);
    if (status == CLI_GO)
        status = set_up(&job, &args, argc, argv);
    if (status == CLI_GO)
        status = filter_run_files(&job, argc, argv);
    if (tear_down(&job) != CLI_OK)
        status = CLI_TROUBLE;
    file_list_free(&files);
    if (signals_end())
        signals_die(signals_end());
    return status;
}
