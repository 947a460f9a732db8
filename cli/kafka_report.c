/*
 * kafka_report.c - statistics, metrics, progress and health of freshet kafka
 */
#include "kafka_report.h"

#ifdef FRESHET_HAVE_RDKAFKA

#    include <errno.h>
#    include <inttypes.h>
#    include <string.h>
#    include <unistd.h>

#    include "atomic_file.h"
#    include "clock.h"
#    include "command.h"
#    include "number.h"
#    include "signals.h"
#    include "stats.h"
#    include "status_line.h"

#    define METRICS_EVERY  UINT64_C(5000000000) /* ns */
#    define PROGRESS_EVERY UINT64_C(500000000)

/* ---- Figures ---------------------------------------------------------- */

/* Takes the figures.  Filters are inspected if `exact` is set, else so seldom
   that it takes at most a hundredth of the time. */
static bool take(struct kafka_report *r, const struct kafka *k, bool exact)
{
    uint64_t begin = clock_now(), end;
    bool inside = exact || begin >= r->check_at;

    if (!kafka_snapshot_take(&r->snapshot, k, inside)) {
        cli_fail("no memory for the figures of %" PRId32 " partitions",
                 kafka_partitions(k));
        r->trouble = true;
        return false;
    }
    end = clock_now();
    if (inside)
        r->check_at = end + 100 * (end - begin);
    return true;
}

static void write_figures(const struct kafka_report *r, int form, FILE *out)
{
    double seconds = (double)(clock_now() - r->started) / 1e9;

    kafka_snapshot_write(&r->snapshot, seconds, form, out);
}

/* ---- Files ------------------------------------------------------------ */

struct report_file {
    const struct kafka_report *report;
    int form;
};

static int write_to(int fd, const void *what)
{
    const struct report_file *f = what;
    int copy = dup(fd);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    bool failed;

    if (!out)
        return -1;
    write_figures(f->report, f->form, out);
    failed = ferror(out);
    return fclose(out) != 0 || failed ? -1 : 0;
}

static void replace(struct kafka_report *r, const char *path, int form)
{
    struct report_file file = {r, form};
    struct atomic_file how = {.mode = 0644, .write = write_to, .what = &file};

    if (atomic_file_write(path, &how) == 0)
        return;
    if (!r->trouble)
        cli_fail("%s: not written: %s", path, strerror(errno));
    r->trouble = true;
}

static void show_stats(struct kafka_report *r)
{
    int form = r->stats ? r->stats : STATS_TEXT;

    if (r->stats_output) {
        replace(r, r->stats_output, form);
        return;
    }
    status_line_clear();
    write_figures(r, form, stderr);
    if (ferror(stderr)) /* which cannot be told there */
        r->trouble = true;
}

/* ---- Progress and health ---------------------------------------------- */

static void show_progress(const struct kafka_report *r, uint64_t now)
{
    const double *sum = r->snapshot.sum;
    double seconds = (double)(now - r->started) / 1e9;
    double decided = sum[KAFKA_RECORDS];
    char all[NUMBER_TEXT], rate[NUMBER_TEXT], lag[NUMBER_TEXT];

    status_line_show("%s messages, %s/s, %.0f%% new, lag %s",
                     number_text(all, decided),
                     number_text(rate, decided / seconds),
                     decided > 0 ? 100 * sum[KAFKA_NEW] / decided : 0,
                     number_text(lag, sum[KAFKA_LAG]));
}

/* Reports progress to /healthz: messages are decided, or none wait and a broker
   has answered since the last checkpoint. */
static void check_health(struct kafka_report *r, const struct kafka *k,
                         uint64_t now)
{
    const double *sum = r->snapshot.sum;
    double done = sum[KAFKA_RECORDS] + sum[KAFKA_REBUILT];
    uint64_t limit = METRICS_SERVER_SILENCE;
    uint64_t answered_at = kafka_answered_at(k);
    struct fault why = {""};

    if (done > r->done || sum[KAFKA_LAG] <= 0 || !r->moved_at)
        r->moved_at = now;
    r->done = done;
    if (now > r->moved_at + limit)
        fault_set(&why,
                  "%.0f messages wait, and none was decided for %" PRIu64 " s",
                  sum[KAFKA_LAG], (now - r->moved_at) / 1000000000);
    if (now > answered_at + limit + r->checkpoint)
        fault_set(&why, "no broker has answered for %" PRIu64 " s",
                  (now - answered_at) / 1000000000);
    metrics_server_alive(r->server, why.text[0] ? why.text : NULL);
}

static void publish(struct kafka_report *r)
{
    FILE *out = metrics_server_begin(r->server);

    if (!out)
        return;
    write_figures(r, STATS_PROMETHEUS, out);
    metrics_server_publish(r->server, out);
}

/* ---- When ------------------------------------------------------------- */

void kafka_report_tick(struct kafka_report *r, const struct kafka *k)
{
    uint64_t now = clock_now();

    if (signals_report() && take(r, k, true))
        show_stats(r);
    if (r->metrics && now >= r->metrics_due && take(r, k, false)) {
        replace(r, r->metrics, STATS_PROMETHEUS);
        r->metrics_due = now + METRICS_EVERY;
    }
    if (r->server && now >= metrics_server_due(r->server) &&
        take(r, k, false)) {
        publish(r);
        check_health(r, k, now);
    }
    if (r->progress && now >= r->progress_due && take(r, k, false)) {
        show_progress(r, now);
        r->progress_due = now + PROGRESS_EVERY;
    }
}

void kafka_report_end(struct kafka_report *r, const struct kafka *k)
{
    status_line_clear();
    if ((!r->metrics && !r->stats && !r->stats_output) || !take(r, k, true))
        return;
    if (r->metrics)
        replace(r, r->metrics, STATS_PROMETHEUS);
    if (r->stats || r->stats_output)
        show_stats(r);
}

#endif
