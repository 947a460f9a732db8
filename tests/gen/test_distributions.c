/*
 * test_distributions.c - each kind of stream follows the law it is named for
 *
 * Seeds are fixed, so nothing here fails by chance.  A bound of five deviations
 * is wide for luck and narrow for a mistake.
 */
#include "freshet.h"
#include "gen_streams.h"

/* ---- Uniform ---------------------------------------------------------- */

static void uniform_keys_are_equally_likely(void **state)
{
    struct stream s = read_stream("uniform:n=1000000,universe=997");
    double seen[997] = {0}, wanted[997];

    (void)state;
    for (size_t i = 0; i < s.n; i++)
        seen[s.key[i]]++;
    for (int i = 0; i < 997; i++)
        wanted[i] = 1e6 / 997;
    assert_chi_square(seen, wanted, 997);
    drop_stream(&s);
}

/* Keys are made of numbers: no two of one, and none is left out. */
static void uniform_draws_each_key_of_a_universe(void **state)
{
    (void)state;
    for (int universe = 1; universe <= 100; universe++) {
        char spec[80];
        struct stream s;
        int found[100] = {0}, different = 0;

        snprintf(spec, sizeof spec, "uniform:n=3000,universe=%d", universe);
        s = read_stream(spec);
        for (size_t i = 0; i < s.n; i++) {
            assert_true(s.key[i] < (uint64_t)universe);
            different += found[s.key[i]]++ == 0;
        }
        assert_int_equal(different, universe);
        drop_stream(&s);
    }
}

/* After d keys of U, new ones come with the chance 1 - d / U, and repeats are
   of any of the d: counted by tenths, in the order in which keys first came. */
static void uniform_repeats_any_key_that_came(void **state)
{
    enum { KEYS = 100000 };
    struct stream s = read_stream("uniform:n=200000,universe=100000,seed=5");
    double seen[10] = {0}, wanted[10], fresh = 0, variance = 0;
    uint64_t *number = calloc(KEYS, sizeof *number), known = 0;

    (void)state;
    assert_non_null(number);
    for (size_t i = 0; i < s.n; i++) {
        double chance = 1 - (double)known / KEYS;

        fresh += chance;
        variance += chance * (1 - chance);
        if (s.repeat[i])
            seen[number[s.key[i]] * 10 / known]++;
        else
            number[s.key[i]] = known++;
    }
    assert_count(known, fresh, sqrt(variance));
    for (int i = 0; i < 10; i++)
        wanted[i] = (double)(s.n - known) / 10;
    assert_chi_square(seen, wanted, 10);
    free(number);
    drop_stream(&s);
}

/* U (1 - (1 - 1/U)^N) = D, for the streams of the published tables. */
static void uniform_solves_its_universe(void **state)
{
    static const struct {
        const char *spec;
        double distinct;
    } cases[] = {
        {"uniform:n=1e9,distinct=15%", 150e6},
        {"uniform:n=695e6,distinct=60%", 417e6},
        {"uniform:n=1e9,distinct=90%", 900e6},
        {"uniform:n=1000,distinct=0.1%", 1},
        {"uniform:n=10,distinct=99%", 9.9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gen *g = open_gen(cases[i].spec);
        double u = (double)gen_universe(g), n = (double)gen_records(g);
        double law = u == 1 ? 1 : -u * expm1(n * log1p(-1 / u));

        assert_true(fabs(law - cases[i].distinct) <= 1);
        assert_true(fabs(gen_distinct(g) - law) < 1e-6 * law);
        gen_free(g);
    }
}

/* ---- Shuffled --------------------------------------------------------- */

/*
 * Two keys and four records: 14 streams are possible.  One with a single copy
 * of a key has the chance 1/4 / 4, one with two copies of each 1/2 / 6.
 */
static void shuffled_has_the_law_of_a_shuffle(void **state)
{
    enum { SEEDS = 14000 };
    double seen[16] = {0}, wanted[14];
    size_t cells = 0;

    (void)state;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t key[4];
        char spec[80];
        struct gen *g;

        snprintf(spec, sizeof spec, "shuffled:n=4,distinct=50%%,seed=%d", seed);
        g = open_gen(spec);
        assert_int_equal(gen_next(g, key, NULL, 4), 4);
        seen[key[0] | key[1] << 1 | key[2] << 2 | key[3] << 3]++;
        gen_free(g);
    }
    assert_true(seen[0] == 0 && seen[15] == 0);
    for (int i = 1; i < 15; i++, cells++)
        wanted[cells] =
            SEEDS *
            (__builtin_popcount((unsigned)i) == 2 ? 1.0 / 12 : 1.0 / 16);
    assert_chi_square(seen + 1, wanted, 14);
}

