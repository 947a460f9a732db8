/*
 * bench_report.c - prints results as text or JSON
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "json_writer.h"
#include "machine.h"
#include "size.h"

static const char *const stream_name[BENCH_STREAMS] = {"new", "half"};

static struct json open_object(const char *kind)
{
    struct json j = {0};

    json_begin(&j, NULL, '{');
    json_text(&j, "kind", kind);
    return j;
}

static void close_object(struct json *j)
{
    json_end(j, '}');
    putchar('\n');
}

/* Prints a number in its column, or "-" for NaN. */
static void put_real(int width, int digits, double value)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, digits, value);
}

/* Prints a rate with three digits: rates span six decades. */
static void put_percent(int width, double rate)
{
    if (isnan(rate))
        printf(" %*s", width, "-");
    else
        printf(" %*.3g", width, rate * 100);
}

/* ---- The head --------------------------------------------------------- */

void bench_report_start(const struct bench_args *args, const char *command,
                        const char *plan)
{
    struct machine m;

    machine_read(&m);
    if (args->json) {
        struct json j = open_object("machine");

        json_text(&j, "machine", m.cpu);
        json_count(&j, "cores", (uint64_t)m.cores);
        json_text(&j, "huge_pages", m.huge_pages);
        json_text(&j, "compiler", m.compiler);
        json_text(&j, "flags", m.flags);
        json_text(&j, "version", freshet_version());
        json_text(&j, "command", command);
        close_object(&j);
    } else {
        printf("machine  %s, %ld cores, huge pages: %s\n", m.cpu, m.cores,
               m.huge_pages);
        printf("build    freshet %s, %s, %s\n", freshet_version(), m.compiler,
               m.flags);
        printf("command  %s\nplan     %s\n", command, plan);
    }
}

/* ---- Limits ----------------------------------------------------------- */

static void json_limits(const struct bench_limits *limits)
{
    for (size_t i = 0; i < limits->n; i++) {
        const struct bench_limit *l = &limits->row[i];
        struct json j = open_object("limit");

        json_count(&j, "memory", limits->memory);
        json_count(&j, "lines", l->lines);
        json_count(&j, "threads", l->threads);
        json_count(&j, "ahead", l->ahead);
        json_count(&j, "cache", l->level);
        json_real(&j, "ns", l->best.fastest);
        json_real(&j, "spread", bench_spread(&l->best));
        json_count(&j, "runs", l->best.runs);
        close_object(&j);
    }
}

void bench_report_limits(const struct bench_args *args,
                         const struct bench_limits *limits)
{
    char text[SIZE_TEXT];

    if (args->json) {
        json_limits(limits);
        return;
    }
    printf("\nlimits of a table of %-7s threads ns/record  Mrec/s spread %%\n",
           size_text(text, limits->memory));
    for (size_t i = 0; i < limits->n; i++) {
        const struct bench_limit *l = &limits->row[i];

        printf("%-28s %7u",
               l->lines == 1 ? "one line" : "two lines of one page",
               l->threads);
        put_real(9, 2, l->best.fastest);
        put_real(7, 1, 1e3 / l->best.fastest);
        put_real(8, 1, 100 * bench_spread(&l->best));
        putchar('\n');
    }
    if (bench_spread(&limits->row[0].best) > 0.25)
        puts("runs differ much: the machine is busy.  Measure when it is "
             "quiet,\nor try more and shorter runs: --runs 100 "
             "--seconds 0.01");
}

/* ---- Filters ---------------------------------------------------------- */

void bench_report_skip(const struct bench_args *args,
                       const struct algorithm_spec *spec, const char *why)
{
    struct json j;

    if (args->json) {
        j = open_object("skipped");
        json_text(&j, "algorithm", spec->label);
        json_text(&j, "why", why);
        close_object(&j);
    } else {
        printf("skipped  %s: %s\n", spec->label, why);
    }
}

void bench_report_columns(const struct bench_args *args, int width)
{
    if (!args->json)
        printf("\n%-*s batch stream ns/record  Mrec/s x limit    FPR %%    "
               "FNR %% bits/key spread %%  settled at  after s\n",
               width, "algorithm");
}

static void json_result(const struct bench_result *r, uint64_t threads)
{
    struct json j = open_object("result");

    json_text(&j, "algorithm", r->info.algorithm);
    json_text(&j, "params", r->info.params);
    json_count(&j, "memory", r->memory);
    json_count(&j, "threads", threads);
    json_count(&j, "batch", r->batch);
    json_text(&j, "stream", stream_name[r->stream]);
    json_real(&j, "ns", r->best.fastest);
    json_real(&j, "limit_ns", r->limit_ns);
    json_real(&j, "ratio", r->best.fastest / r->limit_ns);
    json_real(&j, "fpr", error_count_false_drops(&r->tally));
    json_real(&j, "fnr", error_count_false_passes(&r->tally));
    json_real(&j, "bits_per_key", r->bits_per_key);
    json_real(&j, "spread", bench_spread(&r->best));
    json_count(&j, "runs", r->best.runs);
    json_count(&j, "records", r->tally.records);
    json_count(&j, "gap", r->gap);
    json_count(&j, "filled", r->filled);
    json_real(&j, "fill_seconds", r->fill_seconds);
    json_bool(&j, "steady", r->steady);
    close_object(&j);
}

