/*
 * filter_run.c - a run of the filter over files: its clock, its signals, its
 * state
 */
#include "filter_run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "signals.h"
#include "stats.h"
#include "status_line.h"

/* In nanoseconds: between looks at a child, and at everything but input. */
enum { CHILD_CHECK = 50000000, REST_EVERY = 20000000 };

/* ---- A filter that fills up ------------------------------------------- */

/* Does the filter make room for new keys by forgetting old ones? */
static bool forgets(const freshet *f)
{
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload endless = {.size = sizeof endless};

    return freshet_expect(&rates, f, &endless, NULL) == 0 &&
           isfinite(rates.reach);
}

/*
 * A filter that never forgets fills up when more distinct keys come than
 * planned.  From then on it loses more than was asked for: say so, once.
 */
static void look(struct filter_run *job)
{
    freshet_info info = {.size = sizeof info};

    if (job->warned || !job->filter || forgets(job->filter))
        return;
    freshet_get_info(job->filter, &info);
    if (!info.over_plan || !(info.false_drop > info.wanted))
        return;
    job->warned = true;
    cli_fail("warning: more distinct keys than planned: of new records %.2g "
             "are dropped by now, %.2g were wanted; more --memory helps",
             info.false_drop, info.wanted);
}

/* Looking reads all of the filter: at each doubling of the stream. */
static void look_now_and_then(struct filter_run *job)
{
    uint64_t fresh = engine_counts(job->engine)->verdict[VERDICT_NEW];

    if (fresh < job->times.look_at)
        return;
    job->times.look_at = 2 * fresh;
    look(job);
}

/* No plan uses more than a line for a key, so that a filter cannot be over
   its plan with fewer keys than lines. */
static uint64_t first_look(const freshet *f)
{
    size_t bytes;

    if (!f)
        return UINT64_MAX;
    (void)freshet_block(f, &bytes);
    return bytes / 64;
}

/* ---- State ------------------------------------------------------------ */

/* What is decided is written; now have it on disk. */
static bool sync_outputs(struct filter_run *job)
{
    const struct sink *sinks[] = {&job->output.out, &job->output.dup};

    for (size_t i = 0; i < 2; i++)
        if (sinks[i]->fd >= 0 && sink_sync(sinks[i]) < 0) {
            cli_fail("%s: %s", sinks[i]->name, strerror(errno));
            job->lost = true;
        }
    return !job->lost;
}

static uint64_t bytes_read(const struct filter_run *job)
{
    return engine_counts(job->engine)->bytes_read;
}

static bool saves(const struct filter_run *job)
{
    return job->state.path && !job->state.read_only;
}

/* Asked for by SIGUSR2, or due while there is something new to save. */
static bool is_due(const struct filter_run *job)
{
    if (signals_checkpoint()) {
        if (saves(job))
            return true;
        cli_fail("SIGUSR2 asks for a checkpoint, and there is no --state to "
                 "save");
    }
    return job->every && clock_now() >= job->times.checkpoint_at &&
           job->times.saved_bytes != bytes_read(job);
}

static void state_trouble(struct filter_run *job, const struct fault *why)
{
    cli_fail("%s", why->text);
    job->trouble = true;
}

/* How the last checkpoint ended; wait: when it has. */
static void reap(struct filter_run *job, bool wait)
{
    struct fault why;

    if (!state_reap(&job->state, wait, &why))
        state_trouble(job, &why);
}

static void checkpoint(struct filter_run *job)
{
    struct fault why;

    reap(job, false);
    if (job->state.child || !is_due(job)) /* one at a time */
        return;
    job->times.checkpoint_at = clock_now() + job->every;
    job->times.saved_bytes = bytes_read(job);
    if (!sync_outputs(job))
        job->trouble = true;
    else if (!state_checkpoint(&job->state, &why))
        state_trouble(job, &why);
}

static void save(struct filter_run *job)
{
    struct fault why;

    if (!saves(job))
        return;
    reap(job, true);
    if (job->lost || !sync_outputs(job)) {
        cli_fail("%s: not saved: what was not written is not remembered",
                 job->state.path);
        job->trouble = true;
    } else if (!state_save(&job->state, &why)) {
        state_trouble(job, &why);
    }
}

/* ---- Telling ---------------------------------------------------------- */