/* Copies beside the first are Poisson: (N - D) / D on average. */
static void shuffled_draws_any_key(void **state)
{
    enum { KEYS = 150000, CELLS = 12 };
    struct stream s = read_stream("shuffled:n=1000000,distinct=15%,seed=5");
    double seen[CELLS] = {0}, wanted[CELLS], mean = 850000.0 / KEYS;
    double chance = exp(-mean), rest = 1;
    unsigned *copies = calloc(KEYS, sizeof *copies);

    (void)state;
    assert_non_null(copies);
    for (size_t i = 0; i < s.n; i++)
        copies[s.key[i]]++;
    for (size_t i = 0; i < KEYS; i++) {
        assert_true(copies[i] >= 1);
        seen[copies[i] < CELLS ? copies[i] - 1 : CELLS - 1]++;
    }
    for (int i = 0; i < CELLS - 1; i++) {
        wanted[i] = chance * KEYS;
        rest -= chance;
        chance *= mean / (i + 1);
    }
    wanted[CELLS - 1] = rest * KEYS;
    assert_chi_square(seen, wanted, CELLS);
    free(copies);
    drop_stream(&s);
}

/* By the share x of the stream D (1 - (1 - x) e^(-x (N - D) / D)) keys came,
   and those that have not are any of them. */
static void shuffled_meets_new_keys_as_a_shuffle_does(void **state)
{
    enum { KEYS = 600000 };
    struct stream s = read_stream("shuffled:n=1000000,distinct=60%");
    double fresh = 0, low = 0;

    (void)state;
    for (size_t i = 0; i < s.n; i++) {
        double x = (double)(i + 1) / (double)s.n;
        double came = 1 - (1 - x) * exp(-x * 400000.0 / KEYS);

        fresh += !s.repeat[i];
        low += !s.repeat[i] && s.key[i] < KEYS / 3;
        if ((i + 1) % 100000 == 0) {
            assert_count(fresh, KEYS * came, sqrt(KEYS * came * (1 - came)));
            assert_binomial(low, fresh, 1.0 / 3);
        }
    }
    assert_true(fresh == KEYS);
    drop_stream(&s);
}

/* ---- Deng and Rafiei -------------------------------------------------- */

/* Frequent keys are below the mean times 37, and one more. */
static void poisson_arrivals_have_exponential_gaps(void **state)
{
    struct stream s = read_stream("poisson:n=1000000,lambda=0.2,u=50");
    double arrivals = 0, sum = 0, squares = 0, last = -1, lambda = 0.2;
    double variance = (1 - lambda) / (lambda * lambda);

    (void)state;
    for (size_t i = 0; i < s.n; i++)
        if (s.key[i] < 37 * 50 + 1) {
            double gap = (double)i - last;

            arrivals++;
            sum += gap;
            squares += gap * gap;
            last = (double)i;
        }
    assert_binomial(arrivals, s.n, lambda);
    assert_count(sum / arrivals, 1 / lambda, sqrt(variance / arrivals));
    assert_count(squares / arrivals - 25, variance, 0.3);
    drop_stream(&s);
}

