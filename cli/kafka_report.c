/*
 * kafka_report.c - the figures of freshet kafka, for each partition
 */
#include "kafka_report.h"

const struct kafka_row kafka_rows[] = {
    {"records", true, "Messages decided."},
    {"new", true, "Messages whose key was not remembered."},
    {"repeats", true, "Messages whose key was remembered."},
    {"passed", true, "Messages let through without being compared."},
    {"dropped", true, "Messages held back without being compared."},
    {"malformed", true,
     "Messages passed or dropped because they are "
     "malformed."},
    {"late", true, "Messages compared though they were older than the window."},
    {"bytes_read", true, "Bytes of values and keys read."},
    {"bytes_written", true, "Bytes of values and keys produced."},
    {"produced", true, "Messages produced to the output."},
    {"matched", true, "Messages that the output had already after a restart."},
    {"foreign", true,
     "Messages of others, found in the output after a "
     "restart."},
    {"rebuilt", true,
     "Messages of the output that a filter was rebuilt "
     "from."},
    {"next_offset", false, "Offset of the next message."},
    {"lag", false, "Messages of the input that are not decided yet."},
    {"memory_bytes", false, "Size of the filter."},
    {"fill", false, "Share of the filter's slots that are in use."},
    {"false_drop", false,
     "False drops to expect from here on, as a share of "
     "new messages."},
    {0},
};

#ifdef FRESHET_HAVE_RDKAFKA

#    include <errno.h>
#    include <inttypes.h>
#    include <math.h>
#    include <string.h>
#    include <unistd.h>

#    include "atomic_file.h"
#    include "clock.h"
#    include "command.h"
#    include "json_writer.h"
#    include "number.h"
#    include "signals.h"
#    include "stats.h"
#    include "status_line.h"

#    define METRICS_EVERY  UINT64_C(5000000000) /* ns */
#    define PROGRESS_EVERY UINT64_C(500000000)

enum { ROWS = sizeof kafka_rows / sizeof *kafka_rows - 1 };

/* Computes the values of the rows; NaN: unknown. */
static void values_of(const struct kafka_figures *f, double v[ROWS])
{
    const struct engine_counts *c = &f->counts;
    const freshet_info *i = &f->info;
    bool ours = f->assigned;
    bool inside = ours && i->memory && i->size == sizeof *i;
    const double all[ROWS] = {
        (double)counts_of(c, VERDICTS_ALL),
        (double)c->verdict[VERDICT_NEW],
        (double)counts_of(c, VERDICTS_REPEATS),
        (double)counts_of(c, VERDICTS_PASSED),
        (double)counts_of(c, VERDICTS_DROPPED),
        (double)counts_of(c, VERDICTS_MALFORMED),
        (double)c->late,
        (double)c->bytes_read,
        (double)f->written,
        (double)f->produced,
        (double)f->matched,
        (double)f->foreign,
        (double)f->rebuilt,
        ours ? (double)f->next : (double)NAN,
        ours && f->lag >= 0 ? (double)f->lag : (double)NAN,
        ours && i->memory ? (double)i->memory : (double)NAN,
        inside ? (double)i->used / (double)i->slots : (double)NAN,
        inside ? i->false_drop : (double)NAN,
    };

    memcpy(v, all, sizeof all);
}

static bool is_shown(const struct kafka_figures *f)
{
    return f->assigned || counts_of(&f->counts, VERDICTS_ALL);
}

/* ---- Forms ------------------------------------------------------------ */

/* Sums the figures that can be added; the others exist only for partitions. */
static void sum_of(const struct kafka *k, double sum[ROWS])
{
    struct kafka_figures f;
    double v[ROWS];

    memset(sum, 0, ROWS * sizeof *sum);
    for (int32_t i = 0; i < kafka_partitions(k); i++) {
        kafka_get_figures(k, i, false, &f);
        values_of(&f, v);
        for (int row = 0; row < ROWS; row++)
            sum[row] += isnan(v[row]) ? 0 : v[row];
    }
}

static void print_text(const struct kafka *k, double seconds, FILE *out)
{
    static const int shown[] = {0, 1, 2, 3, 4, 9, 10, 11, 13, 14};
    enum { SHOWN = sizeof shown / sizeof *shown };
    struct kafka_figures f;
    double v[ROWS];

    fprintf(out, "%-10s", "partition");
    for (int i = 0; i < SHOWN; i++)
        fprintf(out, " %11s", kafka_rows[shown[i]].name);
    for (int32_t i = 0; i < kafka_partitions(k); i++) {
        kafka_get_figures(k, i, false, &f);
        if (!is_shown(&f))
            continue;
        values_of(&f, v);
        fprintf(out, "\n%-10" PRId32, i);
        for (int s = 0; s < SHOWN; s++)
            if (isnan(v[shown[s]]))
                fprintf(out, " %11s", "-");
            else
                fprintf(out, " %11.0f", v[shown[s]]);
    }
    sum_of(k, v);
    fprintf(out, "\n%-10s", "all");
    for (int s = 0; s < SHOWN; s++)
        if (shown[s] == 13)
            fprintf(out, " %11s", "");
        else
            fprintf(out, " %11.0f", v[shown[s]]);
    fprintf(out, "\nseconds    %11.3f\n", seconds);
}

