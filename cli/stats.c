/*
 * stats.c - prints the figures of a run as text, as JSON and for Prometheus
 */
#include "stats.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "clock.h"
#include "json_writer.h"
#include "size.h"

#define AT(field) offsetof(struct stats, field)

const struct stats_row stats_rows[] = {
    {"records", STATS_COUNTER, false, AT(records), "",
     "Records read: new, repeats, passed and dropped."},
    {"new", STATS_COUNTER, false, AT(counts.verdict[VERDICT_NEW]), "",
     "Records whose key was not remembered."},
    {"repeats", STATS_COUNTER, false, AT(repeats), "",
     "Records whose key was remembered."},
    {"passed", STATS_COUNTER, false, AT(passed), "",
     "Records let through without being compared."},
    {"dropped", STATS_COUNTER, false, AT(dropped), "",
     "Records held back without being compared."},
    {"bytes_read", STATS_COUNTER, false, AT(counts.bytes_read), "",
     "Bytes read, after decompression."},
    {"bytes_written", STATS_COUNTER, false, AT(written), "",
     "Bytes written to the output."},
    {"malformed", STATS_COUNTER, false, AT(malformed), "",
     "Records passed or dropped because they are malformed."},
    {"late", STATS_COUNTER, false, AT(counts.late), "older than the window",
     "Records compared though their --time was older than the window."},
    {"seconds", STATS_SECONDS, false, AT(seconds), "",
     "Time since the run began."},
    {"version", STATS_WORD, false, AT(version), NULL,
     "Version of the program."},
    {"algorithm", STATS_WORD, false, AT(info.algorithm), "",
     "The filter's algorithm."},
    {"params", STATS_LETTERS, false, AT(info.params), NULL,
     "The algorithm's parameters."},
    {"memory", STATS_BYTES, false, AT(info.memory), "", "Size of the filter."},
    {"memory_from", STATS_WORD, false, AT(memory_from), "",
     "Where this size comes from, if it is neither given nor the default."},
    {"fill", STATS_REAL, false, AT(fill), "of the filter's slots",
     "Share of the filter's slots that are in use."},
    {"wanted", STATS_REAL, false, AT(info.wanted), NULL,
     "False drops allowed, as a share of new records."},
    {"false_drop", STATS_REAL, false, AT(info.false_drop),
     "of new records, from here on",
     "False drops to expect from here on, as a share of new records."},
    {"false_pass", STATS_REAL, false, AT(info.false_pass),
     "of repeats, from here on",
     "False passes to expect from here on, as a share of repeats."},
    {"forgotten", STATS_COUNT, false, AT(info.forgotten),
     "keys, for want of memory", "Keys forgotten for want of memory."},
    {"over_plan", STATS_FLAG, false, AT(info.over_plan), NULL,
     "1 if there were more distinct keys than the filter was planned for."},
    {"audit_drop", STATS_RATE, true, AT(audit.false_drop), "",
     "False drops measured, of new records; of made-up keys if the filter was "
     "loaded."},
    {"audit_pass", STATS_RATE, true, AT(audit.false_pass), "",
     "False passes measured, of repeats in this run."},
    {"audit_either", STATS_COUNT, true, AT(audit.either), NULL,
     "Records checked at the edge of the window, where both verdicts are "
     "right."},
    {"audit_sample", STATS_COUNT, true, AT(audit.keys), "keys",
     "Keys in the audit's sample."},
    {"audit_share", STATS_REAL, true, AT(audit.share),
     "of all keys and records",
     "Share of all keys and records that is in the sample."},
    {0},
};

/* The parts of a rate: one metric and one JSON member each. */
static const struct stats_row parts[] = {
    {"wrong", STATS_COUNT, true, offsetof(struct audit_rate, wrong), NULL,
     "Wrong verdicts among those checked."},
    {"of", STATS_COUNT, true, offsetof(struct audit_rate, n), NULL,
     "Verdicts checked."},
    {"rate", STATS_REAL, true, offsetof(struct audit_rate, rate), NULL,
     "Share of wrong verdicts."},
    {"low95", STATS_REAL, true, offsetof(struct audit_rate, low), NULL,
     "Lower end of its 95 % interval."},
    {"high95", STATS_REAL, true, offsetof(struct audit_rate, high), NULL,
     "Upper end of its 95 % interval."},
    {0},
};

