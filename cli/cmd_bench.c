/*
 * cmd_bench.c - freshet bench: measures speed, next to the limits of the
 * machine
 *
 * bench.h describes what is measured and how.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "command.h"
#include "size.h"
#include "status_line.h"

#define FIELD(name) offsetof(struct bench_args, name)

static const struct option_spec bench_options[] = {
    {'m', "memory", OPTION_SIZES, FIELD(memory), "SIZE[,SIZE]...",
     "memory of the filters (16M,1G)"},
    {0, "batch", OPTION_COUNTS, FIELD(batch), "N[,N]...",
     "records per call (256,1)"},
    {0, "stream", OPTION_CHOICE, FIELD(stream), "new|half",
     "records are all new, or half repeats (both)"},
    {0, "gap", OPTION_COUNT, FIELD(gap), "N",
     "repeats come up to N new keys later (bits / 64)"},
    {'e', "error", OPTION_RATE, FIELD(error), "P",
     "false-drop rate to plan filters for (1e-6)"},
    {0, "threads", OPTION_COUNT, FIELD(threads), "N",
     "run N filters at once that share the memory (1)"},
    {0, "runs", OPTION_COUNT, FIELD(runs), "N", "take the best of N runs (5)"},
    {0, "seconds", OPTION_REAL, FIELD(seconds), "S",
     "let each run last S seconds (0.3)"},
    {0, "fill", OPTION_REAL, FIELD(fill), "S",
     "fill filters for at most S seconds (20; all: 3)"},
    {0, "seed", OPTION_COUNT, FIELD(seed), "N",
     "seed of filters and streams (1)"},
    {0, "limit", OPTION_SWITCH, FIELD(limit), NULL,
     "measure only the limits of the machine"},
    {0, "scaling", OPTION_SWITCH, FIELD(scaling), NULL,
     "time each decade of a long stream (-m 256M)"},
    {0, "records", OPTION_COUNT, FIELD(records), "N",
     "with --scaling: length of the stream (1e9)"},
    {'j', "json", OPTION_SWITCH, FIELD(json), NULL,
     "print one JSON object per line"},
    {0},
};

static int bench_run(int argc, char **argv);

const struct cli_command cmd_bench = {
    .name = "bench",
    .operands = "[OPTION]... [ALGORITHM[:PARAMS]]...",
    .summary = "Measure the speed of algorithms and the machine",
    .examples =
        "  freshet bench                every algorithm; takes minutes\n"
        "  freshet bench -m 1G sbf      one, far larger than the cache\n"
        "  freshet bench sbf:k=4 sbf    compare two settings\n"
        "  freshet bench --scaling      a record's cost as a stream grows\n",
    .options = bench_options,
    .run = bench_run,
};

/* ---- What to run ------------------------------------------------------ */

static int check_args(const struct bench_args *args, int operands)
{
    if (args->threads < 1 || args->threads > BENCH_THREADS)
        return cli_fail("--threads must be 1 to %d", BENCH_THREADS);
    for (size_t i = 0; i < args->memory.n; i++)
        if (args->memory.value[i] / 65536 < args->threads ||
            args->memory.value[i] >> 48)
            return cli_fail("--memory must be 64K to 256T for each thread");
    for (size_t i = 0; i < args->batch.n; i++)
        if (args->batch.value[i] < 1 || args->batch.value[i] > BENCH_BATCH)
            return cli_fail("--batch must be 1 to %d", BENCH_BATCH);
    if (args->runs < 1 || args->records < 1)
        return cli_fail("--runs and --records must be at least 1");
    if (args->gap >> 48)
        return cli_fail("--gap must be below 2^48");
    if (args->limit && (args->scaling || operands))
        return cli_fail(
            "--limit measures only the machine; leave out the algorithms");
    return CLI_GO;
}

/* ---- Measuring -------------------------------------------------------- */

struct session {
    const struct bench_args *args;
    const struct bench_table *table;
    struct bench_lane *lanes;
    double limit_ns;
    int width; /* width of the longest label */
    double
        enough; /* seconds that settle every row marked as not settled, or 0 */
};

