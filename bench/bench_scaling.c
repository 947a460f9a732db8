/*
 * bench_scaling.c - long streams: a record costs the same, however many came
 *
 * One stream from an empty filter on, timed decade by decade.  The first runs
 * up to a million records; each other is what came since the one before.
 */
#include <math.h>

#include "bench.h"
#include "command.h"
#include "status_line.h"

enum { FIRST = 1000000 };

static int run_decades(struct bench_lane *lanes, const struct bench_args *args,
                       int stream)
{
    freshet_info info = {.size = sizeof info};
    struct bench_decade d = {0};
    int status = CLI_OK;

    freshet_get_info(lanes->filter, &info);
    bench_report_scaling(args, &info, stream);
    for (uint64_t next = FIRST; status == CLI_OK && d.to < args->records;
         next = next < UINT64_MAX / 10 ? next * 10 : UINT64_MAX) {
        d.from = d.to;
        d.to = next < args->records ? next : args->records;
        d.tally = (struct error_count){0};
        status_line_show("%s: up to %.3g records", info.algorithm,
                         (double)d.to);
        for (uint64_t i = 0; i < args->threads; i++) {
            lanes[i].batch = args->batch.value[0];
            lanes[i].records = (d.to - d.from) / args->threads;
            lanes[i].seconds = (double)INFINITY;
            lanes[i].stream.half = stream == BENCH_HALF;
        }
        d.ns = bench_lanes_run(lanes, args->threads, &d.tally);
        status_line_clear();
        if (d.ns < 0)
            return CLI_TROUBLE;
        status = bench_report_decade(args, &info, stream, &d);
    }
    return status;
}

static int run_on(const struct bench_table *table, struct bench_lane *lanes,
                  const struct algorithm_spec *spec,
                  const struct bench_args *args)
{
    int stream = args->stream == BENCH_DEFAULT ? BENCH_HALF : args->stream;
    freshet_error err;

    if (bench_lanes_open(lanes, table, spec, args, &err) < 0)
        return cli_fail("%s: %s", spec->label, err.message);
    return run_decades(lanes, args, stream);
}

int bench_scaling(const struct algorithm_spec *specs, size_t n,
                  const struct bench_args *args)
{
    struct bench_lane *lanes = bench_lanes_make(args->threads);
    struct bench_table table;
    int status = lanes ? CLI_OK : CLI_TROUBLE;

    for (size_t m = 0; m < args->memory.n && status == CLI_OK; m++) {
        status = bench_table_open(&table, args->memory.value[m]);
        if (status != CLI_OK)
            break;
        for (size_t i = 0; i < n && status == CLI_OK; i++)
            status = run_on(&table, lanes, &specs[i], args);
        bench_table_close(&table);
    }
    bench_lanes_close(lanes, args->threads);
    return status;
}
