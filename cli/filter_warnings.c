/*
 * filter_warnings.c - prints the warnings and errors of a run of the filter
 */
#include "filter_warnings.h"

#include <inttypes.h>
#include <math.h>

#include "command.h"

/* ---- A filter that fills up ------------------------------------------- */

/* Returns whether the filter makes room for new keys by forgetting old ones. */
static bool forgets(const freshet *f)
{
    freshet_rates rates = {.size = sizeof rates};
    freshet_workload endless = {.size = sizeof endless};

    return freshet_expect(&rates, f, &endless, NULL) == 0 &&
           isfinite(rates.reach);
}

/* Warns once that a filter which never forgets has more distinct keys than
   planned, and drops more new records than was asked for. */
static void warn_if_full(struct filter_job *job)
{
    freshet_info info = {.size = sizeof info};

    if (job->warned || !job->filter || forgets(job->filter))
        return;
    freshet_get_info(job->filter, &info);
    if (!info.over_plan || !(info.false_drop > info.wanted))
        return;
    job->warned = true;
    cli_fail("warning: more distinct keys than planned: the rate of false "
             "drops is now %.2g instead of %.2g; use more --memory",
             info.false_drop, info.wanted);
}

void filter_warn_if_full(struct filter_job *job)
{
    uint64_t fresh = engine_counts(job->engine)->verdict[VERDICT_NEW];

    if (fresh < job->times.check_at)
        return;
    job->times.check_at = 2 * fresh;
    warn_if_full(job);
}

uint64_t filter_first_check(const freshet *f)
{
    size_t bytes;

    if (!f)
        return UINT64_MAX;
    (void)freshet_block(f, &bytes);
    return bytes / 64;
}

/* ---- A file ----------------------------------------------------------- */

void filter_print_fault(const struct filter_job *job, enum engine_status status,
                        const struct fault *why)
{
    if (status == ENGINE_UNDECIDED)
        cli_fail("%s; stopped, with %" PRIu64 " records written", why->text,
                 counts_of(engine_counts(job->engine),
                           job->output.mode->shows));
    else if (why->text[0])
        cli_fail("%s", why->text);
}

void filter_warn_open_quote(const struct source *source)
{
    uint64_t line = source_file_open_quote(source);

    if (line)
        cli_fail("warning: %s: the quote that opens in line %" PRIu64
                 " is never closed; all that follows it is one record",
                 source->name, line);
}

/* ---- The end of a run ------------------------------------------------- */

static void warn_malformed(const struct filter_job *job)
{
    uint64_t n = counts_of(engine_counts(job->engine), VERDICTS_MALFORMED);

    if (n)
        cli_fail("warning: %" PRIu64 " malformed record%s %s", n,
                 n == 1 ? "" : "s",
                 job->extractor.malformed == MALFORMED_DROP ? "dropped"
                                                            : "passed");
}

static void warn_undecided(const struct engine_counts *counts)
{
    uint64_t n = counts->verdict[VERDICT_UNDECIDED];

    if (n)
        cli_fail("warning: %" PRIu64 " record%s passed without being compared, "
                 "because no server answered or it no longer had the answer",
                 n, n == 1 ? "" : "s");
}

/* A few late records are usual.  With more of them the window is too short for
   the disorder of the input, or one record's time was too late. */
static void warn_late(const struct engine_counts *counts)
{
    uint64_t late = counts->late, all = counts_of(counts, VERDICTS_COMPARED);

    if (late > all / 100)
        cli_fail("warning: %" PRIu64 " of %" PRIu64 " records came late: they "
                 "were older than --within, and compared at the latest time "
                 "seen; sort the input by time, or use a longer window",
                 late, all);
}

/* Warns if memory was chosen by the input's size and the input grew. */
static void warn_grown(const struct filter_job *job)
{
    uint64_t bytes = engine_counts(job->engine)->bytes_read;
    freshet_info info = {.size = sizeof info};

    if (!job->planned_input || bytes <= job->planned_input)
        return;
    freshet_get_info(job->filter, &info);
    if (info.forgotten && info.forgotten != FRESHET_UNKNOWN)
        cli_fail("warning: the input grew from %" PRIu64 " to %" PRIu64
                 " bytes while it was read, and %" PRIu64 " keys had to be "
                 "forgotten; use more --memory",
                 job->planned_input, bytes, info.forgotten);
}

void filter_warn_at_end(struct filter_job *job)
{
    const struct engine_counts *counts = engine_counts(job->engine);

    if (counts->verdict[VERDICT_NEW] >= filter_first_check(job->filter))
        warn_if_full(job);
    warn_grown(job);
    warn_malformed(job);
    warn_undecided(counts);
    warn_late(counts);
}
