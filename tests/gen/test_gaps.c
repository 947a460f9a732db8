/*
 * test_gaps.c - planted repeats and storms come where they were asked for
 */
#include "gen_streams.h"

/* ---- Planted repeats -------------------------------------------------- */

static void fixed_gaps_are_exact(void **state)
{
    struct stream s =
        read_stream("endless:n=500000,repeats=30%,gap=777,shape=fixed");
    size_t repeats = 0;

    (void)state;
    for (size_t i = 0; i < s.n; i++) {
        if (i >= 777)
            assert_int_equal(s.repeat[i], s.key[i] == s.key[i - 777]);
        else
            assert_int_equal(s.repeat[i], 0);
        repeats += s.repeat[i];
    }
    assert_binomial(repeats, s.n - 777, 0.3);
    drop_stream(&s);
}

/*
 * Gaps of the repeats of a stream, by the chance that a gap is no longer: ten
 * cells, which a law fills as it says.  Few repeats, so that hardly any has
 * another in its gap.
 */
static void check_gaps(const char *spec, double (*below)(double gap))
{
    struct stream s = read_stream(spec);
    size_t *last = calloc(s.n, sizeof *last);
    double seen[10] = {0}, wanted[10] = {0}, repeats = 0;
    double cut[11] = {0, 3, 10, 30, 100, 200, 400, 600, 800, 900, 1e9};

    assert_non_null(last);
    for (size_t i = 0; i < s.n; i++) {
        if (i > 100000 && s.repeat[i]) {
            double gap = (double)(i - last[s.key[i]]);
            int cell = 0;

            while (gap > cut[cell + 1])
                cell++;
            seen[cell]++;
            repeats++;
        }
        last[s.key[i]] = i;
    }
    for (int i = 0; i < 10; i++)
        wanted[i] = repeats * (below(cut[i + 1]) - below(cut[i]));
    assert_binomial(repeats, s.n - 100001, 0.01);
    assert_chi_square(seen, wanted, 10);
    free(last);
    drop_stream(&s);
}

static double uniform_below(double gap)
{
    return gap < 1000 ? gap / 1000 : 1;
}

static double loguniform_below(double gap)
{
    return gap < 1000 ? log(gap + 1) / log(1001) : 1;
}

static double exponential_below(double gap)
{
    return 1 - pow(1 - 1.0 / 300, gap);
}

static void gaps_are_spread_as_asked(void **state)
{
    (void)state;
    check_gaps("endless:n=3e6,repeats=1%,gap=1000,shape=uniform",
               uniform_below);
    check_gaps("endless:n=3e6,repeats=1%,gap=1000,shape=loguniform",
               loguniform_below);
    check_gaps("endless:n=3e6,repeats=1%,gap=300,shape=exponential",
               exponential_below);
}

static void gaps_reach_both_ends_and_no_farther(void **state)
{
    static const char *const specs[] = {
        "endless:n=200000,repeats=1%,gap=210,least=200",
        "endless:n=200000,repeats=1%,gap=210,least=200,shape=loguniform",
    };

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct stream s = read_stream(specs[k]);
        size_t gaps[11] = {0}, repeats = 0, found = 0;

        for (size_t i = 210; i < s.n; i++) {
            size_t back = 200;

            while (back <= 210 && s.key[i - back] != s.key[i])
                back++;
            repeats += s.repeat[i];
            if (back <= 210) {
                gaps[back - 200]++;
                found++;
            }
        }
        assert_int_equal(found, repeats);
        assert_binomial(repeats, s.n - 210, 0.01);
        for (int i = 0; i < 11; i++)
            assert_binomial(gaps[i], repeats, 1.0 / 11);
        drop_stream(&s);
    }
}

/* ---- Storms ----------------------------------------------------------- */

static void storms_send_each_record_as_often(void **state)
{
    struct stream s =
        read_stream("burst:n=300000,calm=400,clients=30,retries=3");
    size_t storms = 0, calm = 0;

    (void)state;
    for (size_t i = 0; i < s.n && s.n - i > 90;) {
        uint64_t newest;
        size_t times[30] = {0};

        for (; i < s.n && !s.repeat[i]; i++)
            calm++;
        if (s.n - i < 90)
            break;
        newest = s.key[i - 1];
        if (newest < 30) /* not as many to send again yet */
            break;
        for (size_t k = 0; k < 90; k++, i++) {
            assert_true(s.repeat[i]);
            assert_in_range(newest - s.key[i], 0, 29);
            times[newest - s.key[i]]++;
        }
        for (int k = 0; k < 30; k++)
            assert_int_equal(times[k], 3);
        storms++;
    }
    assert_true(storms > 400);
    assert_count((double)calm / (double)storms, 400,
                 400 / sqrt((double)storms));
    drop_stream(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_gaps_are_exact),
        cmocka_unit_test(gaps_are_spread_as_asked),
        cmocka_unit_test(gaps_reach_both_ends_and_no_farther),
        cmocka_unit_test(storms_send_each_record_as_often),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