static void report(struct filter_run *job)
{
    freshet_info info = {.size = sizeof info};
    struct decider *d = job->config.decider;
    struct stats stats;

    d->type->info(d, &info);
    stats_take(&stats, job->engine, job->audit, job->times.started, &info);
    stats.memory_from = job->memory_from;
    if (!job->stats_file.path) {
        status_line_clear();
        stats_write(&stats, job->stats, stderr);
    } else if (stats_file_write(&job->stats_file, &stats, job->stats) < 0) {
        cli_fail("%s: statistics not written: %s", job->stats_file.path,
                 strerror(errno));
        job->trouble = true;
    }
}

static void expose(struct filter_run *job)
{
    if (prometheus_file_write(&job->metrics, job->engine, job->audit,
                              job->times.started) != CLI_OK)
        job->trouble = true;
}

static void tell(struct filter_run *job)
{
    uint64_t now = job->metrics.path || job->bar.wanted ? clock_now() : 0;

    if (job->metrics.path && now >= job->metrics.due)
        expose(job);
    if (job->bar.wanted && now >= job->bar.due)
        filter_progress_show(&job->bar, job->engine,
                             source_file_taken(job->source), job->times.started,
                             now);
}

/* ---- The run ---------------------------------------------------------- */

/* How long to wait for input: until something else is due; 0: for ever. */
static uint64_t patience(const struct filter_run *job)
{
    uint64_t now = clock_now(), due = UINT64_MAX;

    if (job->every && job->times.saved_bytes != bytes_read(job))
        due = job->times.checkpoint_at;
    if (job->metrics.path && job->metrics.due < due)
        due = job->metrics.due;
    if (job->bar.wanted && job->bar.due < due)
        due = job->bar.due;
    if (job->state.child && now + CHILD_CHECK < due)
        due = now + CHILD_CHECK;
    if (due == UINT64_MAX)
        return 0;
    return due > now ? due - now : 1;
}

/* Saved, time must mean the same after a restart: the clock on the wall. */
static uint64_t clock_of_filter(void *context)
{
    const struct filter_run *job = context;

    return job->state.path ? clock_wall() : clock_now();
}

static bool is_ready(const struct filter_run *job)
{
    return job->source->type->is_ready(job->source);
}

static bool at_rest(void *context)
{
    struct filter_run *job = context;
    bool ready = false;

    look_now_and_then(job);
    do {
        if (signals_end())
            return false;
        if (signals_report())
            report(job);
        checkpoint(job);
        tell(job);
        if (job->lost)
            return false;
        ready = is_ready(job) || signals_wait(job->source->fd, patience(job));
    } while (!ready);
    job->times.rest_at = clock_now() + REST_EVERY;
    return true;
}

/* Statistics and checkpoints wait for a moment; the end does not. */
static bool wants_rest(void *context)
{
    const struct filter_run *job = context;

    return clock_now() >= job->times.rest_at || signals_end() || !is_ready(job);
}

/* The signal may have ended the writer in the middle of a record. */
static bool leaves_out_last(void *context)
{
    (void)context;
    return signals_end();
}

static void tell_fault(const struct filter_run *job, enum engine_status status,
                       const struct fault *why)
{
    if (status == ENGINE_UNDECIDED)
        cli_fail("%s; stopped, with %" PRIu64 " records written", why->text,
                 counts_of(engine_counts(job->engine),
                           job->output.mode->shows));
    else if (why->text[0])
        cli_fail("%s", why->text);
}

/* All records after a quote that is never closed were taken for one record. */
static void tell_open_quote(const struct source *source)
{
    uint64_t line = source_file_open_quote(source);

    if (line)
        cli_fail("warning: %s: the quote that opens in line %" PRIu64
                 " is never closed; all that follows it is one record",
                 source->name, line);
}

static enum engine_status run_file(struct filter_run *job, const char *name)
{
    enum engine_status status;
    struct fault why;

    if (!source_file_open(job->source, name)) {
        if (errno == EINTR) /* told to end while waiting for a writer */
            return ENGINE_STOPPED;
        cli_fail("%s: %s", name, strerror(errno));
        return ENGINE_INPUT;
    }
    status = engine_run(job->engine, job->source, &why);
    if (status >= ENGINE_INPUT)
        tell_fault(job, status, &why);
    if (!signals_end()) /* after a signal the record is left out */
        tell_open_quote(job->source);
    source_file_close(job->source);
    return status;
}

