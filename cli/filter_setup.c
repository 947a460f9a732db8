/*
 * filter_setup.c - prepares a run of the filter from the options
 */
#include "filter_setup.h"

#include "command.h"
#include "default_memory.h"
#include "filter_decider.h"
#include "listen_option.h"
#include "output_files.h"
#include "signals.h"
#include "stats.h"

/* ---- Memory ----------------------------------------------------------- */

/* Returns whether any option describes the filter. */
static bool is_asked_for(const struct filter_args *args)
{
    const struct goal_args *goal = &args->goal;

    return goal->memory || goal->error > 0 || goal->expect || goal->last ||
           goal->within || goal->algorithm || goal->params.n ||
           goal->prefer != PREFER_NONE || args->state || args->remote.url;
}

void filter_choose_memory(struct filter_job *job, struct filter_args *args,
                          int argc, char **argv)
{
    bool as_is = args->record.decompress != 0;
    struct default_memory enough;

    if (is_asked_for(args))
        return;
    enough = default_memory(argc, argv, as_is);
    job->planned_input = enough.input;
    args->goal.memory = (args->repeated ? 2 : 1) * enough.bytes;
    args->goal.memory_from = enough.input ? "the size of the input" : NULL;
    job->memory_from = args->goal.memory_from;
}

/* ---- Records, output, state, reports ---------------------------------- */

static int set_up_output(struct filter_job *job, const struct filter_args *args)
{
    if (args->repeats + args->repeated + args->annotate + args->check > 1)
        return cli_misuse(&cmd_filter,
                          "give only one of -D, -d, -q and --annotate");
    job->output.mode = &output_modes[args->repeats    ? OUTPUT_REPEATS
                                     : args->repeated ? OUTPUT_FIRST_REPEATS
                                     : args->annotate ? OUTPUT_ALL
                                     : args->check    ? OUTPUT_NOTHING
                                                      : OUTPUT_NEW];
    job->config.until_repeat = args->check && !job->reports.stats &&
                               !args->dup_output && !args->state &&
                               !args->report.metrics && !args->report.listen;
    return CLI_GO;
}

static int set_up_records(struct filter_job *job,
                          const struct filter_args *args)
{
    struct extractor *x = &job->extractor;
    char delimiter;
    int status;

    if (args->threads > POOL_MOST)
        return cli_misuse(&cmd_filter, "--parallel: at most %d threads",
                          POOL_MOST);
    x->has_header = args->header;
    x->missing = (enum missing)args->missing;
    x->malformed = (enum malformed)args->malformed;
    status = record_from_args(&delimiter, &args->record, &args->key, x->key);
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
               {args->report.metrics, "the metrics file"},
               {args->report.stats_output, "the statistics file"},
               {args->output, NULL},
               {args->dup_output, NULL}};

    for (size_t i = 0; i < 3; i++)
        for (size_t j = i + 1; own[i].name && j < 5; j++)
            if (own[j].name && outputs_same(own[j].name, own[i].name))
                return cli_fail("%s: is %s; write to another file", own[j].name,
                                own[i].what);
    return CLI_GO;
}

static int set_up_state(struct filter_job *job, const struct filter_args *args)
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
static int set_up_reports(struct filter_job *job,
                          const struct filter_args *args, int argc, char **argv)
{
    int status = CLI_GO;

    job->reports.bar.wanted = args->report.progress;
    job->reports.metrics.path = args->report.metrics;
    job->reports.stats = args->report.stats || !args->report.stats_output
                             ? args->report.stats
                             : STATS_TEXT;
    if (args->report.metrics)
        status = outputs_refuse(args->report.metrics, argc, argv);
    if (status == CLI_GO && args->report.stats_output)
        status = outputs_refuse(args->report.stats_output, argc, argv);
    if (status == CLI_GO && args->report.stats_output)
        status = stats_file_open(&job->reports.stats_file,
                                 args->report.stats_output);
    return status;
}

/* Opens the inputs and outputs. */
static int open_files(struct filter_job *job, const struct filter_args *args,
                      int argc, char **argv)
{
    unsigned threads = (unsigned)args->threads;
    struct source_file_config config = {.framing = job->extractor.framing,
                                        .as_is = args->record.decompress != 0,
                                        .unpackers = threads > 1 ? threads : 0};
    int status;

    job->source = source_file_create(&config);
    if (!job->source)
        return cli_fail("no memory to read into");
    status =
        outputs_open(&job->output, args->output, args->dup_output, argc, argv);
    job->output.out.by_record = job->output.dup.by_record = args->line_buffered;
    return status == CLI_GO ? refuse_same(args) : status;
}

/* ---- All of it -------------------------------------------------------- */

int filter_set_up(struct filter_job *job, const struct filter_args *args,
                  int argc, char **argv)
{
    int status = refuse_same(args);

    if (status == CLI_GO)
        status = set_up_reports(job, args, argc, argv);
    if (status == CLI_GO)
        status = key_from_args(&job->extractor.key, &args->key);
    if (status == CLI_GO)
        status = set_up_time(&job->extractor, args);
    if (status == CLI_GO)
        status = set_up_output(job, args);
    if (status == CLI_GO)
        status = set_up_records(job, args);
    if (status == CLI_GO)
        status = set_up_state(job, args);
    if (status == CLI_GO)
        status = filter_decider_create(job, args);
    if (status == CLI_GO)
        status = listen_from_option(&job->reports.metrics.server,
                                    args->report.listen);
    if (status == CLI_GO)
        status = open_files(job, args, argc, argv);
    job->config.threads = (unsigned)args->threads;
    job->check = args->check;
    return status;
}

int filter_tear_down(struct filter_job *job)
{
    int status = outputs_close(&job->output);

    metrics_server_close(job->reports.metrics.server);
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