static void frequent_keys_are_exponential(void **state)
{
    struct stream s = read_stream("poisson:n=500000,lambda=1,u=5");
    double seen[40] = {0}, wanted[40], mean = 0;

    (void)state;
    for (size_t i = 0; i < s.n; i++) {
        seen[s.key[i] < 39 ? s.key[i] : 39]++;
        mean += (double)s.key[i] / (double)s.n;
    }
    for (int i = 0; i < 40; i++)
        wanted[i] =
            (double)s.n * (exp(-i / 5.0) - (i < 39 ? exp(-(i + 1) / 5.0) : 0));
    assert_chi_square(seen, wanted, 40);
    assert_true(fabs(mean - 1 / expm1(0.2)) < 0.05);
    drop_stream(&s);
}

/* Frequent keys in each quarter of a stream. */
static void count_quarters(const char *spec, double quarter[4])
{
    struct stream s = read_stream(spec);

    memset(quarter, 0, 4 * sizeof *quarter);
    for (size_t i = 0; i < s.n; i++)
        quarter[i * 4 / s.n] += s.key[i] < 37 * 1000 + 1;
    drop_stream(&s);
}

static void bmodel_divides_its_volume(void **state)
{
    double quarter[4];

    (void)state;
    count_quarters("bmodel:n=1000000,b=0.7,l=2,v=0.2", quarter);
    assert_binomial(quarter[0], 250000, 0.2 * 4 * 0.7 * 0.7);
    assert_binomial(quarter[1], 250000, 0.2 * 4 * 0.7 * 0.3);
    assert_binomial(quarter[2], 250000, 0.2 * 4 * 0.3 * 0.7);
    assert_binomial(quarter[3], 250000, 0.2 * 4 * 0.3 * 0.3);
}

/* Some seed of a few turns the first halving around, and some other not. */
static void bmodel_turns_halves_at_random(void **state)
{
    int turned = 0;

    (void)state;
    for (int seed = 1; seed <= 10; seed++) {
        char spec[80];
        double quarter[4], first;

        snprintf(spec, sizeof spec,
                 "bmodel:n=100000,b=0.7,l=2,v=0.2,order=random,seed=%d", seed);
        count_quarters(spec, quarter);
        first = quarter[0] + quarter[1];
        assert_binomial(first + quarter[2] + quarter[3], 100000, 0.2);
        turned += first < 10000;
        if (first < 10000)
            assert_binomial(first, 50000, 0.4 * 0.3);
        else
            assert_binomial(first, 50000, 0.4 * 0.7);
    }
    assert_in_range(turned, 1, 9);
}

/* The examples that the paper gives, and one record too few. */
static void bmodel_keeps_its_constraint(void **state)
{
    static const char *const good[] = {"bmodel:n=1000,v=0.1,b=0.7,l=6",
                                       "bmodel:n=1000,v=0.5,b=0.8,l=1",
                                       "bmodel:n=2000,v=1,b=0.5,l=10",
                                       "bmodel:n=64,v=0.1,l=6"};
    static const char *const bad[] = {"bmodel:n=1000,v=0.1,b=0.7,l=7",
                                      "bmodel:n=1000,v=0.5,b=0.8,l=2",
                                      "bmodel:n=1000,v=0.9,b=0.7,l=1",
                                      "bmodel:n=63,v=0.1,l=6"};
    struct fault why;

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct gen *g = NULL;

        gen_free(open_gen(good[i]));
        assert_int_equal(gen_open(&g, bad[i], &why), -1);
        assert_non_null(strstr(why.text, "level"));
    }
}

/* Keys are numbered in 64 bits, and the number of the last one is computed. */
static void shuffled_has_at_most_2_60_records(void **state)
{
    struct gen *g = NULL;
    struct fault why;

    (void)state;
    gen_free(open_gen("shuffled:n=1152921504606846976,distinct=100%"));
    assert_int_equal(gen_open(&g,
                              "shuffled:n=18446744073709551615,distinct=100%",
                              &why),
                     -1);
    assert_string_equal(why.text, "shuffled has at most 2^60 records");
}

