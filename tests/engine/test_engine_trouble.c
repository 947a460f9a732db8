/*
 * test_engine_trouble.c - output that fails, and no memory or threads
 */
#include "engine_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

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

static bool never(void *context)
{
    (void)context;
    return false;
}

/* Records for which windows need no more memory than they begin with. */
static void wide(FILE *to, unsigned i)
{
    fprintf(to, "%020u", mix(i) % 300);
}

static void output_trouble_ends_it(void **state)
{
    const struct wish wish = {.name = "full", .line = plain};
    const struct engine_host host = {.wants_rest = never, .at_rest = go_on};
    struct run r;
    int full;

    (void)state;
    set_up(&r, &wish, 64, 3, &host);
    full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0 && dup2(full, r.output.out.fd) >= 0);
    close(full);
    assert_int_equal(run_files(&r, &wish), ENGINE_OUTPUT);
    assert_string_equal(r.said, "out: No space left on device\n");
    assert_true(engine_undo_unwritten(r.engine));
    tear_down(&r);
}

/* ---- What was not written is not remembered --------------------------- */

/* Takes 1000 bytes, then nobody reads it any more. */
static void *read_some(void *arg)
{
    char bytes[1000];
    int fd = *(int *)arg;

    for (size_t have = 0; have < sizeof bytes;) {
        ssize_t n = read(fd, bytes, sizeof bytes - have);

        assert_true(n > 0);
        have += (size_t)n;
    }
    close(fd);
    return NULL;
}

/* Asks the filter about each record of a text. */
static size_t count_known(const struct run *r, const char *text, size_t len)
{
    size_t known = 0;

    for (const char *at = text, *end; len;
         len -= (size_t)(end + 1 - at), at = end + 1) {
        freshet_hash key;
        uint8_t seen;

        end = memchr(at, '\n', len);
        assert_non_null(end);
        key = freshet_hash_with(&r->config.decider->hasher, at,
                                (size_t)(end - at));
        freshet_query_batch(r->filter, &key, 1, &seen);
        known += seen;
    }
    return known;
}

/* Returns what a run prints that does not fail. */
static char *whole_output(const struct wish *wish, size_t *len)
{
    const struct engine_host host = {.wants_rest = never, .at_rest = go_on};
    struct run r;
    char *text;

    set_up(&r, wish, 64, 1, &host);
    assert_int_equal(run_files(&r, wish), ENGINE_DONE);
    text = all_of(r.output.out.fd, len);
    tear_down(&r);
    return text;
}

/* Undoes what was not written, and asserts that as many of all new records are
   known as were written. */
static void undo(struct run *r, const char *all, size_t len, size_t written)
{
    assert_true(engine_undo_unwritten(r->engine));
    assert_int_equal(count_known(r, all, len), written);
}

/* However many windows were decided when writing failed. */
static void what_was_not_written_is_forgotten(void **state)
{
    const struct wish wish = {.name = "undo", .line = plain};
    const struct engine_host host = {.wants_rest = never, .at_rest = go_on};
    size_t len;
    char *text = whole_output(&wish, &len);

    (void)state;
    signal(SIGPIPE, SIG_IGN);
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct run r;
        int ends[2];
        pthread_t reader;
        size_t written = 0;

        set_up(&r, &wish, 64, threads, &host);
        assert_int_equal(pipe(ends), 0);
        assert_true(fcntl(ends[1], F_SETPIPE_SZ, 4096) > 0);
        assert_true(dup2(ends[1], r.output.out.fd) >= 0);
        close(ends[1]);
        assert_int_equal(__real_pthread_create(&reader, NULL, read_some,
                                               &ends[0]),
                         0);
        assert_int_equal(run_files(&r, &wish), ENGINE_OUTPUT);
        pthread_join(reader, NULL);
        for (size_t i = 0; i < r.output.out.written; i++)
            written += text[i] == '\n';
        assert_true(written > 10);
        undo(&r, text, len, written);
        close(r.output.out.fd);
        tear_down(&r);
    }
    free(text);
}

/* ---- Input that cannot be read ---------------------------------------- */

static const struct source_type *real_type;
static int failures; /* how often load() will fail */

static bool load_or_fail(const struct source *s, struct chunk *c,
                         struct fault *why)
{
    return failures-- > 0 ? fault_set(why, "not now")
                          : real_type->load(s, c, why);
}

