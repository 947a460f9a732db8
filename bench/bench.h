/*
 * bench.h - how freshet bench measures
 *
 * The machine's limit.  Any filter must at least fetch one cache line at
 * random, change it and let it be written back.  The limit is that and nothing
 * more: for each key take the line that it stands for, prefetch the line of 16
 * or 32 keys ahead into the first or the second cache, whichever is fastest,
 * load all 64 bytes of the current one, change them, store them.  Lines follow
 * from half of the key, by multiply-shift.  Batches do not interrupt it, what
 * it has prefetched at the end of a block of keys arrives while the clock is
 * stopped, and no verdict is kept, so it flatters no filter.
 * With two lines, both lie in one 4 KiB page, as for a key with two places.
 *
 * The same memory, mapped once per size with huge pages and touched, serves
 * the limit and then every filter.
 *
 * The stream.  New keys count up.  A repeat offers again the key that came a
 * uniform 1 to gap new keys ago, so the truth is known by construction.  Coin
 * and gap are random: a filter's branches cannot be foretold.  Keys are
 * integers, mixed to 128 bits.
 *
 * The clock.  Keys are made in blocks that stay in the cache, with the clock
 * stopped, for filters and for the limit alike; verdicts are compared with the
 * truth when it is stopped again.  What is timed begins with keys in memory and
 * ends with verdicts in memory.  Several threads start the clock when all of
 * them have made their keys, and stop it when the last one has decided its own:
 * none makes keys while another decides, and none that waited for a processor
 * looks fast.  What they wait for each other is counted.
 *
 * Steady state.  A filter is first filled with new keys: one per 64 bits of
 * memory (and no fewer than the gap), then twice as many, until a doubling
 * adds less than 1 % to the count of used slots (windows that turn over lose
 * some), or 99 % of them are used, or one key per bit has come.  The keys and
 * the seconds that this took are shown.  Where time runs out first, no gap is
 * longer than what came, the figures are marked as not settled, and the time
 * for one key per bit is shown, which is always enough.
 *
 * Figures are of the fastest run; the spread says how much slower the slowest
 * was.  Several threads work on filters of their own, memory divided; then on
 * one filter, by parts, where it can be split, which is compared with both.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdatomic.h>

#include "algorithm_spec.h"
#include "bench_stream.h"
#include "error_count.h"
#include "fault.h"
#include "freshet.h"
#include "option.h"

enum { BENCH_THREADS = 64, BENCH_BATCH = 4096, BENCH_BLOCK = 256 };

enum { BENCH_NEW, BENCH_HALF, BENCH_STREAMS, BENCH_DEFAULT = -1 };

struct bench_args {
    struct option_list memory, batch;
    int stream; /* BENCH_DEFAULT: both */
    uint64_t threads, runs, gap, records, seed;
    double seconds, fill, error;
    bool json, scaling, limit;
};

/* Returns the n algorithms that the operands name, or all if there are none;
   NULL if there is no memory. */
struct algorithm_spec *bench_specs_make(int argc, char **argv,
                                        const struct bench_args *args,
                                        size_t *n);

/* Returns false and a message if a filter cannot be made: before the first
   measurement instead of after the last. */
bool bench_specs_check(const struct algorithm_spec *specs, size_t n,
                       const struct bench_args *args, struct fault *why);

/* ---- Time and threads ------------------------------------------------- */

/* The fastest and the slowest of several runs, in ns per record. */
struct bench_best {
    double fastest, slowest;
    uint64_t runs;
};
void bench_add(struct bench_best *best, double ns);
double bench_spread(const struct bench_best *best);

/*
 * Runs work on each of n jobs of the given size at the same time, the first on
 * this thread.  Returns the seconds from the common start to the end of the
 * last one, so that threads that hardly overlapped cannot look fast.  Returns a
 * negative number and a message if the system has no more threads.
 */
double bench_team(void (*work)(void *job), void *jobs, size_t size, size_t n,
                  struct fault *why);

/* Runs while threads decide; all of them call the same functions in the same
   order. */
struct bench_clock {
    uint64_t threads;
    double start, seconds; /* since when it runs; how long it ran before */
    double end;            /* of the run, by the system's clock */
    bool is_over;          /* whether that had come when it was stopped */
    _Alignas(64) _Atomic uint64_t arrived; /* threads, at all calls together */
    _Alignas(64) _Atomic uint64_t gone;    /* of them, those that may go on */
};

/* Begins a run of at most this many seconds, with the clock stopped. */
void bench_clock_init(struct bench_clock *c, uint64_t threads, double most);

/* Each waits for all threads.  The clock starts when the last one is there, and
   it stops when the last one is there. */
void bench_clock_start(struct bench_clock *c);
void bench_clock_meet(struct bench_clock *c); /* the clock goes on */
void bench_clock_stop(struct bench_clock *c);

/* ---- Memory ----------------------------------------------------------- */

struct bench_table {
    unsigned char *at; /* starts at a huge page */
    uint64_t bytes;
};

