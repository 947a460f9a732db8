/*
 * filter_run.c - runs the filter over files and handles clock, signals and
 * state
 */
#include "filter_run.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "filter_state.h"
#include "filter_warnings.h"
#include "signals.h"
#include "stats.h"
#include "status_line.h"

/* Nanoseconds between checks of a child, and of everything except input. */
enum { CHILD_CHECK = 50000000, REST_EVERY = 20000000 };

/* ---- Reports ---------------------------------------------------------- */

static void report(struct filter_job *job)
{
    freshet_info info = {.size = sizeof info};
    struct decider *d = job->config.decider;
    struct stats stats;

    d->type->info(d, &info);
    stats_collect(&stats, job->engine, job->audit, job->times.started, &info);
    stats.memory_from = job->memory_from;
    if (!job->reports.stats_file.path) {
        status_line_clear();
        stats_write(&stats, job->reports.stats, stderr);
        if (ferror(stderr)) /* which cannot be told there */
            job->trouble = true;
    } else if (stats_file_write(&job->reports.stats_file, &stats,
                                job->reports.stats) < 0) {
        cli_fail("%s: cannot write statistics: %s",
                 job->reports.stats_file.path, strerror(errno));
        job->trouble = true;
    }
}

/* Writes the metrics that are due, or all of them. */
static void expose(struct filter_job *job, bool all)
{
    if (filter_metrics_write(&job->reports.metrics, job->engine, job->audit,
                             job->times.started, all) != CLI_OK)
        job->trouble = true;
}

static void report_if_due(struct filter_job *job)
{
    uint64_t metrics_due = filter_metrics_due(&job->reports.metrics);
    uint64_t now =
        metrics_due != UINT64_MAX || job->reports.bar.wanted ? clock_now() : 0;

    if (now >= metrics_due)
        expose(job, false);
    if (job->reports.bar.wanted && now >= job->reports.bar.due)
        filter_progress_show(&job->reports.bar, job->engine,
                             source_file_taken(job->source), job->times.started,
                             now);
}

/* ---- The run ---------------------------------------------------------- */

/* Returns how long to wait for input, until other work is due; 0: no limit. */
static uint64_t wait_limit(const struct filter_job *job)
{
    uint64_t now = clock_now(), due = filter_metrics_due(&job->reports.metrics);

    if (job->every && job->times.checkpoint_at < due &&
        job->times.saved_bytes != engine_counts(job->engine)->bytes_read)
        due = job->times.checkpoint_at;
    if (job->reports.bar.wanted && job->reports.bar.due < due)
        due = job->reports.bar.due;
    if (job->state.child && now + CHILD_CHECK < due)
        due = now + CHILD_CHECK;
    if (due == UINT64_MAX)
        return 0;
    return due > now ? due - now : 1;
}

/* A saved time must have the same meaning after a restart, so it is that of the
   real-time clock. */
static uint64_t clock_of_filter(void *context)
{
    const struct filter_job *job = context;

    return job->state.path ? clock_wall() : clock_now();
}

static bool is_ready(const struct filter_job *job)
{
    return job->source->type->is_ready(job->source);
}

static void report_alive(struct filter_job *job)
{
    if (job->reports.metrics.server)
        metrics_server_alive(job->reports.metrics.server, NULL);
}

static bool at_rest(void *context)
{
    struct filter_job *job = context;
    bool ready = false;

    filter_warn_if_full(job);
    do {
        report_alive(job);
        if (signals_end())
            return false;
        if (signals_report())
            report(job);
        filter_checkpoint(job);
        report_if_due(job);
        if (job->lost)
            return false;
        ready = is_ready(job) || signals_wait(job->source->fd, wait_limit(job));
    } while (!ready);
    job->times.rest_at = clock_now() + REST_EVERY;
    return true;
}

/* Statistics and checkpoints may wait for a moment; the end may not. */
static bool wants_rest(void *context)
{
    const struct filter_job *job = context;

    return clock_now() >= job->times.rest_at || signals_end() || !is_ready(job);
}

