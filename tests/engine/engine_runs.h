/*
 * engine_runs.h - runs of a pipeline over made-up files, for its tests
 */
#ifndef ENGINE_RUNS_H
#define ENGINE_RUNS_H
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "audit.h"
#include "check.h"
#include "command.h"
#include "engine.h"
#include "key_options.h"

enum { MEMORY = 1 << 20, LINES = 4000, FILES = 2 };

/* In place of the command line, which is not under test. */
const struct cli_command cmd_filter;

int cli_fail(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    putc('\n', stderr);
    return CLI_TROUBLE;
}

int cli_misuse(const struct cli_command *command, const char *format, ...)
{
    (void)command;
    fail_msg("%s", format);
    return CLI_TROUBLE;
}

/* What is asked for; zero is as without options. */
struct wish {
    const char *name;
    void (*line)(FILE *to, unsigned i);
    struct key_args key;
    bool zero, audit, repeats_too;
    size_t most; /* bytes of a record; 0: any */
    uint64_t last, within;
    enum missing missing;
    enum malformed malformed;
    int mode; /* OUTPUT_ */
    bool until_repeat;
    enum pipeline_result result;
};

/* A pipeline, and what its decider stands on. */
struct run {
    struct pipeline pipeline;
    freshet *filter, *repeated;
    struct audit *audit;
};

/* ---- Records ---------------------------------------------------------- */

static unsigned mix(unsigned i)
{
    i = (i ^ i >> 16) * 0x45d9f3bu;
    return (i ^ i >> 16) * 0x45d9f3bu >> 8;
}

/* Short and empty ones, and some longer than a window. */
static void plain(FILE *to, unsigned i)
{
    unsigned key = mix(i) % 700;

    fprintf(to, "%.*sKey %u of %u", (int)(mix(key) % 5), "aAbB ", key, i % 7);
    if (i % 97 == 0)
        fprintf(to, "%0*u", (int)(mix(i) % 900), 0);
}

static void zeros(FILE *to, unsigned i)
{
    fprintf(to, "%u\n%u", mix(i) % 300, i % 3);
}

/* ---- Running ---------------------------------------------------------- */

static int memory_file(void)
{
    int fd = memfd_create("test", 0);

    assert_true(fd >= 0);
    return fd;
}

static char *all_of(int fd, size_t *len)
{
    off_t end = lseek(fd, 0, SEEK_END);
    char *text = calloc(1, (size_t)end + 1);

    assert_non_null(text);
    assert_int_equal(pread(fd, text, (size_t)end, 0), end);
    close(fd);
    *len = (size_t)end;
    return text;
}

/* The last line of the second file has no end. */
static int input_of(const struct wish *wish, unsigned file)
{
    int fd = memory_file();
    FILE *to = fdopen(dup(fd), "w");

    assert_non_null(to);
    for (unsigned i = 0; i < LINES; i++) {
        wish->line(to, i);
        if (i + 1 < LINES || file == 0)
            putc(wish->zero ? '\0' : '\n', to);
    }
    assert_int_equal(fclose(to), 0);
    return fd;
}

static bool go_on(void *context)
{
    (void)context;
    return true;
}

/* Now and then: the team shall work, and rest. */
static bool sometimes(void *context)
{
    unsigned *calls = context;

    return ++*calls % 50 == 0;
}

static void nothing(void *context)
{
    (void)context;
}

static void make_decider(struct run *r, const struct wish *wish,
                         const freshet_options *o)
{
    struct decider *d;

    assert_int_equal(freshet_create(&r->filter, o, NULL), 0);
    d = decider_local(r->filter, DECIDER_OFFER);
    if (wish->audit) {
        r->audit =
            audit_create(MEMORY, 1, (struct audit_window){wish->last, false});
        d = decider_audited(d, r->audit);
    }
    if (wish->mode == OUTPUT_FIRST_REPEATS) {
        assert_int_equal(freshet_create(&r->repeated, o, NULL), 0);
        d = decider_first_repeat(d, r->repeated);
    }
    assert_non_null(d);
    r->pipeline.decider = d;
}

static void set_up(struct run *r, const struct wish *wish, size_t window,
                   unsigned threads)
{
    struct pipeline *p = &r->pipeline;
    freshet_options o = {.size = sizeof o,
                         .memory = MEMORY,
                         .window = wish->last,
                         .within = wish->within,
                         .seed = 1};
    struct key_args key = wish->key;
    struct rules *rules = &p->rules;

    if (!key.check_chars)
        key.check_chars = UINT64_MAX;
    if (!key.separator)
        key.separator = -1;
    *r = (struct run){.pipeline = {.mode = &output_modes[wish->mode],
                                   .within = wish->within,
                                   .until_repeat = wish->until_repeat,
                                   .threads = threads,
                                   .dup.fd = -1}};
    rules->delimiter = wish->zero ? '\0' : '\n';
    rules->missing = wish->missing;
    rules->malformed = wish->malformed;
    assert_int_equal(key_take(&rules->key, &key), CLI_GO);
    assert_true(
        event_time_create(&rules->time, wish->key.time, rules->key, NULL));
    make_decider(r, wish, &o);
    assert_int_equal(sink_init(&p->out, memory_file(), "out"), 0);
    if (wish->repeats_too)
        assert_int_equal(sink_init(&p->dup, memory_file(), "dup"), 0);
    assert_int_equal(reader_init(&p->in, window,
                                 wish->most ? wish->most : SIZE_MAX),
                     0);
    assert_int_equal(pipeline_open(p), 0);
    p->between = go_on;
    p->pressing = sometimes;
    p->decided = nothing;
}

static void tear_down(struct run *r)
{
    struct pipeline *p = &r->pipeline;

    pipeline_close(p);
    reader_free(&p->in);
    sink_free(&p->out);
    sink_free(&p->dup);
    key_free(p->rules.key);
    event_time_free(&p->rules.time);
    decider_close(p->decider);
    audit_free(r->audit);
    freshet_free(r->repeated);
    freshet_free(r->filter);
}

/* Trouble with one file leaves the next, as in the program. */
static enum pipeline_result run_files(struct pipeline *p,
                                      const struct wish *wish)
{
    enum pipeline_result result = PIPELINE_DONE, worst = PIPELINE_DONE;

    for (unsigned i = 0;
         i < FILES && result <= PIPELINE_INPUT && result != PIPELINE_STOPPED;
         i++) {
        int fd = input_of(wish, i);
        char name[64];

        /* The same name each time, for messages. */
        snprintf(name, sizeof name, "/proc/self/fd/%d", dup2(fd, 100));
        result = pipeline_file(p, name);
        worst = result > worst ? result : worst;
        close(fd);
    }
    return worst;
}

#endif
