/*
 * filter_state.c - when a run of the filter saves its state
 */
#include "filter_state.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "signals.h"

/* Makes written records durable.  Returns false on error. */
static bool sync_outputs(struct filter_job *job)
{
    struct sink *sinks[] = {&job->output.out, &job->output.dup};
    bool synced = true;

    for (size_t i = 0; i < 2; i++)
        if (sinks[i]->fd >= 0 && sink_sync(sinks[i]) < 0) {
            cli_fail("%s: %s", sinks[i]->name, strerror(errno));
            job->lost = true;
            synced = false;
        }
    return synced;
}

static bool saves(const struct filter_job *job)
{
    return job->state.path && !job->state.read_only;
}

/* Returns whether a checkpoint is to be made: SIGUSR2 requested it, or it is
   due and there is something new to save. */
static bool is_due(const struct filter_job *job)
{
    if (signals_checkpoint()) {
        if (saves(job))
            return true;
        cli_fail(
            "SIGUSR2 requests a checkpoint, but there is no --state to save");
    }
    return job->every && clock_now() >= job->times.checkpoint_at &&
           job->times.saved_bytes != engine_counts(job->engine)->bytes_read;
}

static void state_trouble(struct filter_job *job, const struct fault *why)
{
    cli_fail("%s", why->text);
    job->trouble = true;
}

/* Collects the result of the last checkpoint, if it has ended or wait is
   true. */
static void reap(struct filter_job *job, bool wait)
{
    struct fault why;

    if (!state_reap(&job->state, wait, &why))
        state_trouble(job, &why);
}

/* No other thread may hold a lock when the process forks. */
static void fork_checkpoint(struct filter_job *job)
{
    struct fault why;
    bool good;

    source_file_pause(job->source);
    good = state_checkpoint(&job->state, &why);
    source_file_resume(job->source);
    if (!good)
        state_trouble(job, &why);
}

void filter_checkpoint(struct filter_job *job)
{
    reap(job, false);
    if (job->state.child || !is_due(job)) /* one at a time */
        return;
    job->times.checkpoint_at = clock_now() + job->every;
    job->times.saved_bytes = engine_counts(job->engine)->bytes_read;
    if (!sync_outputs(job))
        job->trouble = true;
    else
        fork_checkpoint(job);
}

void filter_save(struct filter_job *job)
{
    struct fault why;

    if (!saves(job))
        return;
    reap(job, true);
    if (job->lost || !sync_outputs(job)) {
        cli_fail("%s: not saved, because some records were not written",
                 job->state.path);
        job->trouble = true;
    } else if (!state_save(&job->state, &why)) {
        state_trouble(job, &why);
    }
}
