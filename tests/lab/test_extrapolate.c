/*
 * test_extrapolate.c - more of a sample, against the stream it is a sample of
 */
#include "harness.h"

#include "extrapolate.h"
#include "measure.h"

/* The stream, of which the sample is the beginning. */
#define ENDLESS "endless:repeats=20%,gap=20000,shape=uniform,seed=3,n="
enum { SAMPLE = 200000, MEMORY = 1 << 16 };

static void record(struct input_keys *r, const char *spec, uint64_t n)
{
    static freshet_hash hash[SAMPLE];
    static uint8_t repeat[SAMPLE];
    struct key_reader reader;
    struct stream stream;
    struct fault why;
    freshet *f = make_filter(.algorithm = "bloom", .memory = 4096, .seed = 1);

    *r = (struct input_keys){.hash = hash, .repeat = repeat, .records = n};
    if (!stream_of_spec(&stream, spec, 1, &why) ||
        !key_reader_open(&reader, &stream, &why))
        fail_msg("%s", why.text);
    while (reader.at < n) {
        uint64_t at = reader.at;

        key_reader_next(&reader, KEY_BLOCK);
        key_reader_hash(&reader, f);
        memcpy(hash + at, reader.hash, reader.n * sizeof *hash);
        memcpy(repeat + at, reader.repeat, reader.n);
        r->repeats += reader.repeats;
    }
    key_reader_close(&reader);
    freshet_free(f);
}

static struct extrapolation run(const struct input_keys *r, const char *name,
                                uint64_t expect, uint64_t n)
{
    struct extrapolation x;
    struct classes c;
    struct fault why;

    assert_true(classes_make(&c, r, n));
    if (!extrapolate(&x, &c,
                     OPTIONS(.algorithm = name, .memory = MEMORY,
                             .false_drop_rate = 0.01, .expect = expect,
                             .seed = 1),
                     &why))
        fail_msg("%s: %s", name, why.text);
    classes_free(&c);
    return x;
}

static struct measure run_all(const struct stream *s, const char *name,
                              uint64_t expect)
{
    struct measure m = {.stream = s,
                        .options = *OPTIONS(.algorithm = name, .memory = MEMORY,
                                            .false_drop_rate = 0.01,
                                            .expect = expect, .seed = 1)};
    struct fault why;

    if (!measure_run(&m, &why))
        fail_msg("%s: %s", name, why.text);
    return m;
}

/* Within 20 %, or 0.3 points. */
static void compare(const char *name, const char *what, uint64_t n, double got,
                    double want)
{
    if (!(fabs(got - want) <= fmax(0.003, 0.2 * want)))
        fail_msg("%s, %s, 1/%d: %.4f, in truth %.4f", name, what, (int)n, got,
                 want);
}

/* The steady state, from a sample far too short to reach it, and in a filter
   of a fraction of the size. */
static void test_an_endless_stream(void **state)
{
    static const char *const names[] = {"pocket", "sbf",  "qht",
                                        "buffer", "apbf", "fpsbf"};
    struct input_keys r;
    struct stream stream;
    struct fault why;

    (void)state;
    record(&r, ENDLESS "200000", SAMPLE);
    assert_true(stream_of_spec(&stream, ENDLESS "3e6", 1, &why));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct measure m = run_all(&stream, names[i], 0);

        for (uint64_t n = 1; n <= 8; n *= 8) {
            struct extrapolation x = run(&r, names[i], 0, n);

            assert_true(x.steady);
            assert_int_equal(x.scale, n);
            compare(names[i], "drops", n, error_count_false_drops(&x.tally),
                    error_count_false_drops(&m.steady));
            compare(names[i], "passes", n, error_count_false_passes(&x.tally),
                    error_count_false_passes(&m.steady));
        }
    }
}

/* A fixed number of keys: a filter that never forgets. */
static void test_up_to_so_many_keys(void **state)
{
    enum { KEYS = 400000 };
    struct input_keys r;
    struct stream stream;
    struct fault why;
    struct measure m;

    (void)state;
    record(&r, ENDLESS "200000", SAMPLE);
    assert_true(stream_of_spec(&stream, ENDLESS "500000", 1, &why));
    m = run_all(&stream, "bloom", KEYS); /* four of five are new */
    for (uint64_t n = 1; n <= 8; n *= 8) {
        struct extrapolation x = run(&r, "bloom", KEYS, n);

        assert_true(x.steady);
        compare("bloom", "drops", n, error_count_false_drops(&x.tally),
                error_count_false_drops(&m.end.tally));
        assert_int_equal(error_count_passes(&x.tally), 0);
    }
}

/* All records of a key are in one class, in their order. */
static void test_classes(void **state)
{
    struct input_keys r;
    struct classes c;

    (void)state;
    record(&r, ENDLESS "200000", 20000);
    assert_true(classes_make(&c, &r, 7));
    assert_int_equal(c.start[0], 0);
    assert_int_equal(c.start[7], 20000);
    for (size_t k = 0; k < 7; k++)
        /* Each is about a seventh. */
        assert_near((double)(c.start[k + 1] - c.start[k]), 20000 / 7.0, 300);
    for (size_t i = 0; i < 2000; i++) { /* a repeat's first is in front of it */
        bool found = !c.repeat[i];

        for (size_t j = 0; j < i && !found; j++)
            found = c.hash[j].lo == c.hash[i].lo;
        assert_true(found);
    }
    classes_free(&c);
    assert_int_equal(classes_for(1000), 1);
    assert_int_equal(classes_for(UINT64_C(1) << 28), 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_endless_stream),
        cmocka_unit_test(test_up_to_so_many_keys),
        cmocka_unit_test(test_classes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
