/*
 * test_every_generator.c - what holds for every kind of stream
 */
#include "gen_streams.h"

/* At least one of each kind; the last test sees that none is missing. */
static const char *const specs[] = {
    "uniform:n=100000,distinct=15%",
    "uniform:n=100000,universe=1000000,seed=7",
    "uniform:n=100000,universe=1152921504606846976",
    "shuffled:n=100000,distinct=15%",
    "shuffled:n=99991,distinct=90%,seed=7",
    "shuffled:n=100000,distinct=100%",
    "poisson:n=100000,lambda=0.4,u=200",
    "poisson:n=100000,lambda=1,u=50000",
    "bmodel:n=100003,b=0.7,l=6,v=0.1,u=300",
    "bmodel:n=99999,b=0.6,l=3,v=0.5,u=20,order=random",
    "zipf:n=100000,universe=1e6",
    "zipf:n=100000,universe=5000,exponent=0.5",
    "endless:n=100000,repeats=30%,gap=500,shape=fixed",
    "endless:n=100000,gap=20000,least=100",
    "endless:n=100000,repeats=90%,gap=5000,shape=loguniform",
    "endless:n=100000,gap=3000,shape=exponential",
    "drift:n=100000,universe=2000,step=10",
    "burst:n=200000,calm=500,clients=50,retries=4",
    "attack:n=3000,against=7,bits=4,gap=1000",
    "log:n=100000",
    "csv:n=100000,repeats=10%",
    "jsonl:n=100000,gap=300",
};
enum { SPECS = sizeof specs / sizeof *specs };

static void batches_of_any_size_give_the_same_records(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct stream s = read_stream(specs[i]);
        struct gen *again = open_gen(specs[i]);
        uint64_t key[300];
        uint8_t repeat[300];
        size_t done = 0, n;

        while ((n = gen_next(again, key, repeat, 1 + done % 300)) > 0) {
            assert_memory_equal(key, s.key + done, n * sizeof *key);
            if (gen_knows_truth(again))
                assert_memory_equal(repeat, s.repeat + done, n);
            done += n;
        }
        assert_int_equal(done, s.n);
        gen_free(again);
        drop_stream(&s);
    }
}

static void keys_do_not_depend_on_asking_for_the_truth(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct stream s = read_stream(specs[i]);
        struct gen *again = open_gen(specs[i]);
        uint64_t *key = malloc(s.n * sizeof *key);

        assert_non_null(key);
        assert_int_equal(gen_next(again, key, NULL, s.n), s.n);
        assert_memory_equal(key, s.key, s.n * sizeof *key);
        gen_free(again);
        free(key);
        drop_stream(&s);
    }
}

static void another_seed_gives_other_records(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct stream s = read_stream(specs[i]), other;
        char spec[120];
        size_t same = 0;

        snprintf(spec, sizeof spec, "%s,seed=42", specs[i]);
        other = read_stream(spec);
        assert_int_equal(s.n, other.n);
        for (size_t k = 0; k < s.n; k++)
            same += s.key[k] == other.key[k];
        if (same > s.n * 95 / 100)
            fail_msg("%s: %zu of %zu keys are the same", specs[i], same, s.n);
        drop_stream(&s);
        drop_stream(&other);
    }
}

static void keys_are_below_the_universe(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct stream s = read_stream(specs[i]);
        uint64_t universe = gen_universe(s.gen);

        for (size_t k = 0; universe && k < s.n; k++)
            assert_true(s.key[k] < universe);
        drop_stream(&s);
    }
}

/* By a table that remembers all, where there is no bitmap to trust. */
static void the_truth_is_true(void **state)
{
    enum { SLOTS = 1 << 19 };
    uint64_t *slot = malloc(SLOTS * sizeof *slot);

    (void)state;
    assert_non_null(slot);
    for (int i = 0; i < SPECS; i++) {
        struct stream s = read_stream(specs[i]);

        memset(slot, 0xff, SLOTS * sizeof *slot);
        for (size_t k = 0; k < s.n; k++) {
            size_t at = s.key[k] * UINT64_C(0x9e3779b97f4a7c15) >> 45;

            while (slot[at] != UINT64_MAX && slot[at] != s.key[k])
                at = (at + 1) % SLOTS;
            if (s.repeat[k] != (slot[at] == s.key[k]))
                fail_msg("%s: record %zu is %s", specs[i], k,
                         s.repeat[k] ? "new" : "a repeat");
            slot[at] = s.key[k];
        }
        drop_stream(&s);
    }
    free(slot);
}

/* The deviation of the count is below that of as many coins. */
static void as_many_keys_are_different_as_expected(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct stream s = read_stream(specs[i]);
        double wanted = gen_distinct(s.gen);

        if (strncmp(specs[i], "drift", 5) == 0)
            assert_true(isnan(wanted));
        else if (strncmp(specs[i], "burst", 5) == 0) /* storms: few of them */
            assert_count(count_new(&s), wanted, 0.02 * wanted);
        else
            assert_count(count_new(&s), wanted, sqrt((double)s.n) / 2);
        drop_stream(&s);
    }
}

static void equal_keys_are_equal_text_and_others_are_not(void **state)
{
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct stream s = read_stream(specs[i]);
        char a[GEN_TEXT], b[GEN_TEXT];
        size_t an, bn;

        for (size_t k = 0; k + 1 < 2000; k++) {
            an = gen_text(s.gen, a, s.key[k]);
            bn = gen_text(s.gen, b, s.key[k + 1]);
            assert_true(an <= GEN_TEXT && bn <= GEN_TEXT);
            assert_true(a[an - 1] == '\n' && !memchr(a, '\n', an - 1));
            assert_int_equal(an == bn && memcmp(a, b, an) == 0,
                             s.key[k] == s.key[k + 1]);
        }
        drop_stream(&s);
    }
}

static void no_kind_is_left_out(void **state)
{
    size_t kinds = 0;

    (void)state;
    for (; gen_kind_name(kinds); kinds++) {
        size_t len = strlen(gen_kind_name(kinds));
        int i = 0;

        while (i < SPECS && (strncmp(specs[i], gen_kind_name(kinds), len) ||
                             specs[i][len] != ':'))
            i++;
        if (i == SPECS)
            fail_msg("%s is not tested", gen_kind_name(kinds));
        assert_true(*gen_kind_summary(kinds) && *gen_kind_takes(kinds));
    }
    assert_int_equal(kinds, 12);
}

/* What has no number of records goes on. */
static void streams_without_a_length_do_not_end(void **state)
{
    static const char *const endless[] = {
        "uniform:universe=10",
        "poisson",
        "zipf:universe=9",
        "endless",
        "burst",
        "drift:universe=100",
        "attack:against=1",
        "log",
        "csv",
    };
    uint64_t key[1000];

    (void)state;
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        struct gen *g = open_gen(endless[i]);

        assert_int_equal(gen_records(g), 0);
        assert_true(isnan(gen_distinct(g)));
        for (int k = 0; k < 5; k++)
            assert_int_equal(gen_next(g, key, NULL, 1000), 1000);
        gen_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_of_any_size_give_the_same_records),
        cmocka_unit_test(keys_do_not_depend_on_asking_for_the_truth),
        cmocka_unit_test(another_seed_gives_other_records),
        cmocka_unit_test(keys_are_below_the_universe),
        cmocka_unit_test(the_truth_is_true),
        cmocka_unit_test(as_many_keys_are_different_as_expected),
        cmocka_unit_test(equal_keys_are_equal_text_and_others_are_not),
        cmocka_unit_test(no_kind_is_left_out),
        cmocka_unit_test(streams_without_a_length_do_not_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