/* ---- Taking ----------------------------------------------------------- */

void stats_collect(struct stats *s, const struct engine *e,
                   const struct audit *audit, uint64_t started,
                   const freshet_info *info)
{
    const struct engine_counts *c = engine_counts(e);
    const struct engine_config *config = engine_config(e);

    *s = (struct stats){.counts = *c,
                        .records = counts_of(c, VERDICTS_ALL),
                        .repeats = counts_of(c, VERDICTS_REPEATS),
                        .passed = counts_of(c, VERDICTS_PASSED),
                        .dropped = counts_of(c, VERDICTS_DROPPED),
                        .malformed = counts_of(c, VERDICTS_MALFORMED),
                        .written = config->output->out.written,
                        .seconds = (double)(clock_now() - started) / 1e9,
                        .version = freshet_version(),
                        .info = *info,
                        .fill = (double)info->used / (double)info->slots,
                        .audited = audit != NULL};
    if (!event_time_is_set(&config->extractor->time))
        s->counts.late = FRESHET_UNKNOWN;
    if (audit)
        audit_get_report(audit, &s->audit);
}

static uint64_t count_at(const void *at)
{
    return *(const uint64_t *)at;
}

static double real_at(const void *at)
{
    return *(const double *)at;
}

static const char *word_at(const struct stats_row *row, const void *at)
{
    return row->kind == STATS_LETTERS ? at : *(const char *const *)at;
}

static const void *value_of(const struct stats *s, const struct stats_row *row)
{
    return (const char *)s + row->offset;
}

/* Returns whether this run has that figure. */
static bool is_known(const struct stats *s, const struct stats_row *row)
{
    const void *at = value_of(s, row);

    if (row->audited && !s->audited)
        return false;
    if (row->kind == STATS_COUNT || row->kind == STATS_COUNTER)
        return count_at(at) != FRESHET_UNKNOWN;
    if (row->kind == STATS_FLAG)
        return *(const int *)at >= 0;
    if (row->kind == STATS_WORD)
        return word_at(row, at);
    return row->kind != STATS_REAL || !isnan(real_at(at));
}

/* ---- Text ------------------------------------------------------------- */

static void print_rate(const struct stats_row *row, const struct audit_rate *r,
                       FILE *out)
{
    if (r->n == 0)
        fprintf(out, "%-14s %20s  no %s in the sample\n", row->name, "-",
                r->of);
    else
        fprintf(out,
                "%-14s %20.3g  %.3g to %.3g with 95 %%: %" PRIu64 " of %" PRIu64
                " %s\n",
                row->name, r->rate, r->low, r->high, r->wrong, r->n, r->of);
}

static void print_row(const struct stats_row *row, const void *at, FILE *out)
{
    char size[SIZE_TEXT], text[32];
    const char *shown = text;

    switch (row->kind) {
    case STATS_RATE:
        print_rate(row, at, out);
        return;
    case STATS_COUNTER:
    case STATS_COUNT:
        snprintf(text, sizeof text, "%" PRIu64, count_at(at));
        break;
    case STATS_BYTES:
        shown = size_text(size, count_at(at));
        break;
    case STATS_SECONDS:
        snprintf(text, sizeof text, "%.3f", real_at(at));
        break;
    case STATS_REAL:
        snprintf(text, sizeof text, "%.2g", real_at(at));
        break;
    case STATS_FLAG:
        snprintf(text, sizeof text, "%d", *(const int *)at);
        break;
    case STATS_WORD:
    case STATS_LETTERS:
        shown = word_at(row, at);
        break;
    }
    fprintf(out, "%-14s %20s%s%s\n", row->name, shown, *row->note ? "  " : "",
            row->note);
}

static void print_text(const struct stats *s, FILE *out)
{
    for (const struct stats_row *row = stats_rows; row->name; row++)
        if (row->note && is_known(s, row))
            print_row(row, value_of(s, row), out);
}

/* ---- JSON ------------------------------------------------------------- */

static void json_row(struct json *j, const struct stats_row *row,
                     const void *at)
{
    switch (row->kind) {
    case STATS_COUNTER:
    case STATS_COUNT:
    case STATS_BYTES:
        json_count(j, row->name, count_at(at));
        break;
    case STATS_SECONDS:
    case STATS_REAL:
        json_real(j, row->name, real_at(at));
        break;
    case STATS_FLAG:
        json_bool(j, row->name, *(const int *)at);
        break;
    case STATS_WORD:
    case STATS_LETTERS:
        json_text(j, row->name, word_at(row, at));
        break;
    case STATS_RATE:
        json_begin(j, row->name, '{');
        for (const struct stats_row *p = parts; p->name; p++)
            json_row(j, p, (const char *)at + p->offset);
        json_end(j, '}');
        break;
    }
}

