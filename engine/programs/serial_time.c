/*
 * serial_time.c - measures the part of a record's time that only one thread may
 * spend
 *
 *     serial_time FILE [THREADS]        serial_time - [THREADS] <PIPE
 *
 * The engine runs over the records, with whole lines as keys, a filter that is
 * in parts if there are several threads, and no output.  It measures the work
 * that only one thread at a time may do: claiming bytes of the input, the steps
 * that have one lane, and everything under the pool's lock.  Times are
 * processor times of the thread, without the system calls that read and write,
 * and without the cost of reading the clock, so that other programs and more
 * threads than processors disturb them little.
 *
 * The functions in question are replaced by the linker (--wrap), so that the
 * engine is not changed.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine_internal.h"
#include "source_file.h"

enum { THREADS = 4, WINDOW = 1 << 18, MEMORY = 256 << 20 };

/* ---- Clocks ----------------------------------------------------------- */

enum section { CLAIM, ORDER, WRITE, LOCK, SECTIONS };

static const char *const section_names[] = {"claim", "order", "write", "lock"};
static _Atomic uint64_t spent[SECTIONS];
static uint64_t clock_cost; /* ns between two readings of the clock */

/* The time of this thread in system calls that read and write. */
static _Thread_local uint64_t in_calls;
static _Thread_local uint64_t locked_at;

static uint64_t thread_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t since(uint64_t start)
{
    uint64_t passed = thread_time() - start;

    return passed > clock_cost ? passed - clock_cost : 0;
}

static void find_clock_cost(void)
{
    enum { PAIRS = 1000 };
    uint64_t start = thread_time();

    for (int i = 0; i < PAIRS; i++)
        (void)thread_time();
    clock_cost = (thread_time() - start) / (PAIRS + 1);
}

/* Adds the time since the start, without that in calls since then. */
static void spend(enum section section, uint64_t start, uint64_t calls)
{
    uint64_t passed = since(start), other = in_calls - calls;

    atomic_fetch_add(&spent[section], passed > other ? passed - other : 0);
}

/* ---- What the linker puts in the place of functions -------------------- */

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __real_pread(int fd, void *to, size_t n, off_t at);
ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at);
ssize_t __real_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n);
int __real_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __real_pthread_mutex_unlock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock);
int __real_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock);
int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock);
struct flow *__real_flow_create(const struct flow_step *steps, void *context,
                                struct pool *pool, void *const *items,
                                size_t n);
struct flow *__wrap_flow_create(const struct flow_step *steps, void *context,
                                struct pool *pool, void *const *items,
                                size_t n);

ssize_t __wrap_read(int fd, void *to, size_t n)
{
    uint64_t start = thread_time();
    ssize_t got = __real_read(fd, to, n);

    in_calls += thread_time() - start;
    return got;
}

ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at)
{
    uint64_t start = thread_time();
    ssize_t got = __real_pread(fd, to, n, at);

    in_calls += thread_time() - start;
    return got;
}

ssize_t __wrap_write(int fd, const void *from, size_t n)
{
    uint64_t start = thread_time();
    ssize_t put = __real_write(fd, from, n);

    in_calls += thread_time() - start;
    return put;
}

/* The pool's is the only lock that the engine takes while it runs. */
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
    int status = __real_pthread_mutex_lock(lock);

    locked_at = thread_time();
    return status;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock)
{
    spend(LOCK, locked_at, in_calls);
    return __real_pthread_mutex_unlock(lock);
}

int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock)
{
    int status;

    spend(LOCK, locked_at, in_calls);
    status = __real_pthread_cond_wait(c, lock);
    locked_at = thread_time();
    return status;
}

/* ---- Steps and claims that are timed ----------------------------------- */

static struct flow_step step_of[FLOW_STEPS]; /* as the engine made them */
static const struct source_type *real_type;

static void run_timed(enum section section, enum engine_step_number step,
                      void *context, void *item, unsigned lane)
{
    uint64_t start = thread_time(), calls = in_calls;

    step_of[step].run(context, item, lane);
    spend(section, start, calls);
}

static void order_timed(void *context, void *item, unsigned lane)
{
    run_timed(ORDER, STEP_ORDER, context, item, lane);
}

static void decide_timed(void *context, void *item, unsigned lane)
{
    run_timed(ORDER, STEP_DECIDE, context, item, lane);
}

static void write_timed(void *context, void *item, unsigned lane)
{
    run_timed(WRITE, STEP_WRITE, context, item, lane);
}