/* ---- Zipf ------------------------------------------------------------- */

static void check_zipf(const char *spec, double exponent)
{
    struct stream s = read_stream(spec);
    double seen[1000] = {0}, wanted[1000], all = 0, rest = 0;
    size_t cells = 0;

    for (int k = 1; k <= 1000; k++)
        all += wanted[k - 1] = pow(k, -exponent);
    for (size_t i = 0; i < s.n; i++)
        seen[s.key[i]]++;
    for (; cells < 999 && wanted[cells] / all * (double)s.n > 10; cells++)
        wanted[cells] *= (double)s.n / all;
    for (size_t k = cells + 1; k < 1000; k++) {
        seen[cells] += seen[k];
        rest += wanted[k];
    }
    wanted[cells] = (wanted[cells] + rest) * (double)s.n / all;
    assert_chi_square(seen, wanted, cells + 1);
    drop_stream(&s);
}

static void zipf_ranks_have_their_frequencies(void **state)
{
    (void)state;
    check_zipf("zipf:n=1000000,universe=1000,exponent=0", 0);
    check_zipf("zipf:n=1000000,universe=1000,exponent=0.5", 0.5);
    check_zipf("zipf:n=1000000,universe=1000,exponent=1", 1);
    check_zipf("zipf:n=1000000,universe=1000,exponent=1.7,seed=3", 1.7);
    check_zipf("zipf:n=1000000,universe=1000,exponent=4", 4);
}

/* Blocks of ranks are drawn first (ranks.h): within one, too, the first ranks
   are more frequent. */
static void zipf_is_exact_within_a_block(void **state)
{
    enum { KEYS = 100000 };
    struct stream s = read_stream("zipf:n=4e6,universe=100000");
    char *half = calloc(KEYS, 1);
    double lower = 0, upper = 0, draws = 0, seen = 0;

    (void)state;
    assert_non_null(half);
    for (size_t k = 1, size; k < KEYS; k += size) {
        size = 1 + k / 64;
        for (size_t i = 0; i < size / 2 && k + size <= KEYS; i++) {
            half[k + i - 1] = 1;
            half[k + size - i - 2] = 2;
            lower += 1.0 / (double)(k + i);
            upper += 1.0 / (double)(k + size - 1 - i);
        }
    }
    for (size_t i = 0; i < s.n; i++) {
        draws += half[s.key[i]] != 0;
        seen += half[s.key[i]] == 1;
    }
    assert_true(draws > 2e6);
    assert_binomial(seen, draws, lower / (lower + upper));
    free(half);
    drop_stream(&s);
}

/* With exponent 1, ranks below x have (ln x + 0.5772) / (ln U + 0.5772). */
static void zipf_reaches_the_far_ranks(void **state)
{
    struct stream s = read_stream("zipf:n=300000,universe=1e9,exponent=1");

    (void)state;
    for (double x = 1000; x < 1e9; x *= 3.7) {
        size_t below = 0;

        for (size_t i = 0; i < s.n; i++)
            below += (double)s.key[i] + 1 <= x;
        assert_binomial(below, s.n, (log(x) + 0.57722) / (log(1e9) + 0.57722));
    }
    drop_stream(&s);
}

/* ---- Drift ------------------------------------------------------------ */

static void drift_leaves_old_keys_for_good(void **state)
{
    struct stream s = read_stream("drift:n=200000,universe=1000,step=50");
    double seen[1000] = {0}, wanted[1000], all = 0;

    (void)state;
    for (int k = 1; k <= 1000; k++)
        all += 1.0 / k;
    for (size_t i = 0; i < s.n; i++) {
        uint64_t favourite = 999 + i / 50;

        assert_in_range(s.key[i], favourite - 999, favourite);
        seen[favourite - s.key[i]]++;
    }
    for (int k = 0; k < 1000; k++)
        wanted[k] = (double)s.n / (k + 1) / all;
    assert_chi_square(seen, wanted, 1000);
    drop_stream(&s);
}