/* The signal may have ended the writer in the middle of a record. */
static bool leaves_out_last(void *context)
{
    (void)context;
    return signals_end();
}

/* Runs over the first of n files. */
static enum engine_status run_file(struct filter_job *job, int n, char **files)
{
    enum engine_status status;
    struct fault why;

    if (!source_file_open(job->source, files[0])) {
        if (errno == EINTR && signals_end()) /* during the wait for a writer */
            return ENGINE_STOPPED;
        cli_fail("%s: %s", files[0], strerror(errno));
        return ENGINE_INPUT;
    }
    source_file_expect(job->source, files + 1, (size_t)n - 1);
    status = engine_run(job->engine, job->source, &why);
    if (status == ENGINE_INPUT && signals_end() &&
        source_file_is_cut(job->source)) /* the signal ended the writer, too */
        status = ENGINE_STOPPED;
    if (status >= ENGINE_INPUT)
        filter_print_fault(job, status, &why);
    if (!signals_end()) /* after a signal the record is left out */
        filter_warn_open_quote(job->source);
    source_file_close(job->source);
    return status;
}

static void run_files(struct filter_job *job, int n, char **files)
{
    filter_progress_begin(&job->reports.bar, &job->output, n, files,
                          job->times.started);
    for (int i = 0; i < n;
         filter_progress_pass(&job->reports.bar, files[i]), i++) {
        enum engine_status status = run_file(job, n - i, files + i);

        job->trouble |= status >= ENGINE_INPUT;
        if (status == ENGINE_OUTPUT)
            job->lost = !engine_undo_unwritten(job->engine);
        if (status != ENGINE_DONE && status != ENGINE_INPUT)
            return; /* after trouble with one input others may be read */
    }
}

/* Writes warnings, metrics and statistics at the end. */
static void report_end(struct filter_job *job)
{
    filter_warn_at_end(job);
    if (job->reports.metrics.path)
        expose(job, true);
    if (job->reports.stats)
        report(job);
}

static bool make_engine(struct filter_job *job, struct fault *why)
{
    struct engine_config *config = &job->config;

    config->extractor = &job->extractor;
    config->output = &job->output;
    config->host =
        (struct engine_host){.wants_rest = wants_rest,
                             .at_rest = at_rest,
                             .leaves_out_last = leaves_out_last,
                             .clock = job->timed ? clock_of_filter : NULL,
                             .context = job};
    if (config->threads > 1)
        config->pool = pool_create(config->threads);
    job->engine = engine_create(config, job->source->window, why);
    return job->engine;
}

/* Makes a server remember written records, with --at-least-once. */
static void finish_decider(struct filter_job *job)
{
    struct decider *d = engine_config(job->engine)->decider;
    struct fault why;

    if (!d->type->finish || d->type->finish(d, &why))
        return;
    cli_fail("%s; the last records that were written are not remembered",
             why.text);
    job->trouble = true;
}

int filter_run_files(struct filter_job *job, int n, char **files)
{
    static char dash[] = "-";
    char *input[] = {dash};
    struct fault why;

    if (!make_engine(job, &why))
        return cli_fail("%s", why.text);
    job->times.started = clock_now();
    job->times.checkpoint_at = job->times.started + job->every;
    job->times.check_at = filter_first_check(job->filter);
    if (filter_metrics_due(&job->reports.metrics) != UINT64_MAX &&
        filter_metrics_write(&job->reports.metrics, job->engine, job->audit,
                             job->times.started, true) != CLI_OK)
        return CLI_TROUBLE; /* better now than never looked at */
    report_alive(job);
    run_files(job, n ? n : 1, n ? files : input);
    status_line_clear();
    finish_decider(job);
    filter_save(job);
    report_end(job);
    if (job->trouble || job->lost)
        return CLI_TROUBLE;
    return job->check && counts_of(engine_counts(job->engine), VERDICTS_REPEATS)
               ? CLI_FOUND
               : CLI_OK;
}
