/*
 * kafka_figures.c - the figures of freshet kafka as text, as JSON and for
 * Prometheus
 */
#include "kafka_figures.h"

const struct kafka_row kafka_rows[] = {
    [KAFKA_RECORDS] = {"records", true, "Messages decided."},
    [KAFKA_NEW] = {"new", true, "Messages whose key was not remembered."},
    [KAFKA_REPEATS] = {"repeats", true, "Messages whose key was remembered."},
    [KAFKA_PASSED] = {"passed", true,
                      "Messages let through without being compared."},
    [KAFKA_DROPPED] = {"dropped", true,
                       "Messages held back without being compared."},
    [KAFKA_MALFORMED] = {"malformed", true,
                         "Messages passed or dropped because they are "
                         "malformed."},
    [KAFKA_LATE] = {"late", true,
                    "Messages compared though they were older than the "
                    "window."},
    [KAFKA_BYTES_READ] = {"bytes_read", true, "Bytes of values and keys read."},
    [KAFKA_BYTES_WRITTEN] = {"bytes_written", true,
                             "Bytes of values and keys produced."},
    [KAFKA_PRODUCED] = {"produced", true, "Messages produced to the output."},
    [KAFKA_MATCHED] = {"matched", true,
                       "Messages that the output had already after a "
                       "restart."},
    [KAFKA_FOREIGN] = {"foreign", true,
                       "Messages of others, found in the output after a "
                       "restart."},
    [KAFKA_REBUILT] = {"rebuilt", true,
                       "Messages of the output that a filter was rebuilt "
                       "from."},
    [KAFKA_NEXT_OFFSET] = {"next_offset", false, "Offset of the next message."},
    [KAFKA_LAG] = {"lag", false,
                   "Messages of the input that are not decided yet."},
    [KAFKA_MEMORY] = {"memory_bytes", false, "Size of the filter."},
    [KAFKA_FILL] = {"fill", false,
                    "Share of the filter's slots that are in use."},
    [KAFKA_FALSE_DROP] = {"false_drop", false,
                          "False drops to expect from here on, as a share of "
                          "new messages."},
    [KAFKA_ROWS] = {0},
};

#ifdef FRESHET_HAVE_RDKAFKA

#    include <inttypes.h>
#    include <math.h>
#    include <stdlib.h>
#    include <string.h>

#    include "json_writer.h"
#    include "stats.h"

/* ---- Taking ----------------------------------------------------------- */

static bool is_from_inside(int row)
{
    return row == KAFKA_FILL || row == KAFKA_FALSE_DROP;
}

static void set_counts(const struct kafka_figures *f, double v[KAFKA_ROWS])
{
    const struct engine_counts *c = &f->counts;

    v[KAFKA_RECORDS] = (double)counts_of(c, VERDICTS_ALL);
    v[KAFKA_NEW] = (double)c->verdict[VERDICT_NEW];
    v[KAFKA_REPEATS] = (double)counts_of(c, VERDICTS_REPEATS);
    v[KAFKA_PASSED] = (double)counts_of(c, VERDICTS_PASSED);
    v[KAFKA_DROPPED] = (double)counts_of(c, VERDICTS_DROPPED);
    v[KAFKA_MALFORMED] = (double)counts_of(c, VERDICTS_MALFORMED);
    v[KAFKA_LATE] = (double)c->late;
    v[KAFKA_BYTES_READ] = (double)c->bytes_read;
    v[KAFKA_BYTES_WRITTEN] = (double)f->written;
    v[KAFKA_PRODUCED] = (double)f->produced;
    v[KAFKA_MATCHED] = (double)f->matched;
    v[KAFKA_FOREIGN] = (double)f->foreign;
    v[KAFKA_REBUILT] = (double)f->rebuilt;
}

/* Sets the figures that only a partition has which is assigned. */
static void set_gauges(const struct kafka_figures *f, bool inside,
                       double v[KAFKA_ROWS])
{
    const freshet_info *i = &f->info;

    for (int row = KAFKA_NEXT_OFFSET; row < KAFKA_ROWS; row++)
        if (!f->assigned || inside || !is_from_inside(row))
            v[row] = (double)NAN;
    if (!f->assigned)
        return;
    v[KAFKA_NEXT_OFFSET] = (double)f->next;
    if (f->lag >= 0)
        v[KAFKA_LAG] = (double)f->lag;
    if (i->memory)
        v[KAFKA_MEMORY] = (double)i->memory;
    if (i->memory && inside) {
        v[KAFKA_FILL] = (double)i->used / (double)i->slots;
        v[KAFKA_FALSE_DROP] = i->false_drop;
    }
}

/* Makes room for the topic's partitions, of which nothing is known yet. */
static bool make_room(struct kafka_snapshot *s, int32_t partitions)
{
    if (s->partitions == partitions)
        return true;
    s->partition = calloc((size_t)partitions, sizeof *s->partition);
    if (!s->partition)
        return false;
    s->partitions = partitions;
    for (int32_t i = 0; i < partitions; i++)
        for (int row = 0; row < KAFKA_ROWS; row++)
            s->partition[i].v[row] = (double)NAN;
    return true;
}

