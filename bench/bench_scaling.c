/*
 * bench_scaling.c - long streams: the cost of a record does not grow
 *
 * One stream runs from an empty filter on and is timed decade by decade.  The
 * first figure covers the first million records; each later one covers the
 * records since the one before, and is the median of several equal parts of
 * them, so that a moment in which the machine is busy does not count.  Nor does
 * a phase of the filter that is shorter than half of a point.
 */
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "status_line.h"

enum { FIRST = 1000000, POINTS = 10, SLICES = 15 };

/* Returns the i-th point of a stream: ten per decade. */
static uint64_t end_at(unsigned i)
{
    double end = FIRST * pow(10, (double)i / POINTS);

    return end < 0x1p63 ? (uint64_t)llround(end) : UINT64_MAX;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sets the time and the errors of the records from d->from to d->to.  Returns
   false and sets *why on error. */
static bool run_point(struct bench_lane *lanes, const struct bench_args *args,
                      struct bench_decade *d, struct fault *why)
{
    /* There is at least one thread.
       NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    uint64_t records = (d->to - d->from) / args->threads, done = 0;
    double ns[SLICES];
    size_t n = 0;

    records += !records;
    d->tally = (struct error_count){0};
    for (uint64_t i = 1; i <= SLICES; i++) {
        uint64_t end = records * i / SLICES;

        if (end == done)
            continue;
        for (uint64_t lane = 0; lane < args->threads; lane++)
            lanes[lane].records = end - done;
        done = end;
        ns[n] = bench_lanes_run(lanes, args->threads, &d->tally, why);
        if (ns[n++] < 0)
            return false;
    }
    qsort(ns, n, sizeof *ns, by_time);
    d->ns = ns[n / 2];
    return true;
}

static int run_decades(struct bench_lane *lanes, const struct bench_args *args,
                       int stream, int (*after)(void), struct fault *why)
{
    freshet_info info = {.size = sizeof info};
    struct bench_decade d = {0}, slowest = {0};
    unsigned point = 0;
    int status = 0;
    bool good;

    freshet_get_info(lanes->filter, &info);
    bench_report_scaling(args, &info, stream);
    for (; status == 0 && d.to < args->records; point++) {
        uint64_t next = end_at(point);

        d.from = d.to;
        d.to = args->records;
        if (next < d.to && d.to - next >= (next - d.from) / POINTS)
            d.to = next; /* a short rest belongs to the point before */
        status_line_show("%s: up to %.3g records", info.algorithm,
                         (double)d.to);
        for (uint64_t i = 0; i < args->threads; i++) {
            lanes[i].batch = args->batch.value[0];
            lanes[i].seconds = (double)INFINITY;
            lanes[i].stream.half = stream == BENCH_HALF;
        }
        good = run_point(lanes, args, &d, why);
        status_line_clear();
        if (!good)
            return -1;
        bench_report_decade(args, &info, stream, &d);
        if (d.ns > slowest.ns)
            slowest = d;
        status = after();
    }
    if (status == 0)
        bench_report_slowest(args, &slowest, &d);
    return status == 0 ? after() : status;
}

static int run_on(const struct bench_table *table, struct bench_lane *lanes,
                  const struct algorithm_spec *spec,
                  const struct bench_args *args, int (*after)(void),
                  struct fault *why)
{
    int stream = args->stream == BENCH_DEFAULT ? BENCH_HALF : args->stream;
    freshet_error err;

    if (bench_lanes_open(lanes, table, spec, args, &err) < 0) {
        fault_set(why, "%s: %s", spec->label, err.message);
        return -1;
    }
    return run_decades(lanes, args, stream, after, why);
}

int bench_scaling(const struct algorithm_spec *specs, size_t n,
                  const struct bench_args *args, int (*after)(void),
                  struct fault *why)
{
    struct bench_lane *lanes = bench_lanes_make(args->threads);
    struct bench_table table;
    int status = lanes ? 0 : -1;

    if (!lanes)
        fault_set(why, "out of memory");
    for (size_t m = 0; m < args->memory.n && status == 0; m++) {
        if (!bench_table_open(&table, args->memory.value[m], why)) {
            status = -1;
            break;
        }
        for (size_t i = 0; i < n && status == 0; i++)
            status = run_on(&table, lanes, &specs[i], args, after, why);
        bench_table_close(&table);
    }
    bench_lanes_close(lanes, args->threads);
    return status;
}
