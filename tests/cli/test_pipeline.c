/*
 * test_pipeline.c - several threads give what one gives, however small windows
 *
 * Each case runs over the same files with one thread and with more, and with
 * windows so small that records, quotes and batches are cut everywhere.  What
 * was written, said and counted must be the same.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "cli.h"
#include "keyargs.h"
#include "pipeline.h"

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

/* How many more allocations and threads are granted; below 0: any number. */
static int grants = -1;

static bool is_granted(void)
{
    if (grants > 0)
        grants--;
    return grants != 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg);

void *__wrap_malloc(size_t size)
{
    return is_granted() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return is_granted() ? __real_calloc(n, size) : NULL;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg)
{
    return is_granted() ? __real_pthread_create(thread, attributes, start, arg)
                        : EAGAIN;
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
    enum show show;
    bool until_repeat;
    enum pipeline_result result;
};

/* What came of it. */
struct outcome {
    char *out, *dup, *said;
    size_t out_len, dup_len, said_len;
    struct counts counts;
    struct audit_report report;
    enum pipeline_result result;
    bool team;
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

static void empty(FILE *to, unsigned i)
{
    if (i % 50 == 0)
        fprintf(to, "%u", mix(i) % 9);
}

static void zeros(FILE *to, unsigned i)
{
    fprintf(to, "%u\n%u", mix(i) % 300, i % 3);
}

/* Quoted separators, newlines and quotes; and now and then a wrong one. */
static void csv(FILE *to, unsigned i)
{
    unsigned key = mix(i) % 300;

    if (i == 0)
        fputs("\"the, id\",name,text", to);
    else if (i % 211 == 0)
        fputs("\"wrong\" quotes,b", to);
    else if (i % 13 == 0)
        fprintf(to, "\"%u\",\"line\nnext \"\"%u\"\",\",x", key, i);
    else
        fprintf(to, "%u,n%u,\"%u\"", key, key % 9, i);
}

/* The last quote is never closed. */
static void open_csv(FILE *to, unsigned i)
{
    if (i == LINES - 1)
        fputs("1,\"open\n2,3", to);
    else
        fprintf(to, "%u,%u", mix(i) % 100, i);
}

static void json(FILE *to, unsigned i)
{
    unsigned key = mix(i) % 300;

    if (i % 301 == 300)
        fputs("{\"id\":", to);
    else if (i % 17 == 0)
        fprintf(to, "{\"at\": %u, \"other\": 1}", 1700000000 + i / 2);
    else
        fprintf(to, "{\"at\":%u,\"id\":\"\\u0061%u\",\"text\":[%u,{}]}",
                1700000000 + i / 2, key, i);
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

static void set_up(struct pipeline *p, const struct wish *wish, size_t window,
                   unsigned threads)
{
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
    *p = (struct pipeline){.show = wish->show,
                           .until_repeat = wish->until_repeat,
                           .timed = wish->within,
                           .threads = threads,
                           .dup.fd = -1};
    rules->delimiter = wish->zero ? '\0' : '\n';
    rules->missing = wish->missing;
    rules->malformed = wish->malformed;
    assert_int_equal(key_take(&rules->key, &key), CLI_GO);
    assert_int_equal(eventtime_take(&rules->time, wish->key.time, &rules->key),
                     CLI_GO);
    assert_int_equal(freshet_create(&p->filter, &o, NULL), 0);
    if (wish->show == SHOW_REPEATED)
        assert_int_equal(freshet_create(&p->repeated, &o, NULL), 0);
    if (wish->audit)
        p->audit = audit_create(MEMORY, wish->last, false);
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

static void tear_down(struct pipeline *p)
{
    pipeline_close(p);
    reader_free(&p->in);
    sink_free(&p->out);
    sink_free(&p->dup);
    key_spec_free(&p->rules.key);
    eventtime_free(&p->rules.time);
    audit_free(p->audit);
    freshet_free(p->repeated);
    freshet_free(p->filter);
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

static void run(struct outcome *o, const struct wish *wish, size_t window,
                unsigned threads)
{
    int said = memory_file(), stderr_fd = dup(STDERR_FILENO);
    unsigned calls = 0;
    struct pipeline p;

    set_up(&p, wish, window, threads);
    p.context = &calls;
    fflush(stderr);
    dup2(said, STDERR_FILENO);
    o->result = run_files(&p, wish);
    fflush(stderr);
    dup2(stderr_fd, STDERR_FILENO);
    close(stderr_fd);
    o->said = all_of(said, &o->said_len);
    o->out = all_of(p.out.fd, &o->out_len);
    o->dup = p.dup.fd >= 0 ? all_of(p.dup.fd, &o->dup_len) : NULL;
    if (p.dup.fd < 0)
        o->dup_len = 0;
    o->counts = p.counts;
    memset(&o->report, 0, sizeof o->report);
    if (p.audit)
        audit_get_report(p.audit, &o->report);
    o->team = p.team;
    tear_down(&p);
}

static void outcome_free(struct outcome *o)
{
    free(o->out);
    free(o->dup);
    free(o->said);
}

/* ---- Comparing -------------------------------------------------------- */

#define assert_same(what, one, other)                                          \
    do {                                                                       \
        if (one.what##_len != other.what##_len ||                              \
            memcmp(one.what, other.what, one.what##_len) != 0)                 \
            fail_msg("%s, window %zu, %u threads: " #what " differs",          \
                     wish->name, window, threads);                             \
    } while (0)

static void compare(const struct wish *wish, size_t window)
{
    struct outcome one, many;

    run(&one, wish, window, 1);
    assert_false(one.team);
    assert_int_equal(one.result, wish->result);
    assert_true(one.out_len > 0 || wish->show == SHOW_NOTHING);
    for (unsigned threads = 2; threads <= 4; threads++) {
        run(&many, wish, window, threads);
        assert_true(many.team || window > 1000); /* or too short for one */
        assert_same(out, one, many);
        assert_same(said, one, many);
        if (one.dup)
            assert_same(dup, one, many);
        assert_int_equal(one.result, many.result);
        if (!wish->until_repeat) /* then nobody is shown them */
            assert_memory_equal(&one.counts, &many.counts, sizeof one.counts);
        assert_memory_equal(&one.report, &many.report, sizeof one.report);
        outcome_free(&many);
    }
    outcome_free(&one);
}

/* ---- Cases ------------------------------------------------------------ */

static const struct wish wishes[] = {
    {.name = "new", .line = plain},
    {.name = "empty", .line = empty},
    {.name = "zero", .line = zeros, .zero = true},
    {.name = "repeats", .line = plain, .show = SHOW_REPEATS},
    {.name = "repeated", .line = plain, .show = SHOW_REPEATED},
    {.name = "annotate", .line = plain, .show = SHOW_ALL},
    {.name = "dup-output", .line = plain, .repeats_too = true},
    {.name = "check",
     .line = plain,
     .show = SHOW_NOTHING,
     .until_repeat = true,
     .result = PIPELINE_STOPPED},
    {.name = "skip", .line = plain, .key = {.skip_fields = 1, .skip_chars = 1}},
    {.name = "ignore case", .line = plain, .key.ignore_case = true},
    {.name = "fields",
     .line = plain,
     .key.fields = "2,4",
     .missing = MISSING_KEY},
    {.name = "too long", .line = plain, .most = 800, .result = PIPELINE_INPUT},
    {.name = "last", .line = plain, .last = 500, .audit = true},
    {.name = "audit", .line = plain, .audit = true},
    {.name = "columns by name", .line = csv, .key.csv = "\"the, id\",name"},
    {.name = "columns by number",
     .line = csv,
     .key.csv = "1",
     .show = SHOW_REPEATED,
     .malformed = MALFORMED_DROP},
    {.name = "all but columns", .line = csv, .key.exclude = "3"},
    {.name = "malformed columns",
     .line = csv,
     .key.csv = "name",
     .malformed = MALFORMED_FAIL,
     .result = PIPELINE_FAILED},
    {.name = "open quote", .line = open_csv, .key.csv = "1"},
    {.name = "no such column",
     .line = csv,
     .key.csv = "1,nosuch",
     .result = PIPELINE_INPUT,
     .show = SHOW_NOTHING},
    {.name = "paths", .line = json, .key.json = ".id"},
    {.name = "missing dropped",
     .line = json,
     .key.json = ".id",
     .missing = MISSING_DROP,
     .malformed = MALFORMED_DROP},
    {.name = "missing is a key",
     .line = json,
     .key.json = ".id",
     .missing = MISSING_KEY},
    {.name = "malformed paths",
     .line = json,
     .key.json = ".id,.text[0]",
     .malformed = MALFORMED_FAIL,
     .result = PIPELINE_FAILED},
    {.name = "event time",
     .line = json,
     .key.json = ".id",
     .key.time = ".at",
     .within = UINT64_C(100000000000)},
    {.name = "event time, repeated",
     .line = json,
     .key.exclude = ".text",
     .key.time = ".at",
     .within = UINT64_C(100000000000),
     .show = SHOW_REPEATED},
};

/* Expressions keep working memory: each thread must have its own. */
static const struct wish with_regex[] = {
    {.name = "regex", .line = plain, .key.regex = "Key (\\d+)"},
    {.name = "regex, event time",
     .line = json,
     .key.regex = "id\":\"([^\"]*)",
     .key.time = "\"at\": ?(\\d+)",
     .within = UINT64_C(100000000000)},
};

static void compare_all(const struct wish *wish, size_t n, size_t window)
{
    for (size_t i = 0; i < n; i++)
        if (wish[i].result == PIPELINE_INPUT && !wish[i].most)
            continue; /* never comes so far as to need a team */
        else
            compare(&wish[i], window);
}

static void tiny_windows_give_the_same(void **state)
{
    (void)state;
    compare_all(wishes, sizeof wishes / sizeof *wishes, 64);
}

static void small_windows_give_the_same(void **state)
{
    (void)state;
    compare_all(wishes, sizeof wishes / sizeof *wishes, 1000);
}

static void windows_that_hold_many_batches_give_the_same(void **state)
{
    (void)state;
    compare_all(wishes, sizeof wishes / sizeof *wishes, 10000);
}

static void expressions_give_the_same(void **state)
{
#ifdef FRESHET_HAVE_PCRE2
    (void)state;
    compare_all(with_regex, sizeof with_regex / sizeof *with_regex, 64);
    compare_all(with_regex, sizeof with_regex / sizeof *with_regex, 10000);
#else
    (void)state;
    (void)with_regex;
    skip();
#endif
}

/* Where the input is cut shows nowhere but in the bytes read at a failure. */
static void windows_of_any_size_give_the_same(void **state)
{
    static const size_t windows[] = {64, 777, READER_WINDOW};

    (void)state;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const struct wish *wish = &wishes[i];
        struct outcome first, next;
        unsigned threads = 2;

        run(&first, wish, 100, threads);
        for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
            size_t window = windows[w];

            run(&next, wish, window, threads);
            assert_same(out, first, next);
            assert_same(said, first, next);
            outcome_free(&next);
        }
        outcome_free(&first);
    }
}

static void output_trouble_ends_it(void **state)
{
    const struct wish wish = {.name = "full", .line = plain};
    struct pipeline p;
    unsigned calls = 0;
    int said = memory_file(), stderr_fd = dup(STDERR_FILENO), full;
    enum pipeline_result result;
    size_t len;
    char *text;

    (void)state;
    set_up(&p, &wish, 64, 3);
    p.context = &calls;
    full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0 && dup2(full, p.out.fd) >= 0);
    close(full);
    dup2(said, STDERR_FILENO);
    result = run_files(&p, &wish);
    dup2(stderr_fd, STDERR_FILENO);
    close(stderr_fd);
    assert_int_equal(result, PIPELINE_OUTPUT);
    text = all_of(said, &len);
    assert_string_equal(text, "out: No space left on device\n");
    free(text);
    tear_down(&p);
}

/* Once, before the first read. */
static bool grant(void *context)
{
    int *more = context;

    if (*more >= 0)
        grants = *more;
    *more = -1;
    return true;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* One file; whether it was done by a team. */
static bool run_granted(char **out, size_t *len, const struct wish *wish,
                        int more)
{
    int fd = input_of(wish, 0);
    struct pipeline p;
    char name[64];
    bool team;

    set_up(&p, wish, 64, more < 0 ? 1 : 2);
    p.in.as_is = true;
    p.between = grant;
    p.pressing = never;
    p.context = &more;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    assert_int_equal(pipeline_file(&p, name), PIPELINE_DONE);
    grants = -1;
    team = p.team;
    *out = all_of(p.out.fd, len);
    tear_down(&p);
    close(fd);
    return team;
}

static void without_memory_or_threads_for_a_team_one_does_it_alone(void **state)
{
    const struct wish wish = {.name = "alone", .line = zeros};
    char *alone, *out;
    size_t alone_len, len;
    bool team = false;

    (void)state;
    assert_false(run_granted(&alone, &alone_len, &wish, -1));
    for (int more = 1; !team; more++) {
        assert_true(more < 1000);
        team = run_granted(&out, &len, &wish, more);
        assert_int_equal(len, alone_len);
        assert_memory_equal(out, alone, len);
        free(out);
    }
    free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_windows_give_the_same),
        cmocka_unit_test(small_windows_give_the_same),
        cmocka_unit_test(windows_that_hold_many_batches_give_the_same),
        cmocka_unit_test(expressions_give_the_same),
        cmocka_unit_test(windows_of_any_size_give_the_same),
        cmocka_unit_test(output_trouble_ends_it),
        cmocka_unit_test(
            without_memory_or_threads_for_a_team_one_does_it_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
