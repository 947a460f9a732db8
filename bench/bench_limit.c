/*
 * bench_limit.c - measures the machine's limit, which bench.h defines
 */
#include <math.h>

#include "bench.h"
#include "clock.h"
#include "size.h"
#include "status_line.h"

enum { CHUNK = 1 << 15, LINES = 64, FAR = 32 };

/* Processors differ in the number of lines that they fetch at a time, and in
   the cache into which they fetch them fastest. */
static const struct {
    unsigned ahead, level;
} ways[] = {{16, 1}, {FAR, 1}, {16, 2}, {FAR, 2}};
enum { WAYS = sizeof ways / sizeof *ways };

/* A vector of 64 bytes, in whatever registers the machine has. */
typedef uint64_t line __attribute__((vector_size(64)));

struct sweep {
    line *table;
    uint64_t lines, key, records;
    uint64_t ring[FAR][2]; /* lines of the records to come */
    bool two;
    unsigned ahead, level;
    double seconds;
    char pad[64]; /* keeps the sweeps of two threads on different cache lines */
};

/* Inlining turns arguments that are constant at a call into a loop without a
   test of them. */
#define INLINE static inline __attribute__((always_inline))

INLINE void fetch(const line *at, unsigned level)
{
    if (level == 1)
        __builtin_prefetch(at, 1, 3);
    else
        __builtin_prefetch(at, 1, 2);
}

/* Draws the line of a record and prefetches it while earlier records are
   processed. */
INLINE void prefetch_line(struct sweep *s, uint64_t key, bool two,
                          unsigned ahead, unsigned level)
{
    uint64_t *place = s->ring[key % ahead];
    uint64_t random = bench_mix(key);

    if (two) {
        /* The high bits choose the page, the low bits two different lines of
           it. */
        uint64_t page = bench_reduce(random, s->lines / LINES) * LINES;
        uint64_t one = random % LINES, step = random / LINES % LINES;

        place[0] = page + one;
        place[1] = page + (one ^ (step | !step));
        fetch(&s->table[place[1]], level);
    } else {
        place[0] = bench_reduce(random, s->lines);
    }
    fetch(&s->table[place[0]], level);
}

INLINE void sweep_chunk(struct sweep *s, bool two, unsigned ahead,
                        unsigned level)
{
    uint64_t key = s->key;

    for (uint64_t end = key + CHUNK; key < end; key++) {
        uint64_t one = s->ring[key % ahead][0], other = s->ring[key % ahead][1];

        prefetch_line(s, key + ahead, two, ahead, level);
        s->table[one] += 1;
        if (two)
            s->table[other] += 1;
    }
    s->key = key;
}

INLINE void sweep_level(struct sweep *s, unsigned level)
{
    if (s->two && s->ahead == FAR)
        sweep_chunk(s, true, FAR, level);
    else if (s->two)
        sweep_chunk(s, true, 16, level);
    else if (s->ahead == FAR)
        sweep_chunk(s, false, FAR, level);
    else
        sweep_chunk(s, false, 16, level);
}

static void sweep_run(void *job)
{
    struct sweep s = *(struct sweep *)job; /* a copy that no other thread can
                                              see */
    double start = clock_seconds();
    uint64_t from = s.key;

    for (uint64_t i = 0; i < s.ahead; i++)
        prefetch_line(&s, s.key + i, s.two, s.ahead, s.level);
    do {
        if (s.level == 1)
            sweep_level(&s, 1);
        else
            sweep_level(&s, 2);
    } while (clock_seconds() - start < s.seconds);
    s.records = s.key - from;
    *(struct sweep *)job = s;
}

/* Measures several runs of equal sweeps, one sweep per thread. */
static bool measure(struct bench_limit *limit, const struct bench_table *table,
                    const struct bench_args *args, struct fault *why)
{
    struct sweep sweep[BENCH_THREADS] = {0};

    for (size_t i = 0; i < limit->threads; i++) {
        struct bench_table part = bench_table_part(table, i, limit->threads);

        sweep[i].table = (line *)(void *)part.at;
        sweep[i].lines = part.bytes / sizeof(line);
        sweep[i].key = i << 48;
        sweep[i].two = limit->lines == 2;
        sweep[i].ahead = limit->ahead;
        sweep[i].level = limit->level;
        sweep[i].seconds = args->seconds;
    }
    for (uint64_t run = 0; run < args->runs; run++) {
        double seconds =
            bench_team(sweep_run, sweep, sizeof *sweep, limit->threads, why);
        uint64_t records = 0;

        if (seconds < 0)
            return false;
        for (size_t i = 0; i < limit->threads; i++)
            records += sweep[i].records;
        bench_add(&limit->best, seconds * 1e9 / (double)records);
    }
    return true;
}

/* Measures each way of fetching and keeps the fastest. */
static bool measure_best(struct bench_limit *limit,
                         const struct bench_table *table,
                         const struct bench_args *args, struct fault *why)
{
    for (size_t i = 0; i < WAYS; i++) {
        struct bench_limit other = *limit;

        other.ahead = ways[i].ahead;
        other.level = ways[i].level;
        other.best = (struct bench_best){0};
        if (!measure(&other, table, args, why))
            return false;
        if (i == 0 || other.best.fastest < limit->best.fastest)
            *limit = other;
    }
    return true;
}

static bool measure_keys(struct bench_limits *limits,
                         const struct bench_args *args, struct fault *why)
{
    struct bench_lane *lane = bench_lanes_make(1);
    struct error_count unread = {0};

    if (!lane) {
        fault_set(why, "out of memory");
        return false;
    }
    lane->stream.gap = limits->memory * 8 / 64;
    lane->stream.next = lane->stream.gap;
    lane->batch = BENCH_BLOCK;
    lane->records = UINT64_MAX;
    lane->seconds = args->seconds / 4;
    for (int stream = 0; stream < BENCH_STREAMS; stream++) {
        lane->stream.half = stream == BENCH_HALF;
        for (uint64_t run = 0; run < args->runs; run++)
            bench_add(&limits->keys[stream],
                      bench_lanes_run(lane, 1, &unread, why));
    }
    bench_lanes_close(lane, 1);
    return true;
}

bool bench_limits_measure(struct bench_limits *limits,
                          const struct bench_table *table,
                          const struct bench_args *args, struct fault *why)
{
    const unsigned threads[] = {1, 2, (unsigned)args->threads};
    size_t kinds = args->threads > 2 ? 3 : 2;
    char text[SIZE_TEXT];

    *limits = (struct bench_limits){.memory = table->bytes};
    for (unsigned lines = 1; lines <= 2; lines++)
        for (size_t i = 0; i < kinds; i++) {
            struct bench_limit *limit = &limits->row[limits->n++];

            limit->lines = lines;
            limit->threads = threads[i];
            status_line_show("limit of %s: lines %u, threads %u",
                             size_text(text, table->bytes), lines, threads[i]);
            if (!measure_best(limit, table, args, why))
                return false;
        }
    return measure_keys(limits, args, why);
}

double bench_limit_ns(const struct bench_limits *limits, uint64_t threads)
{
    for (size_t i = 0; i < limits->n; i++)
        if (limits->row[i].lines == 1 && limits->row[i].threads == threads)
            return limits->row[i].best.fastest;
    return (double)NAN;
}