/* ---- Attack ----------------------------------------------------------- */

/* How many of an attack's keys begin with 6 zero bits for a seed. */
static size_t crowd(const struct stream *s, uint64_t seed)
{
    freshet_options o = {.size = sizeof o, .memory = 1 << 16, .seed = seed};
    size_t crowded = 0;
    freshet *f;

    assert_int_equal(freshet_create(&f, &o, NULL), FRESHET_OK);
    for (size_t i = 0; i < s->n; i++)
        crowded +=
            freshet_hash_key(f, &s->key[i], sizeof s->key[i]).hi >> 58 == 0;
    freshet_free(f);
    return crowded;
}

static void attacks_crowd_the_filter_they_know(void **state)
{
    struct stream s = read_stream("attack:n=10000,against=7,bits=6,repeats=0");

    (void)state;
    assert_int_equal(crowd(&s, 7), s.n);
    assert_binomial(crowd(&s, 8), s.n, 1.0 / 64);
    assert_int_equal(count_new(&s), s.n);
    drop_stream(&s);
}

/* ---- Records ---------------------------------------------------------- */

static void records_have_their_length_and_their_time(void **state)
{
    static const struct {
        const char *spec;
        size_t length, time;
    } cases[] = {{"log", 94, 0}, {"csv", 198, 0}, {"jsonl", 198, 9}};
    static const struct {
        uint64_t key;
        const char *time;
    } times[] = {
        {0, "2026-11-15T00:00:00.000Z"},
        {86399999, "2026-11-15T23:59:59.999Z"},
        {UINT64_C(86400000) * 46, "2026-12-31T00:00:00.000Z"},
        {UINT64_C(86400000) * 47, "2027-01-01T00:00:00.000Z"},
        {UINT64_C(86400000) * 471, "2028-02-29T00:00:00.000Z"},
        {UINT64_MAX, NULL},
    };
    char text[GEN_TEXT];

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct gen *g = open_gen(cases[i].spec);

        for (int k = 0; k < 6; k++) {
            assert_int_equal(gen_text(g, text, times[k].key), cases[i].length);
            if (times[k].time)
                assert_memory_equal(text + cases[i].time, times[k].time, 24);
        }
        assert_true(gen_is_text(g));
        gen_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_keys_are_equally_likely),
        cmocka_unit_test(uniform_draws_each_key_of_a_universe),
        cmocka_unit_test(uniform_repeats_any_key_that_came),
        cmocka_unit_test(uniform_solves_its_universe),
        cmocka_unit_test(shuffled_has_the_law_of_a_shuffle),
        cmocka_unit_test(shuffled_draws_any_key),
        cmocka_unit_test(shuffled_meets_new_keys_as_a_shuffle_does),
        cmocka_unit_test(shuffled_has_at_most_2_60_records),
        cmocka_unit_test(poisson_arrivals_have_exponential_gaps),
        cmocka_unit_test(frequent_keys_are_exponential),
        cmocka_unit_test(bmodel_divides_its_volume),
        cmocka_unit_test(bmodel_turns_halves_at_random),
        cmocka_unit_test(bmodel_keeps_its_constraint),
        cmocka_unit_test(zipf_ranks_have_their_frequencies),
        cmocka_unit_test(zipf_is_exact_within_a_block),
        cmocka_unit_test(zipf_reaches_the_far_ranks),
        cmocka_unit_test(drift_leaves_old_keys_for_good),
        cmocka_unit_test(attacks_crowd_the_filter_they_know),
        cmocka_unit_test(records_have_their_length_and_their_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
