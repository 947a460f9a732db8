/*
 * engine_runs.h - runs of an engine over made-up files, for its tests
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
#include "engine.h"
#include "source_file.h"

enum { MEMORY = 1 << 20, LINES = 4000, FILES = 2 };

/* What is asked for; zero is as without options. */
struct wish {
    const char *name;
    void (*line)(FILE *to, unsigned i);
    struct {
        const char *option, *text; /* of key_create() */
        const char *time;          /* where it stands */
        bool fold;
        uint64_t skip_fields, skip_bytes;
    } key;
    bool zero, audit, repeats_too;
    size_t most; /* bytes of a record; 0: any */
    uint64_t last, within;
    unsigned depth; /* decisions that may wait */
    enum missing missing;
    enum malformed malformed;
    int mode; /* OUTPUT_ */
    bool until_repeat;
    enum engine_status result; /* 0: ENGINE_DONE */
};

/* An engine, and all that it stands on. */
struct run {
    struct extractor extractor;
    struct output output;
    struct engine_config config;
    struct source *source;
    struct engine *engine;
    freshet *filter, *repeated;
    struct audit *audit;
    char said[4096]; /* the faults */
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

static void make_decider(struct run *r, const struct wish *wish,
                         const freshet_options *o)
{
    struct decider *d;
    bool parts = r->config.threads > 1 && !wish->audit &&
                 wish->mode != OUTPUT_FIRST_REPEATS;

    assert_int_equal(freshet_create(&r->filter, o, NULL), 0);
    d = parts ? decider_parts(r->filter, 2 * r->config.threads)
              : decider_local(r->filter, DECIDER_OFFER);
    if (wish->audit) {
        r->audit =
            audit_create(MEMORY, 1, (struct audit_window){wish->last, false});
        d = decider_audited(d, r->audit);
    }
    if (wish->mode == OUTPUT_FIRST_REPEATS) {
        freshet_options shown = *o;

        first_repeat_options(&shown);
        assert_int_equal(freshet_create(&r->repeated, &shown, NULL), 0);
        d = decider_first_repeat(d, r->repeated);
    }
    assert_non_null(d);
    d->depth = wish->depth;
    r->config.decider = d;
}

static void make_extractor(struct extractor *x, const struct wish *wish)
{
    struct key_settings settings = {.fold = wish->key.fold,
                                    .separator = -1,
                                    .skip_fields = wish->key.skip_fields,
                                    .skip_bytes = wish->key.skip_bytes,
                                    .most_bytes = UINT64_MAX,
                                    .time = wish->key.time};

    *x = (struct extractor){.missing = wish->missing,
                            .malformed = wish->malformed};
    x->key = key_create(wish->key.option, wish->key.text, &settings, NULL);
    assert_non_null(x->key);
    assert_true(event_time_create(&x->time, wish->key.time, x->key, NULL));
    extractor_set_framing(x, wish->zero ? '\0' : '\n',
                          wish->most ? wish->most : SIZE_MAX);
}

/* The context is that of wants_rest() and at_rest(). */
static void set_up(struct run *r, const struct wish *wish, size_t window,
                   unsigned threads, const struct engine_host *host)
{
    freshet_options o = {.size = sizeof o,
                         .memory = MEMORY,
                         .window = wish->last,
                         .within = wish->within,
                         .seed = 1};
    struct source_file_config from = {.window = window};
    struct fault why;

    *r = (struct run){.output = {.dup.fd = -1,
                                 .mode = &output_modes[wish->mode]},
                      .config = {.extractor = &r->extractor,
                                 .output = &r->output,
                                 .host = *host,
                                 .threads = threads,
                                 .within = wish->within,
                                 .until_repeat = wish->until_repeat}};
    make_extractor(&r->extractor, wish);
    make_decider(r, wish, &o);
    sink_init(&r->output.out, memory_file(), "out");
    if (wish->repeats_too)
        sink_init(&r->output.dup, memory_file(), "dup");
    from.framing = r->extractor.framing;
    r->source = source_file_create(&from);
    assert_non_null(r->source);
    if (threads > 1)
        r->config.pool = pool_create(threads);
    r->engine = engine_create(&r->config, window, &why);
    assert_non_null(r->engine);
}

static void tear_down(struct run *r)
{
    engine_free(r->engine);
    pool_free(r->config.pool);
    r->source->type->free(r->source);
    extractor_free(&r->extractor);
    decider_close(r->config.decider);
    audit_free(r->audit);
    freshet_free(r->repeated);
    freshet_free(r->filter);
}

static enum engine_status run_file(struct run *r, const char *name)
{
    enum engine_status status;
    struct fault why;
    size_t used = strlen(r->said);

    assert_true(source_file_open(r->source, name));
    status = engine_run(r->engine, r->source, &why);
    if (status >= ENGINE_INPUT)
        snprintf(r->said + used, sizeof r->said - used, "%s\n", why.text);
    source_file_close(r->source);
    return status;
}

/* Trouble with one file leaves the next, as in the program. */
static enum engine_status run_files(struct run *r, const struct wish *wish)
{
    enum engine_status status = ENGINE_DONE, worst = ENGINE_DONE;

    for (unsigned i = 0;
         i < FILES && (status == ENGINE_DONE || status == ENGINE_INPUT); i++) {
        int fd = input_of(wish, i);
        char name[64];

        /* The same name each time, for messages. */
        snprintf(name, sizeof name, "/proc/self/fd/%d", dup2(fd, 100));
        status = run_file(r, name);
        worst = status > worst ? status : worst;
        close(fd);
    }
    return worst;
}

#endif