/* Though the bytes could be read when they are asked for again. */
static void a_header_that_was_not_read_ends_the_input(void **state)
{
    const struct wish wish = {.name = "header", .line = wide};
    const struct engine_host host = {.wants_rest = never, .at_rest = go_on};
    int fd = input_of(&wish, 0);
    struct source_type type;
    char name[64], *out;
    struct run r;
    size_t len;

    (void)state;
    set_up(&r, &wish, 64, 1, &host);
    r.extractor.has_header = true;
    real_type = r.source->type;
    type = *real_type;
    type.load = load_or_fail;
    r.source->type = &type;
    failures = 1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    assert_int_equal(run_file(&r, name), ENGINE_INPUT);
    assert_string_equal(r.said, "not now\n");
    assert_int_equal(counts_of(engine_counts(r.engine), VERDICTS_ALL), 0);
    out = all_of(r.output.out.fd, &len);
    assert_int_equal(len, 0);
    free(out);
    close(fd);
    tear_down(&r);
}

/* ---- No memory, no threads -------------------------------------------- */

/* Once, before the first read. */
static bool grant(void *context)
{
    int *more = context;

    if (*more >= 0)
        grants = *more;
    *more = -1;
    return false;
}

/* One file.  Returns the number of threads that did it. */
static unsigned run_granted(char **out, size_t *len, const struct wish *wish,
                            int more)
{
    int fd = input_of(wish, 0);
    const struct engine_host host = {.wants_rest = grant,
                                     .at_rest = go_on,
                                     .context = &more};
    struct run r;
    char name[64];
    unsigned threads;

    set_up(&r, wish, 64, more < 0 ? 1 : 2, &host);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    assert_int_equal(run_file(&r, name), ENGINE_DONE);
    grants = -1;
    threads = engine_threads(r.engine);
    *out = all_of(r.output.out.fd, len);
    tear_down(&r);
    close(fd);
    return threads;
}

/* Returns how many records are marked as new. */
static size_t count_marked(const char *text)
{
    size_t n = 0;

    for (; text; text = strchr(text, '\n'), text += text != NULL)
        n += strncmp(text, "0\t", 2) == 0;
    return n;
}

/* Only "more" allocations succeed from the first read on.  Asserts that what
   was not written is forgotten.  Returns the status. */
static enum engine_status run_marked(const struct wish *wish, int more,
                                     const char *all, size_t all_len)
{
    const struct engine_host host = {.wants_rest = grant,
                                     .at_rest = go_on,
                                     .context = &more};
    enum engine_status status;
    struct run r;
    size_t len;
    char *out;

    set_up(&r, wish, 64, 1, &host);
    status = run_files(&r, wish);
    grants = -1;
    out = all_of(r.output.out.fd, &len);
    if (status == ENGINE_OUTPUT)
        undo(&r, all, all_len, count_marked(out));
    free(out);
    tear_down(&r);
    return status;
}

/* A window whose output gets no memory was not written. */
static void what_had_no_memory_is_forgotten(void **state)
{
    const struct wish fresh = {.name = "new", .line = plain},
                      marked = {.name = "marked",
                                .line = plain,
                                .mode = OUTPUT_ALL};
    size_t len;
    char *all = whole_output(&fresh, &len);
    int more = 1;

    (void)state;
    while (run_marked(&marked, more, all, len) == ENGINE_OUTPUT)
        more++;
    assert_true(more > 3);
    free(all);
}

static void run_short_of_memory(const struct wish *wish)
{
    char *alone, *out;
    size_t alone_len, len;
    unsigned threads = 1;

    assert_int_equal(run_granted(&alone, &alone_len, wish, -1), 1);
    for (int more = 1; threads < 2; more++) {
        assert_true(more < 1000);
        threads = run_granted(&out, &len, wish, more);
        assert_int_equal(len, alone_len);
        assert_memory_equal(out, alone, len);
        free(out);
    }
    free(alone);
}

static void without_memory_or_threads_one_thread_does_it(void **state)
{
    const struct wish wish = {.name = "alone", .line = wide};
    const struct wish waiting = {.name = "waiting", .line = wide, .depth = 3};

    (void)state;
    run_short_of_memory(&wish);
    run_short_of_memory(&waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_trouble_ends_it),
        cmocka_unit_test(what_was_not_written_is_forgotten),
        cmocka_unit_test(what_had_no_memory_is_forgotten),
        cmocka_unit_test(a_header_that_was_not_read_ends_the_input),
        cmocka_unit_test(without_memory_or_threads_one_thread_does_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