/* Measures several runs of a settled filter. */
static int run_cell(const struct session *s, struct bench_result *r)
{
    uint64_t threads = s->args->threads;
    struct fault why;
    double ns;

    for (uint64_t run = 0; run < s->args->runs; run++) {
        for (uint64_t i = 0; i < threads; i++) {
            s->lanes[i].batch = r->batch;
            s->lanes[i].records = UINT64_MAX;
            s->lanes[i].seconds = s->args->seconds;
            s->lanes[i].stream.half = r->stream == BENCH_HALF;
        }
        ns = bench_lanes_run(s->lanes, threads, &r->tally, &why);
        if (ns < 0)
            return cli_fail("%s", why.text);
        bench_add(&r->best, ns);
    }
    return CLI_OK;
}

/* Fills the filters of lanes up to the steady state, and sets *seconds to the
   time that this took. */
static int fill(struct bench_lane *lanes, const struct bench_args *args,
                double *seconds)
{
    struct fault why;

    for (uint64_t i = 0; i < args->threads; i++)
        lanes[i].seconds = args->fill;
    *seconds = bench_team(bench_lane_settle, lanes, sizeof *lanes,
                          args->threads, &why);
    return *seconds < 0 ? cli_fail("%s", why.text) : CLI_OK;
}

/* Remembers how long one key per bit takes, which settles any filter. */
static void not_settled(struct session *s, uint64_t bits, uint64_t keys,
                        double seconds)
{
    double enough =
        keys ? seconds * (double)bits / (double)keys : (double)INFINITY;

    s->enough = fmax(s->enough, enough);
}

static int fill_until_settled(const struct session *s, struct bench_result *r)
{
    struct bench_lane *lanes = s->lanes;
    int status = fill(lanes, s->args, &r->fill_seconds);

    if (status != CLI_OK)
        return status;
    r->steady = true;
    for (uint64_t i = 0; i < s->args->threads; i++)
        r->steady = r->steady && lanes[i].steady;
    r->filled = lanes->stream.next - lanes->stream.first;
    r->gap = lanes->stream.gap < r->filled ? lanes->stream.gap : r->filled;
    freshet_get_info(lanes->filter, &r->info);
    r->bits_per_key =
        r->steady ? (double)r->info.memory * 8 / bench_lane_remembers(lanes)
                  : (double)NAN;
    return CLI_OK;
}

/* Measures one algorithm in one size: each batch size, each stream. */
static int run_spec(struct session *s, const struct algorithm_spec *spec)
{
    const struct bench_args *args = s->args;
    struct bench_result settled = {.spec = spec, .memory = s->table->bytes};
    char text[SIZE_TEXT];
    freshet_error err;
    int status;

    settled.info.size = sizeof settled.info;
    settled.limit_ns = s->limit_ns;
    status_line_show("%s, %s: filling", spec->label,
                     size_text(text, s->table->bytes));
    if (bench_lanes_open(s->lanes, s->table, spec, args, &err) < 0) {
        status_line_clear();
        if (spec->named)
            return cli_fail("%s: %s", spec->label, err.message);
        bench_report_skip(args, spec, err.message);
        return cli_finish();
    }
    status = fill_until_settled(s, &settled);
    for (size_t b = 0; b < args->batch.n; b++)
        for (int stream = 0; stream < BENCH_STREAMS; stream++) {
            struct bench_result r = settled;

            if (status != CLI_OK ||
                (args->stream != BENCH_DEFAULT && args->stream != stream))
                continue;
            r.batch = args->batch.value[b];
            r.stream = stream;
            status_line_show("%s, %s: timing", spec->label, text);
            status = run_cell(s, &r);
            status_line_clear();
            if (status != CLI_OK)
                continue;
            bench_report_result(args, &r, s->width);
            status = cli_finish();
        }
    if (!settled.steady)
        not_settled(s, settled.info.memory * 8, settled.filled,
                    settled.fill_seconds);
    return status;
}

static bool can_split(const struct algorithm_spec *spec)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        if (strcmp(a->name, spec->algorithm) == 0)
            return (a->can & FRESHET_CAN_SPLIT) != 0;
    return false;
}