bool kafka_snapshot_take(struct kafka_snapshot *s, const struct kafka *k,
                         bool inside)
{
    struct kafka_figures f;

    if (!make_room(s, kafka_partitions(k)))
        return false;
    memset(s->sum, 0, sizeof s->sum);
    for (int32_t i = 0; i < s->partitions; i++) {
        struct kafka_values *p = &s->partition[i];

        kafka_get_figures(k, i, inside, &f);
        p->is_assigned = f.assigned;
        p->is_shown = f.assigned || counts_of(&f.counts, VERDICTS_ALL);
        set_counts(&f, p->v);
        set_gauges(&f, inside, p->v);
        for (int row = 0; row < KAFKA_ROWS; row++)
            s->sum[row] += isnan(p->v[row]) ? 0 : p->v[row];
    }
    return true;
}

void kafka_snapshot_free(struct kafka_snapshot *s)
{
    free(s->partition);
    *s = (struct kafka_snapshot){0};
}

/* ---- Forms ------------------------------------------------------------ */

static void print_text(const struct kafka_snapshot *s, double seconds,
                       FILE *out)
{
    static const int shown[] = {KAFKA_RECORDS, KAFKA_NEW,     KAFKA_REPEATS,
                                KAFKA_PASSED,  KAFKA_DROPPED, KAFKA_PRODUCED,
                                KAFKA_MATCHED, KAFKA_FOREIGN, KAFKA_NEXT_OFFSET,
                                KAFKA_LAG};
    enum { SHOWN = sizeof shown / sizeof *shown };

    fprintf(out, "%-10s", "partition");
    for (int i = 0; i < SHOWN; i++)
        fprintf(out, " %11s", kafka_rows[shown[i]].name);
    for (int32_t p = 0; p < s->partitions; p++) {
        const double *v = s->partition[p].v;

        if (!s->partition[p].is_shown)
            continue;
        fprintf(out, "\n%-10" PRId32, p);
        for (int i = 0; i < SHOWN; i++)
            if (isnan(v[shown[i]]))
                fprintf(out, " %11s", "-");
            else
                fprintf(out, " %11.0f", v[shown[i]]);
    }
    fprintf(out, "\n%-10s", "all");
    for (int i = 0; i < SHOWN; i++)
        if (shown[i] == KAFKA_NEXT_OFFSET)
            fprintf(out, " %11s", "");
        else
            fprintf(out, " %11.0f", s->sum[shown[i]]);
    fprintf(out, "\nseconds    %11.3f\n", seconds);
}

static void json_values(struct json *j, const double v[KAFKA_ROWS],
                        bool counters)
{
    for (int row = 0; row < KAFKA_ROWS; row++)
        if (!isnan(v[row]) && (!counters || kafka_rows[row].is_counter))
            json_real(j, kafka_rows[row].name, v[row]);
}

static void print_json(const struct kafka_snapshot *s, double seconds,
                       FILE *out)
{
    struct json j = {.to = out};

    json_begin(&j, NULL, '{');
    json_values(&j, s->sum, true);
    json_real(&j, "seconds", seconds);
    json_text(&j, "version", freshet_version());
    json_begin(&j, "partitions", '[');
    for (int32_t p = 0; p < s->partitions; p++) {
        if (!s->partition[p].is_shown)
            continue;
        json_begin(&j, NULL, '{');
        json_count(&j, "partition", (uint64_t)p);
        json_bool(&j, "assigned", s->partition[p].is_assigned);
        json_values(&j, s->partition[p].v, false);
        json_end(&j, '}');
    }
    json_end(&j, ']');
    json_end(&j, '}');
    putc('\n', out);
}

static void expose_row(const struct kafka_snapshot *s, int row, FILE *out)
{
    const struct kafka_row *r = &kafka_rows[row];
    const char *end = r->is_counter ? "_total" : "";

    fprintf(out, "# HELP freshet_kafka_%s%s %s\n", r->name, end, r->help);
    fprintf(out, "# TYPE freshet_kafka_%s%s %s\n", r->name, end,
            r->is_counter ? "counter" : "gauge");
    for (int32_t p = 0; p < s->partitions; p++)
        if (s->partition[p].is_shown && !isnan(s->partition[p].v[row]))
            fprintf(out,
                    "freshet_kafka_%s%s{partition=\"%" PRId32 "\"} %.12g\n",
                    r->name, end, p, s->partition[p].v[row]);
}

static void expose(const struct kafka_snapshot *s, double seconds, FILE *out)
{
    fprintf(out,
            "# HELP freshet_info Version and settings of the run.\n# TYPE "
            "freshet_info gauge\n"
            "freshet_info{version=\"%s\"} 1\n"
            "# HELP freshet_seconds_total Time since the run began.\n"
            "# TYPE freshet_seconds_total counter\nfreshet_seconds_total "
            "%.3f\n",
            freshet_version(), seconds);
    for (int row = 0; row < KAFKA_ROWS; row++)
        expose_row(s, row, out);
}

void kafka_snapshot_write(const struct kafka_snapshot *s, double seconds,
                          int form, FILE *out)
{
    if (form == STATS_PROMETHEUS)
        expose(s, seconds, out);
    else if (form == STATS_JSON)
        print_json(s, seconds, out);
    else
        print_text(s, seconds, out);
}

#endif
