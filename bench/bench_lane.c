/*
 * bench_lane.c - one thread's filter and stream: fill, run and inspect them
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "clock.h"
#include "settled.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- Running ---------------------------------------------------------- */

/* Returns the number of new keys. */
static uint64_t offer(struct bench_lane *l, uint64_t n)
{
    uint64_t fresh = 0;

    for (uint64_t i = 0, part; i < n; i += part) {
        part = smaller(l->batch, n - i);
        fresh += freshet_offer_batch(l->filter, l->key + i, part, l->seen + i);
    }
    return fresh;
}

static void run_block(struct bench_lane *l, uint64_t n)
{
    uint64_t repeats = bench_stream_next(&l->stream, l->key, l->repeat, n);
    uint64_t fresh;

    bench_clock_start(l->clock);
    fresh = offer(l, n);
    bench_clock_stop(l->clock);
    l->tally.records += n;
    l->tally.repeats += repeats;
    l->tally.seen += n - fresh;
    if (repeats)
        l->tally.hits += error_count_both(l->seen, l->repeat, n);
}

static void run_lane(void *lane)
{
    struct bench_lane *l = lane;
    uint64_t block = BENCH_BATCH / l->batch * l->batch; /* whole batches */

    l->tally = (struct error_count){0};
    while (l->tally.records < l->records && !l->clock->is_over)
        run_block(l, smaller(block, l->records - l->tally.records));
}

double bench_lanes_run(struct bench_lane *lanes, uint64_t threads,
                       struct error_count *sum, struct fault *why)
{
    struct error_count all = {0};
    struct bench_clock clock;
    double status;

    bench_clock_init(&clock, threads, lanes->seconds);
    for (uint64_t i = 0; i < threads; i++)
        lanes[i].clock = &clock;
    status = bench_team(run_lane, lanes, sizeof *lanes, threads, why);
    for (uint64_t i = 0; i < threads; i++)
        error_count_add(&all, &lanes[i].tally);
    error_count_add(sum, &all);
    return status < 0 ? status : clock.seconds * 1e9 / (double)all.records;
}

/* ---- Steady state ----------------------------------------------------- */

void bench_lane_settle(void *lane)
{
    struct bench_lane *l = lane;
    struct settled steady = settled_begin(l->filter);
    uint64_t first = steady.bits / 64;
    double deadline = clock_seconds() + l->seconds;
    struct bench_clock clock; /* lanes do not settle at the same time */

    l->clock = &clock;
    l->stream.half = 0;
    l->batch = BENCH_BLOCK;
    l->records = first > l->stream.gap ? first : l->stream.gap;
    do {
        bench_clock_init(&clock, 1, l->seconds);
        run_lane(l);
        l->records = l->stream.next - l->stream.first; /* twice as many keys
                                                          afterwards */
        l->steady = settled_after(&steady, l->filter, l->records);
        l->seconds = deadline - clock_seconds();
    } while (!l->steady && l->seconds > 0);
}

/* ---- Memory ----------------------------------------------------------- */

enum { SAMPLE = 1 << 14 };

/* Returns the share of keys spread over from..to that the filter calls seen. */
static double share_known(const struct bench_lane *l, uint64_t from,
                          uint64_t to)
{
    uint64_t known = 0;

    for (uint64_t i = 0; i < SAMPLE; i += BENCH_BLOCK) {
        freshet_hash key[BENCH_BLOCK];
        uint8_t seen[BENCH_BLOCK];

        for (uint64_t j = 0; j < BENCH_BLOCK; j++)
            key[j] = bench_key(
                from + (uint64_t)((bench_u128)(i + j) * (to - from) / SAMPLE));
        known += BENCH_BLOCK -
                 freshet_query_batch(l->filter, key, BENCH_BLOCK, seen);
    }
    return (double)known / SAMPLE;
}

/* Samples by age, in doublings, so that a short memory is measured as well. */
double bench_lane_remembers(const struct bench_lane *lane)
{
    const struct bench_stream *s = &lane->stream;
    uint64_t came = s->next - s->first, strange = s->next + (UINT64_C(1) << 40);
    double claimed = share_known(lane, strange, strange + SAMPLE);
    double sum = 0, variance = 0;

    if (claimed > 0.5) /* too full: its answers no longer tell what it
                          remembers */
        return (double)NAN;
    for (uint64_t age = 0, older; age < came; age = older) {
        double size, known;

        older = smaller(age ? age * 2 : SAMPLE, came);
        known = share_known(lane, s->next - older, s->next - age);
        size = (double)(older - age) / (1 - claimed);
        sum += (known - claimed) * size;
        variance += (known * (1 - known) + claimed * (1 - claimed)) / SAMPLE *
                    size * size;
    }
    return sum > 20 * sqrt(variance) ? sum : (double)NAN;
}

/* ---- Making lanes ----------------------------------------------------- */

struct bench_lane *bench_lanes_make(uint64_t threads)
{
    return calloc(threads, sizeof(struct bench_lane));
}

int bench_lanes_open(struct bench_lane *lanes, const struct bench_table *table,
                     const struct algorithm_spec *spec,
                     const struct bench_args *args, freshet_error *err)
{
    freshet_options o = {
        .size = sizeof o,
        .algorithm = spec->algorithm,
        .params = spec->params,
        .false_drop_rate = args->error,
    };

    for (uint64_t i = 0; i < args->threads; i++) {
        struct bench_table part = bench_table_part(table, i, args->threads);
        struct bench_lane *l = &lanes[i];
        int status;

        memset(part.at, 0, part.bytes);
        o.memory = part.bytes;
        o.seed = args->seed + i;
        freshet_free(l->filter);
        status = freshet_create_at(&l->filter, part.at, part.bytes, &o, err);
        if (status < 0)
            return status;
        l->stream = (struct bench_stream){
            .first = i << 48,
            .next = i << 48,
            .gap = args->gap ? args->gap : settled_begin(l->filter).bits / 64,
            .dice = args->seed + i,
        };
    }
    return FRESHET_OK;
}

void bench_lanes_close(struct bench_lane *lanes, uint64_t threads)
{
    for (uint64_t i = 0; lanes && i < threads; i++)
        freshet_free(lanes[i].filter);
    free(lanes);
}