/* Maps memory, with huge pages if the system has them, and touches it.  Returns
   false and sets *why if there is not enough memory. */
bool bench_table_open(struct bench_table *table, uint64_t bytes,
                      struct fault *why);
void bench_table_close(struct bench_table *table);

/* Returns the i-th of n equal parts, each a whole number of pages if n > 1. */
struct bench_table bench_table_part(const struct bench_table *table, size_t i,
                                    size_t n);

/* ---- The machine's limit ---------------------------------------------- */

struct bench_limit {
    unsigned lines, threads;
    unsigned ahead; /* prefetch distance of the fastest run */
    unsigned level; /* cache into which it fetched */
    struct bench_best best;
};

struct bench_limits {
    uint64_t memory;
    size_t n;
    struct bench_limit row[6];
};

/* Measures the limits of one thread, of two, and of the number that args gives.
   Returns false and sets *why if threads or memory are missing. */
bool bench_limits_measure(struct bench_limits *limits,
                          const struct bench_table *table,
                          const struct bench_args *args, struct fault *why);

/* Returns the limit for one line and that many threads. */
double bench_limit_ns(const struct bench_limits *limits, uint64_t threads);

/* ---- A filter at work ------------------------------------------------- */

/* The filter and the stream of one thread. */
struct bench_lane {
    freshet *filter;
    struct bench_stream stream;
    struct bench_clock *clock;
    uint64_t batch, records; /* stop after this many records */
    double seconds;          /* or after this time, with making the keys */
    struct error_count tally;
    bool steady;
    freshet_hash key[BENCH_BATCH];
    uint8_t repeat[BENCH_BATCH], seen[BENCH_BATCH];
};

void bench_lane_settle(void *lane); /* fills the filter up to the steady
                                       state */

/*
 * Returns the number of keys that the filter still knows: those it finds of all
 * that came, less the false drops.  NaN if the sample is not accurate to 5 %.
 */
double bench_lane_remembers(const struct bench_lane *lane);

/* Returns as many lanes as threads, or NULL if there is no memory. */
struct bench_lane *bench_lanes_make(uint64_t threads);

/* Makes a filter in each lane's part of the table and rewinds its stream. */
int bench_lanes_open(struct bench_lane *lanes, const struct bench_table *table,
                     const struct algorithm_spec *spec,
                     const struct bench_args *args, freshet_error *err);
void bench_lanes_close(struct bench_lane *lanes, uint64_t threads);

/*
 * Runs all lanes, which are to run for the same time and number of records.
 * Returns ns per record of all together, and adds their counts to sum.  Returns
 * a negative number and sets *why if the system has no more threads.
 */
double bench_lanes_run(struct bench_lane *lanes, uint64_t threads,
                       struct error_count *sum, struct fault *why);

/* One thread compared with all of them, on one filter and on filters of their
   own. */
struct bench_parts {
    int stream;
    struct bench_best one, all, own; /* no runs: the stream was not requested */
};

/*
 * Measures the filter of a settled lane, decided by one thread and, in parts,
 * by the number of threads that args gives, and the settled lanes "own", one
 * for each thread.  Returns false and sets *why on error.
 */
bool bench_parts_measure(struct bench_parts result[BENCH_STREAMS],
                         struct bench_lane *lane, struct bench_lane *own,
                         const struct bench_args *args, struct fault *why);

/*
 * Measures long streams, ten points per decade; after() is called when one is
 * printed.  Returns 0, the first other value of after(), or -1 and sets *why.
 */
int bench_scaling(const struct algorithm_spec *specs, size_t n,
                  const struct bench_args *args, int (*after)(void),
                  struct fault *why);

/* ---- Results ---------------------------------------------------------- */

struct bench_result {
    const struct algorithm_spec *spec;
    freshet_info info;
    uint64_t memory, batch, gap, filled;
    int stream;
    bool steady;
    double fill_seconds; /* time to offer the filled keys */
    struct bench_best best;
    struct error_count tally;
    double limit_ns, bits_per_key;
};

struct bench_decade {
    uint64_t from, to; /* records */
    double ns;         /* per record */
    struct error_count tally;
};

/* Each prints to standard output, as text or JSON. */
void bench_report_start(const struct bench_args *args, const char *command,
                        const char *plan);
void bench_report_limits(const struct bench_args *args,
                         const struct bench_limits *limits);
void bench_report_skip(const struct bench_args *args,
                       const struct algorithm_spec *spec, const char *why);
void bench_report_columns(const struct bench_args *args, int width);
void bench_report_result(const struct bench_args *args,
                         const struct bench_result *result, int width);
void bench_report_parts(const struct bench_args *args, const freshet_info *info,
                        const struct bench_parts *result);
void bench_report_scaling(const struct bench_args *args,
                          const freshet_info *info, int stream);
void bench_report_decade(const struct bench_args *args,
                         const freshet_info *info, int stream,
                         const struct bench_decade *decade);
void bench_report_slowest(const struct bench_args *args,
                          const struct bench_decade *slowest,
                          const struct bench_decade *last);

#endif
