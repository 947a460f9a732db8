/*
 * test_measure.c - a measurement against one record at a time
 */
#include "harness.h"

#include "measure.h"

enum { RECORDS = 20011, UNIVERSE = 4000, POINTS = 7 };

#define SPEC "uniform:n=20011,universe=4000,seed=5"

/* Record by record, with a flag for each key. */
static struct error_count count(freshet *f, struct gen *g, uint64_t records,
                                uint8_t *came)
{
    struct error_count t = {0};

    for (; t.records < records; t.records++) {
        uint64_t key;
        unsigned seen;

        assert_int_equal(gen_next(g, &key, NULL, 1), 1);
        seen = offer(f, key) == FRESHET_SEEN;
        t.repeats += came[key];
        t.seen += seen;
        t.hits += seen & came[key];
        came[key] = 1;
    }
    return t;
}

static void assert_same_tally(const struct error_count *a,
                              const struct error_count *b)
{
    assert_int_equal(a->records, b->records);
    assert_int_equal(a->repeats, b->repeats);
    assert_int_equal(a->seen, b->seen);
    assert_int_equal(a->hits, b->hits);
}

static struct measure measured(const struct stream *s, uint64_t points)
{
    struct measure m = {.stream = s,
                        .options = {.size = sizeof m.options,
                                    .algorithm = "sbf",
                                    .params = "k=2,p=4",
                                    .memory = 2048,
                                    .seed = 9},
                        .points = points};
    struct fault why;

    if (!measure_run(&m, &why))
        fail_msg("%s", why.text);
    return m;
}

static struct stream described(void)
{
    struct stream s;
    struct fault why;

    if (!stream_of_spec(&s, SPEC, 1, &why))
        fail_msg("%s", why.text);
    return s;
}

/* All of it, its second half, and each point, however they fall on blocks. */
static void test_counts_as_one_by_one_would(void **state)
{
    struct stream s = described();
    struct measure m = measured(&s, POINTS);
    uint8_t came[UNIVERSE] = {0};
    struct fault why;
    struct error_count sum = {0};
    struct gen *g;
    freshet *f = make_filter_(&m.options);

    (void)state;
    assert_int_equal(gen_open(&g, SPEC, &why), 0);
    for (uint64_t i = 0; i < POINTS; i++) {
        uint64_t to = RECORDS * (i + 1) / POINTS;
        struct error_count part = count(f, g, to - sum.records, came);

        error_count_add(&sum, &part);
        assert_same_tally(&m.point[i].tally, &sum);
    }
    assert_same_tally(&m.end.tally, &sum);
    assert_near(m.end.fill, (double)info_of(f).used / (double)info_of(f).slots,
                1e-12);
    freshet_free(f);
    gen_free(g);
    free(m.point);
}

static void test_the_second_half_is_the_steady_state(void **state)
{
    struct stream s = described();
    struct measure m = measured(&s, 0);
    uint8_t came[UNIVERSE] = {0};
    struct fault why;
    struct error_count first, second;
    struct gen *g;
    freshet *f = make_filter_(&m.options);

    (void)state;
    assert_int_equal(gen_open(&g, SPEC, &why), 0);
    first = count(f, g, RECORDS / 2, came);
    second = count(f, g, RECORDS - RECORDS / 2, came);
    assert_same_tally(&m.steady, &second);
    assert_int_equal(m.keys_by_half, error_count_new(&first));
    freshet_free(f);
    gen_free(g);
}

/* Hashes that were recorded give the verdicts that the keys gave. */
static void test_a_recording_is_the_stream_again(void **state)
{
    struct stream s = described(), again;
    struct measure m = measured(&s, 0), r;
    static freshet_hash hash[RECORDS];
    static uint8_t repeat[RECORDS];
    struct input_keys recording = {.hash = hash,
                                   .repeat = repeat,
                                   .records = RECORDS};
    struct key_reader reader;
    struct fault why;
    freshet *f = make_filter_(&m.options);

    (void)state;
    assert_true(key_reader_open(&reader, &s, &why));
    while (reader.at < RECORDS) {
        uint64_t at = reader.at;

        key_reader_next(&reader, 100);
        key_reader_hash(&reader, f);
        memcpy(hash + at, reader.hash, reader.n * sizeof *hash);
        memcpy(repeat + at, reader.repeat, reader.n);
        recording.repeats += reader.repeats;
    }
    key_reader_close(&reader);
    stream_of_recording(&again, &recording, "x");
    r = measured(&again, 0);
    assert_same_tally(&r.end.tally, &m.end.tally);
    assert_int_equal(again.distinct, error_count_new(&m.end.tally));
    assert_true(isnan(r.theory.false_drop));
    assert_true(isnan(r.time.hash));
    freshet_free(f);
}

/* More points than records, and a stream of one. */
static void test_points_closer_than_records(void **state)
{
    struct stream s;
    struct fault why;
    struct measure m;

    (void)state;
    assert_true(stream_of_spec(&s, "uniform:n=1,universe=4", 7, &why));
    m = measured(&s, 3);
    assert_int_equal(m.point[0].tally.records, 0);
    assert_int_equal(m.point[2].tally.records, 1);
    assert_int_equal(m.steady.records, 1);
    free(m.point);
}

static void test_a_stream_takes_the_seed_if_it_says_none(void **state)
{
    struct stream s;
    struct fault why;

    (void)state;
    assert_true(stream_of_spec(&s, "uniform:n=10,universe=4", 7, &why));
    assert_string_equal(s.spec, "uniform:n=10,universe=4,seed=7");
    assert_true(stream_of_spec(&s, "uniform:seed=3,n=10,universe=4", 7, &why));
    assert_string_equal(s.spec, "uniform:seed=3,n=10,universe=4");
    assert_false(stream_of_spec(&s, "uniform:universe=4", 7, &why));
    assert_non_null(strstr(why.text, "does not end"));
    assert_false(stream_of_spec(&s, "nosuch", 7, &why));
}

static void test_a_filter_that_cannot_be_made(void **state)
{
    struct stream s = described();
    struct measure m = {.stream = &s,
                        .options = {.size = sizeof m.options,
                                    .algorithm = "nosuch"}};
    struct fault why = {""};

    (void)state;
    assert_false(measure_run(&m, &why));
    assert_non_null(strstr(why.text, "nosuch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_as_one_by_one_would),
        cmocka_unit_test(test_the_second_half_is_the_steady_state),
        cmocka_unit_test(test_a_recording_is_the_stream_again),
        cmocka_unit_test(test_points_closer_than_records),
        cmocka_unit_test(test_a_stream_takes_the_seed_if_it_says_none),
        cmocka_unit_test(test_a_filter_that_cannot_be_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
