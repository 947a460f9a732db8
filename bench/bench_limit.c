/*
 * bench_limit.c - measures the machine's limit, which bench.h defines
 */
#include <math.h>

#include "bench.h"
#include "size.h"
#include "status_line.h"

enum { BLOCK = BENCH_BATCH, LINES = 64, FAR = 32 };

/* Processors differ in the number of lines that they fetch at a time, and in
   the cache into which they fetch them fastest. */
static const struct {
    unsigned ahead, level;
} ways[] = {{16, 1}, {FAR, 1}, {16, 2}, {FAR, 2}};
enum { WAYS = sizeof ways / sizeof *ways };

/* A vector of 64 bytes, in whatever registers the machine has. */
typedef uint64_t line __attribute__((vector_size(64)));

struct sweep {
    struct bench_clock *clock;
    line *table;
    uint64_t lines, next, records; /* next: number of the next key to be made */
    uint64_t ring[FAR][2];         /* lines of the keys to come */
    bool two;
    unsigned ahead, level;
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

/* Sets the line of a key and prefetches it while earlier keys are processed. */
INLINE void prefetch_line(const struct sweep *s, uint64_t place[2],
                          freshet_hash key, bool two, unsigned level)
{
    if (two) {
        /* The high bits choose the page, the low bits two different lines of
           it. */
        uint64_t page = bench_reduce(key.hi, s->lines / LINES) * LINES;
        uint64_t one = key.hi % LINES, step = key.hi / LINES % LINES;

        place[0] = page + one;
        place[1] = page + (one ^ (step | !step));
        fetch(&s->table[place[1]], level);
    } else {
        place[0] = bench_reduce(key.hi, s->lines);
    }
    fetch(&s->table[place[0]], level);
}

/* Prefetches the lines of a block of keys, and changes those of the keys that
   came before. */
INLINE void sweep_block(struct sweep *s, const freshet_hash key[BLOCK],
                        bool two, unsigned ahead, unsigned level)
{
    for (uint64_t i = 0; i < BLOCK; i++) {
        uint64_t *place = s->ring[i % ahead];
        uint64_t one = place[0], other = place[1];

        prefetch_line(s, place, key[i], two, level);
        s->table[one] += 1;
        if (two)
            s->table[other] += 1;
    }
}

INLINE void sweep_level(struct sweep *s, const freshet_hash key[BLOCK],
                        unsigned level)
{
    if (s->two && s->ahead == FAR)
        sweep_block(s, key, true, FAR, level);
    else if (s->two)
        sweep_block(s, key, true, 16, level);
    else if (s->ahead == FAR)
        sweep_block(s, key, false, FAR, level);
    else
        sweep_block(s, key, false, 16, level);
}

static void sweep_run(void *job)
{
    struct sweep s = *(struct sweep *)job; /* a copy that no other thread can
                                              see */
    freshet_hash key[BLOCK];

    s.records = 0;
    for (uint64_t i = 0; i < s.ahead; i++)
        prefetch_line(&s, s.ring[i], bench_key(s.next++), s.two, s.level);
    do {
        for (uint64_t i = 0; i < BLOCK; i++)
            key[i] = bench_key(s.next++);
        bench_clock_start(s.clock);
        if (s.level == 1)
            sweep_level(&s, key, 1);
        else
            sweep_level(&s, key, 2);
        bench_clock_stop(s.clock);
        s.records += BLOCK;
    } while (!s.clock->is_over);
    *(struct sweep *)job = s;
}

/* Measures several runs of equal sweeps, one sweep per thread. */
static bool measure(struct bench_limit *limit, const struct bench_table *table,
                    const struct bench_args *args, struct fault *why)
{
    struct sweep sweep[BENCH_THREADS] = {0};
    struct bench_clock clock;

    for (size_t i = 0; i < limit->threads; i++) {
        struct bench_table part = bench_table_part(table, i, limit->threads);

        sweep[i].clock = &clock;
        sweep[i].table = (line *)(void *)part.at;
        sweep[i].lines = part.bytes / sizeof(line);
        sweep[i].next = i << 48;
        sweep[i].two = limit->lines == 2;
        sweep[i].ahead = limit->ahead;
        sweep[i].level = limit->level;
    }
    for (uint64_t run = 0; run < args->runs; run++) {
        uint64_t records = 0;

        bench_clock_init(&clock, limit->threads, args->seconds);
        if (bench_team(sweep_run, sweep, sizeof *sweep, limit->threads, why) <
            0)
            return false;
        for (size_t i = 0; i < limit->threads; i++)
            records += sweep[i].records;
        bench_add(&limit->best, clock.seconds * 1e9 / (double)records);
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
    return true;
}

double bench_limit_ns(const struct bench_limits *limits, uint64_t threads)
{
    for (size_t i = 0; i < limits->n; i++)
        if (limits->row[i].lines == 1 && limits->row[i].threads == threads)
            return limits->row[i].best.fastest;
    return (double)NAN;
}