static void json_values(struct json *j, const double v[ROWS], bool counters)
{
    for (int row = 0; row < ROWS; row++)
        if (!isnan(v[row]) && (!counters || kafka_rows[row].is_counter))
            json_real(j, kafka_rows[row].name, v[row]);
}

static void print_json(const struct kafka *k, double seconds, FILE *out)
{
    struct json j = {.to = out};
    struct kafka_figures f;
    double v[ROWS];

    json_begin(&j, NULL, '{');
    sum_of(k, v);
    json_values(&j, v, true);
    json_real(&j, "seconds", seconds);
    json_text(&j, "version", freshet_version());
    json_begin(&j, "partitions", '[');
    for (int32_t i = 0; i < kafka_partitions(k); i++) {
        kafka_get_figures(k, i, true, &f);
        if (!is_shown(&f))
            continue;
        values_of(&f, v);
        json_begin(&j, NULL, '{');
        json_count(&j, "partition", (uint64_t)i);
        json_bool(&j, "assigned", f.assigned);
        json_values(&j, v, false);
        json_end(&j, '}');
    }
    json_end(&j, ']');
    json_end(&j, '}');
    putc('\n', out);
}

static void expose(const struct kafka *k, double seconds, FILE *out)
{
    struct kafka_figures f;
    double v[ROWS];

    fprintf(out,
            "# HELP freshet_info Version and settings of the run.\n# TYPE "
            "freshet_info gauge\n"
            "freshet_info{version=\"%s\"} 1\n"
            "# HELP freshet_seconds_total Time since the run began.\n"
            "# TYPE freshet_seconds_total counter\nfreshet_seconds_total "
            "%.3f\n",
            freshet_version(), seconds);
    for (int row = 0; row < ROWS; row++) {
        const struct kafka_row *r = &kafka_rows[row];
        const char *end = r->is_counter ? "_total" : "";

        fprintf(out, "# HELP freshet_kafka_%s%s %s\n", r->name, end, r->help);
        fprintf(out, "# TYPE freshet_kafka_%s%s %s\n", r->name, end,
                r->is_counter ? "counter" : "gauge");
        for (int32_t i = 0; i < kafka_partitions(k); i++) {
            kafka_get_figures(k, i, row >= ROWS - 2, &f);
            values_of(&f, v);
            if (is_shown(&f) && !isnan(v[row]))
                fprintf(out,
                        "freshet_kafka_%s%s{partition=\"%" PRId32 "\"} %.12g\n",
                        r->name, end, i, v[row]);
        }
    }
}

void kafka_report_write(const struct kafka *k, uint64_t started, int form,
                        FILE *out)
{
    double seconds = (double)(clock_now() - started) / 1e9;

    if (form == STATS_PROMETHEUS)
        expose(k, seconds, out);
    else if (form == STATS_JSON)
        print_json(k, seconds, out);
    else
        print_text(k, seconds, out);
}

/* ---- Files ------------------------------------------------------------ */

struct report_file {
    const struct kafka *k;
    uint64_t started;
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
    kafka_report_write(f->k, f->started, f->form, out);
    failed = ferror(out);
    return fclose(out) != 0 || failed ? -1 : 0;
}

static void replace(struct kafka_report *r, const struct kafka *k,
                    const char *path, int form)
{
    struct report_file file = {k, r->started, form};
    struct atomic_file how = {.mode = 0644, .write = write_to, .what = &file};

    if (atomic_file_write(path, &how) == 0)
        return;
    if (!r->trouble)
        cli_fail("%s: not written: %s", path, strerror(errno));
    r->trouble = true;
}

static void show_stats(struct kafka_report *r, const struct kafka *k)
{
    int form = r->stats ? r->stats : STATS_TEXT;

    if (r->stats_output) {
        replace(r, k, r->stats_output, form);
        return;
    }
    status_line_clear();
    kafka_report_write(k, r->started, form, stderr);
}

static void show_progress(const struct kafka_report *r, const struct kafka *k,
                          uint64_t now)
{
    double v[ROWS], seconds = (double)(now - r->started) / 1e9;
    char all[NUMBER_TEXT], rate[NUMBER_TEXT], lag[NUMBER_TEXT];

    sum_of(k, v);
    status_line_show("%s messages, %s/s, %.0f%% new, lag %s",
                     number_text(all, v[0]), number_text(rate, v[0] / seconds),
                     v[0] > 0 ? 100 * v[1] / v[0] : 0, number_text(lag, v[14]));
}

void kafka_report_tick(struct kafka_report *r, const struct kafka *k)
{
    uint64_t now = clock_now();

    if (signals_report())
        show_stats(r, k);
    if (r->metrics && now >= r->metrics_due) {
        replace(r, k, r->metrics, STATS_PROMETHEUS);
        r->metrics_due = now + METRICS_EVERY;
    }
    if (r->progress && now >= r->progress_due) {
        show_progress(r, k, now);
        r->progress_due = now + PROGRESS_EVERY;
    }
}

void kafka_report_end(struct kafka_report *r, const struct kafka *k)
{
    status_line_clear();
    if (r->metrics)
        replace(r, k, r->metrics, STATS_PROMETHEUS);
    if (r->stats || r->stats_output)
        show_stats(r, k);
}

#endif