/* Makes a filter in the lane of each thread, and fills it. */
static int open_lanes(struct bench_lane *lanes, const struct bench_table *table,
                      const struct algorithm_spec *spec,
                      const struct bench_args *args)
{
    freshet_error err;
    double seconds;

    if (bench_lanes_open(lanes, table, spec, args, &err) < 0)
        return cli_fail("%s: %s", spec->label, err.message);
    return fill(lanes, args, &seconds);
}

/* A filter of an algorithm that splits may have parameters that do not. */
static bool is_divisible(freshet *filter)
{
    freshet_parts *parts;
    bool good = freshet_split(&parts, filter, 1, NULL) == FRESHET_OK;

    freshet_parts_free(parts);
    return good;
}

/* Measures a filter that fills the table: the lanes "own" have filled filters
   that together are as large. */
static int compare_parts(struct session *s, struct bench_lane *own)
{
    struct bench_parts result[BENCH_STREAMS];
    freshet_info info = {.size = offsetof(freshet_info, slots)};
    uint64_t keys = s->lanes->stream.next - s->lanes->stream.first;
    struct fault why;

    freshet_get_info(s->lanes->filter, &info);
    status_line_show("%s: timing", info.algorithm);
    if (!bench_parts_measure(result, s->lanes, own, s->args, &why))
        return cli_fail("%s", why.text);
    status_line_clear();
    for (int i = 0; i < BENCH_STREAMS; i++)
        if (result[i].one.runs)
            bench_report_parts(s->args, &info, &result[i]);
    if (!s->lanes->steady)
        not_settled(s, info.memory * 8, keys, s->args->fill);
    return cli_finish();
}

/* Measures one filter by one thread and by all of them, and a filter for each
   of them, in a second table. */
static int run_parts(struct session *s, const struct algorithm_spec *spec)
{
    struct bench_lane *own = bench_lanes_make(s->args->threads);
    struct bench_args alone = *s->args;
    struct bench_table table;
    struct fault why;
    int status;

    if (!own || !bench_table_open(&table, s->table->bytes, &why)) {
        bench_lanes_close(own, 0);
        return cli_fail("%s", own ? why.text : "out of memory");
    }
    alone.threads = 1;
    status_line_show("%s: filling", spec->label);
    status = open_lanes(s->lanes, s->table, spec, &alone);
    if (status == CLI_OK && is_divisible(s->lanes->filter)) {
        status = open_lanes(own, &table, spec, s->args);
        if (status == CLI_OK)
            status = compare_parts(s, own);
    }
    status_line_clear();
    bench_lanes_close(own, s->args->threads);
    bench_table_close(&table);
    return status;
}

static int measure_limits(struct bench_limits *limits,
                          const struct bench_table *table,
                          const struct bench_args *args)
{
    struct fault why;
    bool good = bench_limits_measure(limits, table, args, &why);

    status_line_clear();
    if (!good)
        return cli_fail("%s", why.text);
    bench_report_limits(args, limits);
    return cli_finish();
}

/* Measures one size: the machine's limits, then every filter. */
static int run_size(struct session *s, const struct algorithm_spec *specs,
                    size_t n, uint64_t memory)
{
    struct bench_limits limits;
    struct bench_table table;
    struct fault why;
    int status;

    if (!bench_table_open(&table, memory, &why))
        return cli_fail("%s", why.text);
    status = measure_limits(&limits, &table, s->args);
    /* cppcheck-suppress autoVariables ; s is used until the table is closed */
    s->table = &table;
    s->limit_ns = bench_limit_ns(&limits, s->args->threads);
    if (n && status == CLI_OK)
        bench_report_columns(s->args, s->width);
    for (size_t i = 0; i < n && status == CLI_OK; i++)
        status = run_spec(s, &specs[i]);
    for (size_t i = 0; i < n && status == CLI_OK && s->args->threads > 1; i++)
        if (can_split(&specs[i]))
            status = run_parts(s, &specs[i]);
    bench_table_close(&table);
    s->table = NULL;
    return status;
}

static void report_enough(double fill, double enough)
{
    printf("\n* not settled after filling for %g s", fill);
    if (isinf(enough))
        puts(": use a longer --fill");
    else
        printf(": --fill %.0f is enough\n", ceil(enough));
}

