/*
 * test_engine.c - several threads give what one gives, however small windows
 *
 * Each case runs over the same files with one thread and with more, and with
 * windows so small that records, quotes and batches are cut everywhere.  What
 * was written, said and counted must be the same.
 */
#include "engine_runs.h"

/* What came of it. */
struct outcome {
    char *out, *dup, *said;
    size_t out_len, dup_len, said_len;
    struct engine_counts counts;
    struct audit_report report;
    enum engine_status result;
    unsigned threads; /* in use */
    void *filter;     /* its block */
    size_t filter_len;
};

/* ---- Records ---------------------------------------------------------- */

static void zeros(FILE *to, unsigned i)
{
    fprintf(to, "%u\n%u", mix(i) % 300, i % 3);
}

static void empty(FILE *to, unsigned i)
{
    if (i % 50 == 0)
        fprintf(to, "%u", mix(i) % 9);
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

/* Now and then: threads shall work, and rest. */
static bool sometimes(void *context)
{
    unsigned *calls = context;

    return ++*calls % 50 == 0;
}

static void copy_block(struct outcome *o, const freshet *f)
{
    const void *block = freshet_block(f, &o->filter_len);

    o->filter = malloc(o->filter_len);
    assert_non_null(o->filter);
    memcpy(o->filter, block, o->filter_len);
}

static void run(struct outcome *o, const struct wish *wish, size_t window,
                unsigned threads)
{
    unsigned calls = 0;
    const struct engine_host host = {.wants_rest = sometimes,
                                     .at_rest = go_on,
                                     .context = &calls};
    struct run r;
    const struct output *output = &r.output;

    set_up(&r, wish, window, threads, &host);
    o->result = run_files(&r, wish);
    o->said = strdup(r.said);
    o->said_len = strlen(r.said);
    o->out = all_of(output->out.fd, &o->out_len);
    o->dup = output->dup.fd >= 0 ? all_of(output->dup.fd, &o->dup_len) : NULL;
    if (output->dup.fd < 0)
        o->dup_len = 0;
    o->counts = *engine_counts(r.engine);
    memset(&o->report, 0, sizeof o->report);
    if (r.audit)
        audit_get_report(r.audit, &o->report);
    o->threads = engine_threads(r.engine);
    copy_block(o, r.filter);
    tear_down(&r);
}

static void outcome_free(struct outcome *o)
{
    free(o->out);
    free(o->dup);
    free(o->said);
    free(o->filter);
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
    static const unsigned numbers[] = {2, 3, 4, 16};
    struct outcome one, many;

    run(&one, wish, window, 1);
    assert_int_equal(one.threads, 1);
    assert_int_equal(one.result, wish->result ? wish->result : ENGINE_DONE);
    assert_true(one.out_len > 0 || wish->mode == OUTPUT_NOTHING);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        unsigned threads = numbers[i];

        run(&many, wish, window, threads);
        assert_true(many.threads == threads || window > 1000);
        assert_same(out, one, many);
        assert_same(said, one, many);
        if (!wish->until_repeat)
            assert_same(filter, one, many);
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
    {.name = "repeats", .line = plain, .mode = OUTPUT_REPEATS},
    {.name = "repeated", .line = plain, .mode = OUTPUT_FIRST_REPEATS},
    {.name = "annotate", .line = plain, .mode = OUTPUT_ALL},
    {.name = "dup-output", .line = plain, .repeats_too = true},
    {.name = "check",
     .line = plain,
     .mode = OUTPUT_NOTHING,
     .until_repeat = true,
     .result = ENGINE_STOPPED},
    {.name = "skip", .line = plain, .key = {.skip_fields = 1, .skip_bytes = 1}},
    {.name = "ignore case", .line = plain, .key.fold = true},
    {.name = "fields",
     .line = plain,
     .key = {.option = "key", .text = "2,4"},
     .missing = MISSING_KEY},
    {.name = "too long", .line = plain, .most = 800, .result = ENGINE_INPUT},
    {.name = "last", .line = plain, .last = 500, .audit = true},
    {.name = "audit", .line = plain, .audit = true},
    {.name = "columns by name",
     .line = csv,
     .key = {.option = "csv", .text = "\"the, id\",name"}},
    {.name = "columns by number",
     .line = csv,
     .key = {.option = "csv", .text = "1"},
     .mode = OUTPUT_FIRST_REPEATS,
     .malformed = MALFORMED_DROP},
    {.name = "all but columns",
     .line = csv,
     .key = {.option = "exclude", .text = "3"}},
    {.name = "malformed columns",
     .line = csv,
     .key = {.option = "csv", .text = "name"},
     .malformed = MALFORMED_FAIL,
     .result = ENGINE_FAILED},
    {.name = "open quote",
     .line = open_csv,
     .key = {.option = "csv", .text = "1"}},
    {.name = "no such column",
     .line = csv,
     .key = {.option = "csv", .text = "1,nosuch"},
     .result = ENGINE_INPUT,
     .mode = OUTPUT_NOTHING},
    {.name = "paths", .line = json, .key = {.option = "json", .text = ".id"}},
    {.name = "missing dropped",
     .line = json,
     .key = {.option = "json", .text = ".id"},
     .missing = MISSING_DROP,
     .malformed = MALFORMED_DROP},
    {.name = "missing is a key",
     .line = json,
     .key = {.option = "json", .text = ".id"},
     .missing = MISSING_KEY},
    {.name = "malformed paths",
     .line = json,
     .key = {.option = "json", .text = ".id,.text[0]"},
     .malformed = MALFORMED_FAIL,
     .result = ENGINE_FAILED},
    {.name = "event time",
     .line = json,
     .key = {.option = "json", .text = ".id", .time = ".at"},
     .within = UINT64_C(100000000000)},
    {.name = "event time, repeated",
     .line = json,
     .key = {.option = "exclude", .text = ".text", .time = ".at"},
     .within = UINT64_C(100000000000),
     .mode = OUTPUT_FIRST_REPEATS},
};

/* Expressions keep working memory: each thread must have its own. */
static const struct wish with_regex[] = {
    {.name = "regex",
     .line = plain,
     .key = {.option = "regex", .text = "Key (\\d+)"}},
    {.name = "regex, event time",
     .line = json,
     .key = {.option = "regex",
             .text = "id\":\"([^\"]*)",
             .time = "\"at\": ?(\\d+)"},
     .within = UINT64_C(100000000000)},
};

static void compare_all(const struct wish *wish, size_t n, size_t window)
{
    for (size_t i = 0; i < n; i++)
        if (wish[i].result == ENGINE_INPUT && !wish[i].most)
            continue; /* never comes so far as to need threads */
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
    static const size_t windows[] = {64, 777, 1 << 18};

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

/* With the argument "only", as the thread sanitizer runs it: what takes little
   time, and is no different with other windows. */
int main(int argc, char **argv)
{
    const struct CMUnitTest few[] = {
        cmocka_unit_test(windows_that_hold_many_batches_give_the_same),
        cmocka_unit_test(expressions_give_the_same),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_windows_give_the_same),
        cmocka_unit_test(small_windows_give_the_same),
        cmocka_unit_test(windows_that_hold_many_batches_give_the_same),
        cmocka_unit_test(expressions_give_the_same),
        cmocka_unit_test(windows_of_any_size_give_the_same),
    };

    if (argc > 1 && strcmp(argv[1], "only") == 0)
        return cmocka_run_group_tests(few, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