static void print_json(const struct stats *s, FILE *out)
{
    struct json j = {.to = out};

    json_begin(&j, NULL, '{');
    for (const struct stats_row *row = stats_rows; row->name; row++)
        if (is_known(s, row))
            json_row(&j, row, value_of(s, row));
    json_end(&j, '}');
    putc('\n', out);
}

/* ---- Prometheus ------------------------------------------------------- */

const char *stats_type(const struct stats_row *row)
{
    return row->kind == STATS_COUNTER || row->kind == STATS_SECONDS ? "counter"
                                                                    : "gauge";
}

/* Returns the name of the figure with its unit, unless the name has it, and its
   type. */
const char *stats_metric(char out[STATS_NAME], const struct stats_row *row)
{
    if (row->kind == STATS_WORD || row->kind == STATS_LETTERS)
        snprintf(out, STATS_NAME, "freshet_info");
    else
        snprintf(out, STATS_NAME, "freshet_%s%s%s", row->name,
                 row->kind == STATS_BYTES ? "_bytes" : "",
                 *stats_type(row) == 'c' ? "_total" : "");
    return out;
}

static void expose_value(const struct stats_row *row, const void *at, FILE *out)
{
    switch (row->kind) {
    case STATS_COUNTER:
    case STATS_COUNT:
    case STATS_BYTES:
        fprintf(out, "%" PRIu64 "\n", count_at(at));
        break;
    case STATS_SECONDS:
    case STATS_REAL:
        fprintf(out, "%.10g\n", real_at(at));
        break;
    case STATS_FLAG:
        fprintf(out, "%d\n", *(const int *)at);
        break;
    case STATS_WORD:
    case STATS_LETTERS:
    case STATS_RATE:
        break; /* these have no value of their own */
    }
}

static void expose_row(const char *name, const struct stats_row *row,
                       const char *help, const void *at, FILE *out)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n%s ", name, help, name,
            stats_type(row), name);
    expose_value(row, at, out);
}

static void expose_rate(const char *name, const struct stats_row *row,
                        const struct audit_rate *r, FILE *out)
{
    for (const struct stats_row *p = parts; p->name; p++) {
        char full[2 * STATS_NAME], help[160];

        if (r->n == 0 && p->kind == STATS_REAL)
            continue; /* a rate of zero records does not exist */
        snprintf(full, sizeof full, "%s_%s", name, p->name);
        snprintf(help, sizeof help, "%s %s", row->help, p->help);
        expose_row(full, p, help, (const char *)r + p->offset, out);
    }
}

/* Texts become labels of a metric that is always 1. */
static void expose_words(const struct stats *s, FILE *out)
{
    const char *before = "{";

    fputs("# HELP freshet_info Version and settings of the run.\n"
          "# TYPE freshet_info gauge\nfreshet_info",
          out);
    for (const struct stats_row *row = stats_rows; row->name; row++)
        if ((row->kind == STATS_WORD || row->kind == STATS_LETTERS) &&
            is_known(s, row)) {
            fprintf(out, "%s%s=\"%s\"", before, row->name,
                    word_at(row, value_of(s, row)));
            before = ",";
        }
    fputs("} 1\n", out);
}

static void expose(const struct stats *s, FILE *out)
{
    char name[STATS_NAME];

    expose_words(s, out);
    for (const struct stats_row *row = stats_rows; row->name; row++) {
        const void *at = value_of(s, row);

        if (row->kind == STATS_WORD || row->kind == STATS_LETTERS ||
            !is_known(s, row))
            continue;
        stats_metric(name, row);
        if (row->kind == STATS_RATE)
            expose_rate(name, row, at, out);
        else
            expose_row(name, row, row->help, at, out);
    }
}

void stats_write(const struct stats *s, int form, FILE *out)
{
    if (form == STATS_PROMETHEUS)
        expose(s, out);
    else if (form == STATS_JSON)
        print_json(s, out);
    else
        print_text(s, out);
}