static int run_all(const struct algorithm_spec *specs, size_t n,
                   const struct bench_args *args)
{
    struct session s = {.args = args, .width = 9};
    int status = CLI_OK;

    s.lanes = bench_lanes_make(args->threads);
    if (!s.lanes)
        return cli_fail("out of memory");
    for (size_t i = 0; i < n; i++)
        if ((int)strlen(specs[i].label) > s.width)
            s.width = (int)strlen(specs[i].label);
    for (size_t m = 0; m < args->memory.n && status == CLI_OK; m++)
        status = run_size(&s, specs, n, args->memory.value[m]);
    bench_lanes_close(s.lanes, args->threads);
    if (s.enough > 0 && status == CLI_OK && !args->json)
        report_enough(args->fill, s.enough);
    return status;
}

/* ---- The command ------------------------------------------------------ */

/* Describes what will be measured, and how long it may take. */
static void describe(char *out, size_t size, size_t n,
                     const struct bench_args *args)
{
    size_t cells = args->batch.n * (args->stream == BENCH_DEFAULT ? 2 : 1);
    double run = args->seconds * (double)args->runs;
    double each = args->fill + run * (double)cells;
    double all = (double)args->memory.n * (run * 16 + each * (double)n);

    if (args->limit)
        snprintf(out, size, "limits only: up to %.0f s", all);
    else if (args->scaling)
        snprintf(out, size, "%zu algorithm%s, %.3g records each", n,
                 n == 1 ? "" : "s", (double)args->records);
    else
        snprintf(out, size,
                 "%zu algorithm%s x %zu size%s x %zu settings, best of %.0f "
                 "runs of %g s, fill at most %g s: up to %.0f s",
                 n, n == 1 ? "" : "s", args->memory.n,
                 args->memory.n == 1 ? "" : "s", cells, (double)args->runs,
                 args->seconds, args->fill, all);
}

static void set_defaults(struct bench_args *args, bool all)
{
    if (args->memory.n == 0)
        args->memory =
            args->scaling
                ? (struct option_list){1, {UINT64_C(256) << 20}}
                : (struct option_list){2, {UINT64_C(16) << 20, 1u << 30}};
    if (isnan(args->fill))
        args->fill = all ? 3 : 20;
}

static int run_scaling(const struct algorithm_spec *specs, size_t n,
                       const struct bench_args *args)
{
    struct fault why;
    int status = bench_scaling(specs, n, args, cli_finish, &why);

    return status < 0 ? cli_fail("%s", why.text) : status;
}

static int run_specs(const struct algorithm_spec *specs, size_t n,
                     const struct bench_args *args, const char *command)
{
    char plan[200];
    struct fault why;
    int status;

    if (!bench_specs_check(specs, n, args, &why))
        return cli_fail("%s", why.text);
    status_line_guard();
    describe(plan, sizeof plan, n, args);
    bench_report_start(args, command, plan);
    status = cli_finish();
    if (status == CLI_OK)
        status = args->scaling ? run_scaling(specs, n, args)
                               : run_all(specs, n, args);
    return status == CLI_OK ? cli_finish() : status;
}

static int run_parsed(int argc, char **argv, const struct bench_args *args,
                      const char *command)
{
    size_t n;
    struct algorithm_spec *specs = bench_specs_make(argc, argv, args, &n);
    int status =
        specs ? run_specs(specs, n, args, command) : cli_fail("out of memory");

    free(specs);
    return status;
}

static int bench_run(int argc, char **argv)
{
    struct bench_args args = {
        .batch = {2, {256, 1}},
        .stream = BENCH_DEFAULT,
        .threads = 1,
        .runs = 5,
        .records = 1000000000,
        .seed = 1,
        .seconds = 0.3,
        .fill = (double)NAN,
    };
    char *command = cli_line("freshet bench", argc, argv);
    int status = cli_parse(&cmd_bench, &args, &argc, &argv);

    set_defaults(&args, argc == 0);
    if (status == CLI_GO && !command)
        status = cli_fail("out of memory");
    if (status == CLI_GO)
        status = check_args(&args, argc);
    if (status == CLI_GO)
        status = run_parsed(argc, argv, &args, command);
    free(command);
    return status;
}