static void run_files(struct filter_run *job, int n, char **files)
{
    filter_progress_begin(&job->bar, &job->output, n, files,
                          job->times.started);
    for (int i = 0; i < n; filter_progress_pass(&job->bar, files[i]), i++) {
        enum engine_status status = run_file(job, files[i]);

        job->trouble |= status >= ENGINE_INPUT;
        if (status == ENGINE_OUTPUT)
            job->lost = !engine_undo_unwritten(job->engine);
        if (status != ENGINE_DONE && status != ENGINE_INPUT)
            return; /* after trouble with one input others may do */
    }
}

/* What was not as it should be is not passed over in silence. */
static void tell_malformed(const struct filter_run *job)
{
    uint64_t n = counts_of(engine_counts(job->engine), VERDICTS_MALFORMED);

    if (n)
        cli_fail("warning: %" PRIu64 " malformed record%s %s", n,
                 n == 1 ? "" : "s",
                 job->extractor.malformed == MALFORMED_DROP ? "dropped"
                                                            : "passed");
}

static void tell_unasked(const struct engine_counts *counts)
{
    uint64_t n = counts->verdict[VERDICT_UNDECIDED];

    if (n)
        cli_fail("warning: %" PRIu64 " record%s passed uncompared, for no "
                 "server answered or it had forgotten its answer",
                 n, n == 1 ? "" : "s");
}

/* A few late records are usual.  More of them: the window is too short for how
   far the input is out of order, or a record's time ran ahead. */
static void tell_late(const struct engine_counts *counts)
{
    uint64_t late = counts->late, all = counts_of(counts, VERDICTS_COMPARED);

    if (late > all / 100)
        cli_fail("warning: %" PRIu64 " of %" PRIu64 " records came late: they "
                 "were older than --within, and compared at the latest time "
                 "seen; sort the input by time, or use a longer window",
                 late, all);
}

/* Memory was chosen by the input's size, and there came more of it. */
static void tell_grown(const struct filter_run *job)
{
    uint64_t bytes = bytes_read(job);
    freshet_info info = {.size = sizeof info};

    if (!job->planned_input || bytes <= job->planned_input)
        return;
    freshet_get_info(job->filter, &info);
    if (info.forgotten && info.forgotten != FRESHET_UNKNOWN)
        cli_fail("warning: the input grew from %" PRIu64 " to %" PRIu64
                 " bytes while it was read, and %" PRIu64 " keys had to be "
                 "forgotten; --memory keeps more",
                 job->planned_input, bytes, info.forgotten);
}

/* What users should know when it is over. */
static void tell_end(struct filter_run *job)
{
    const struct engine_counts *counts = engine_counts(job->engine);

    if (counts->verdict[VERDICT_NEW] >= first_look(job->filter))
        look(job);
    tell_grown(job);
    tell_malformed(job);
    tell_unasked(counts);
    tell_late(counts);
    if (job->metrics.path) {
        job->metrics.look_at = 0; /* the last word is exact */
        expose(job);
    }
    if (job->stats)
        report(job);
}

static bool make_engine(struct filter_run *job, struct fault *why)
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

/* What was written is remembered only now, where that was asked for. */
static void finish_decider(struct filter_run *job)
{
    struct decider *d = engine_config(job->engine)->decider;
    struct fault why;

    if (!d->type->finish || d->type->finish(d, &why))
        return;
    cli_fail("%s; the last records that were written are not remembered",
             why.text);
    job->trouble = true;
}

int filter_run_files(struct filter_run *job, int n, char **files)
{
    static char dash[] = "-";
    char *input[] = {dash};
    struct fault why;

    if (!make_engine(job, &why))
        return cli_fail("%s", why.text);
    job->times.started = clock_now();
    job->times.checkpoint_at = job->times.started + job->every;
    job->times.look_at = first_look(job->filter);
    if (job->metrics.path &&
        prometheus_file_write(&job->metrics, job->engine, job->audit,
                              job->times.started) != CLI_OK)
        return CLI_TROUBLE; /* better now than never looked at */
    run_files(job, n ? n : 1, n ? files : input);
    status_line_clear();
    finish_decider(job);
    save(job);
    tell_end(job);
    if (job->trouble || job->lost)
        return CLI_TROUBLE;
    return job->check && counts_of(engine_counts(job->engine), VERDICTS_REPEATS)
               ? CLI_FOUND
               : CLI_OK;
}