/* STEP_DECIDE has one lane if the filter is not in parts. */
struct flow *__wrap_flow_create(const struct flow_step *steps, void *context,
                                struct pool *pool, void *const *items, size_t n)
{
    struct flow_step timed[FLOW_STEPS];

    memcpy(step_of, steps, sizeof step_of);
    memcpy(timed, steps, sizeof timed);
    timed[STEP_ORDER].run = order_timed;
    timed[STEP_WRITE].run = write_timed;
    if (steps[STEP_DECIDE].lanes == 1)
        timed[STEP_DECIDE].run = decide_timed;
    return __real_flow_create(timed, context, pool, items, n);
}

static enum source_result claim_timed(struct source *s, struct chunk *c,
                                      struct fault *why)
{
    uint64_t start = thread_time(), calls = in_calls;
    enum source_result result = real_type->claim(s, c, why);

    spend(CLAIM, start, calls);
    return result;
}

/* ---- A run ------------------------------------------------------------ */

struct run {
    struct extractor extractor;
    struct output output;
    struct engine_config config;
    struct source_type type;
    struct source *source;
    freshet *filter;
    uint64_t records;
};

static void die(const char *what)
{
    fprintf(stderr, "serial_time: %s\n", what);
    exit(2);
}

static bool no_rest(void *context)
{
    (void)context;
    return false;
}

static bool go_on(void *context)
{
    (void)context;
    return true;
}

static void make_source(struct run *r)
{
    struct source_file_config config = {.window = WINDOW};

    config.framing = r->extractor.framing;
    r->source = source_file_create(&config);
    if (!r->source)
        die("no memory");
    real_type = r->source->type;
    r->type = *real_type;
    r->type.claim = claim_timed;
    r->source->type = &r->type;
}

static void set_up(struct run *r, unsigned threads)
{
    struct key_settings settings = {.separator = -1, .most_bytes = UINT64_MAX};
    freshet_options o = {.size = sizeof o, .memory = MEMORY, .seed = 1};

    *r = (struct run){.output = {.dup.fd = -1,
                                 .mode = &output_modes[OUTPUT_NEW]},
                      .config = {.extractor = &r->extractor,
                                 .output = &r->output,
                                 .host = {.wants_rest = no_rest,
                                          .at_rest = go_on},
                                 .threads = threads}};
    r->extractor.key = key_create(NULL, NULL, &settings, NULL);
    if (!r->extractor.key || freshet_create(&r->filter, &o, NULL) < 0)
        die("no memory");
    extractor_set_framing(&r->extractor, '\n', SIZE_MAX);
    r->config.decider = threads > 1 ? decider_parts(r->filter, 2 * threads)
                                    : decider_local(r->filter, DECIDER_OFFER);
    sink_init(&r->output.out, open("/dev/null", O_WRONLY), "/dev/null");
    make_source(r);
    if (threads > 1)
        r->config.pool = pool_create(threads);
}

static void run(struct run *r, const char *name)
{
    struct fault why;
    struct engine *e = engine_create(&r->config, WINDOW, &why);

    if (!e || !source_file_open(r->source, name))
        die(e ? "cannot open the file" : why.text);
    memset(spent, 0, sizeof spent);
    if (engine_run(e, r->source, &why) != ENGINE_DONE)
        die(why.text);
    r->records = counts_of(engine_counts(e), VERDICTS_COMPARED);
    source_file_close(r->source);
    engine_free(e);
}

static void tear_down(struct run *r)
{
    pool_free(r->config.pool);
    r->source->type = real_type;
    real_type->free(r->source);
    extractor_free(&r->extractor);
    decider_close(r->config.decider);
    close(r->output.out.fd);
    freshet_free(r->filter);
}

/* ---- The report -------------------------------------------------------- */

static void report(const struct run *r)
{
    double n = (double)r->records, serial = 0;

    for (int i = 0; i < SECTIONS; i++)
        serial += (double)spent[i] / n;
    printf("%.2f ns for each record:", serial);
    for (int i = 0; i < SECTIONS; i++)
        printf(" %s %.2f", section_names[i], (double)spent[i] / n);
    printf("\n");
}

int main(int argc, char **argv)
{
    unsigned threads = argc > 2 ? (unsigned)atoi(argv[2]) : THREADS;
    struct run r;

    if (argc < 2 || threads < 1 || threads > POOL_MOST)
        die("usage: serial_time FILE|- [THREADS]");
    find_clock_cost();
    set_up(&r, threads);
    run(&r, argv[1]);
    if (!r.records)
        die("no records");
    report(&r);
    tear_down(&r);
    return 0;
}