void bench_report_result(const struct bench_args *args,
                         const struct bench_result *r, int width)
{
    if (args->json) {
        json_result(r, args->threads);
        return;
    }
    printf("%-*s %5" PRIu64 " %-6s", width, r->spec->label, r->batch,
           stream_name[r->stream]);
    put_real(9, 2, r->best.fastest);
    put_real(7, 1, 1e3 / r->best.fastest);
    put_real(7, 2, r->best.fastest / r->limit_ns);
    put_percent(8, error_count_false_drops(&r->tally));
    put_percent(8, error_count_false_passes(&r->tally));
    put_real(8, 1, r->bits_per_key);
    put_real(8, 1, 100 * bench_spread(&r->best));
    printf(" %c%10" PRIu64, r->steady ? ' ' : '>', r->filled);
    put_real(8, 1, r->fill_seconds);
    puts(r->steady ? "" : " *");
}

/* ---- Parts ------------------------------------------------------------ */

void bench_report_parts(const struct bench_args *args, const freshet_info *info,
                        const struct bench_parts *r)
{
    double times = r->one.fastest / r->all.fastest;
    double times_own = r->one.fastest / r->own.fastest;

    if (args->json) {
        struct json j = open_object("parts");

        json_text(&j, "algorithm", info->algorithm);
        json_text(&j, "params", info->params);
        json_count(&j, "memory", info->memory);
        json_count(&j, "threads", args->threads);
        json_text(&j, "stream", stream_name[r->stream]);
        json_real(&j, "ns_one", r->one.fastest);
        json_real(&j, "ns", r->all.fastest);
        json_real(&j, "times", times);
        json_real(&j, "spread", bench_spread(&r->all));
        json_real(&j, "ns_own", r->own.fastest);
        json_real(&j, "times_own", times_own);
        close_object(&j);
        return;
    }
    printf("%s, one filter by parts, stream %s: one thread %.2f ns, %" PRIu64
           " threads %.2f ns: %.2f times as fast (with a filter each %.2f ns: "
           "%.2f times)\n",
           info->algorithm, stream_name[r->stream], r->one.fastest,
           args->threads, r->all.fastest, times, r->own.fastest, times_own);
}

/* ---- Long streams ----------------------------------------------------- */

void bench_report_scaling(const struct bench_args *args,
                          const freshet_info *info, int stream)
{
    char text[SIZE_TEXT];

    if (args->json)
        return;
    printf("\n%s, %s, %s, stream %s\n", info->algorithm, info->params,
           size_text(text, info->memory), stream_name[stream]);
    printf("%12s ns/record  Mrec/s    FPR %%    FNR %%\n", "records");
}

void bench_report_decade(const struct bench_args *args,
                         const freshet_info *info, int stream,
                         const struct bench_decade *d)
{
    double drops = error_count_false_drops(&d->tally);
    double passes = error_count_false_passes(&d->tally);

    if (args->json) {
        struct json j = open_object("scaling");

        json_text(&j, "algorithm", info->algorithm);
        json_text(&j, "params", info->params);
        json_count(&j, "memory", info->memory);
        json_count(&j, "threads", args->threads);
        json_count(&j, "batch", args->batch.value[0]);
        json_text(&j, "stream", stream_name[stream]);
        json_count(&j, "from", d->from);
        json_count(&j, "to", d->to);
        json_real(&j, "ns", d->ns);
        json_real(&j, "fpr", drops);
        json_real(&j, "fnr", passes);
        close_object(&j);
        return;
    }
    printf("%12" PRIu64, d->to);
    put_real(9, 2, d->ns);
    put_real(7, 1, 1e3 / d->ns);
    put_percent(8, drops);
    put_percent(8, passes);
    putchar('\n');
}

void bench_report_slowest(const struct bench_args *args,
                          const struct bench_decade *slowest,
                          const struct bench_decade *last)
{
    double ratio = slowest->ns / last->ns;

    if (args->json) {
        struct json j = open_object("slowest");

        json_count(&j, "to", slowest->to);
        json_real(&j, "ns", slowest->ns);
        json_real(&j, "last_ns", last->ns);
        json_real(&j, "ratio", ratio);
        close_object(&j);
        return;
    }
    printf("slowest: %.2f ns up to %" PRIu64 " records, %.2f times the last\n",
           slowest->ns, slowest->to, ratio);
}
