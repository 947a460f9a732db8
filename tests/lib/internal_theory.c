/*
 * internal_theory.c - sums and averages under the formulas, by brute force
 */
#include "harness.h"
#include "theory/theory.h"

#define assert_close(actual, wanted, share)                                    \
    assert_near(actual, wanted, (share)*fabs(wanted))

/* ---- Poisson ---------------------------------------------------------- */

/* Term by term from k on: all are positive, nothing cancels. */
static double tail_by_hand(double mean, unsigned k)
{
    double sum = 0;

    for (double i = k; i < k + 4 * mean + 400; i++)
        sum += exp(i * log(mean) - mean - lgamma(i + 1));
    return sum;
}

static void poisson_tails_are_the_sums_of_their_terms(void **state)
{
    const double means[] = {1e-9, 0.01, 0.9, 1, 2.5, 14, 100, 254.9, 300, 2000};
    const unsigned ks[] = {1, 2, 3, 15, 32, 255, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        for (size_t j = 0; j < sizeof ks / sizeof *ks; j++)
            assert_close(fr_poisson_tail(means[i], ks[j]),
                         tail_by_hand(means[i], ks[j]), 1e-9);
}

static void poisson_tails_end_at_zero_and_one(void **state)
{
    (void)state;
    assert_near(fr_poisson_tail(0, 0), 1, 0);
    assert_near(fr_poisson_tail(5, 0), 1, 0);
    assert_near(fr_poisson_tail(0, 1), 0, 0);
    assert_near(fr_poisson_tail(0, 255), 0, 0);
    assert_near(fr_poisson_tail(1e300, 255), 1, 0);
    assert_near(fr_poisson_tail((double)INFINITY, 1), 1, 0);
    assert_near(fr_poisson_tail((double)INFINITY, 255), 1, 0);
    assert_true(fr_poisson_tail(1e-3, 50) > 0); /* not lost to rounding */
}

/* ---- Draws ------------------------------------------------------------ */

static void draws_are_counted_one_by_one(void **state)
{
    const double universes[] = {1, 2, 3, 1000, 1e6};

    (void)state;
    for (size_t i = 0; i < sizeof universes / sizeof *universes; i++) {
        double u = universes[i], unmet = 1, distinct = 0, repeats = 0;

        for (double n = 0; n <= 5000; n++) {
            assert_near(fr_unmet(n, u), unmet, 1e-10);
            assert_near(fr_distinct(n, u), distinct, 1e-10 * n);
            assert_near(fr_repeats(n, u), repeats, 1e-9 * repeats);
            distinct += unmet;
            repeats += 1 - unmet;
            unmet *= 1 - 1 / u;
        }
    }
}

static void few_repeats_are_not_lost_to_rounding(void **state)
{
    (void)state;
    assert_near(fr_repeats(1, 1e12), 0, 0);
    assert_close(fr_repeats(2, 1e12), 1e-12, 1e-9);
    assert_close(fr_repeats(1e6, 1e19), 1e6 * (1e6 - 1) / 2e19, 1e-9);
    assert_close(fr_repeats(1e9 + 1, 1e12), fr_repeats(1e9 - 1, 1e12), 1e-8);
}

/* ---- Averages --------------------------------------------------------- */

/* A filter that fills up over a number of records, and forgets in as many. */
static double fills(const void *scale, double t)
{
    return t / (t + *(const double *)scale);
}

static double forgets(const void *scale, double t, double gap)
{
    double s = *(const double *)scale;

    assert_true(gap >= 1 && gap <= t);
    return gap / (gap + s) * (1 - 0.5 * t / (t + s));
}

static freshet_rates average(double (*drop)(const void *, double),
                             double (*pass)(const void *, double, double),
                             double scale, freshet_workload w)
{
    struct fr_course course = {&scale, drop, pass};
    freshet_rates r = {.size = sizeof r};

    fr_average(&course, &w, &r);
    return r;
}

static freshet_rates by_hand(double scale, double universe, double records)
{
    double drops = 0, passes = 0, fresh = 0, repeats = 0, unmet = 1;

    for (double t = 0; t < records; t++, unmet *= 1 - 1 / universe) {
        double chance = 1 / universe; /* that the last draw was gap ago */

        fresh += unmet;
        drops += unmet * fills(&scale, t);
        repeats += 1 - unmet;
        for (double gap = 1; gap <= t && chance > 1e-15; gap++) {
            passes += chance * forgets(&scale, t, gap);
            chance *= 1 - 1 / universe;
        }
    }
    return (freshet_rates){.false_drop = drops / fresh,
                           .false_pass = repeats > 0 ? passes / repeats : 0};
}

/* Streams so short that nothing is estimated, and some that are longer. */
static void averages_are_those_of_brute_force(void **state)
{
    const uint64_t records[] = {1, 2, 3, 50, 100, 300, 2000};
    const uint64_t universes[] = {1, 2, 10, 300, 100000};

    (void)state;
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 5; j++) {
            freshet_workload w = {.distinct = universes[j],
                                  .records = records[i]};
            freshet_rates r = average(fills, forgets, 30, w);
            freshet_rates all =
                by_hand(30, (double)w.distinct, (double)w.records);
            double slack = w.records <= 50 ? 1e-9 : 0.01;

            assert_close(r.false_drop, all.false_drop, slack);
            assert_close(r.false_pass, all.false_pass, slack);
        }
    }
}

static void averages_over_keys_that_came_once_are_those_of_brute_force(
    void **state)
{
    (void)state;
    for (uint64_t u = 1; u <= 100000; u *= 10) {
        freshet_rates r =
            average(fills, forgets, 30, (freshet_workload){.distinct = u});
        double scale = 30, sum = 0, t = (double)u;

        for (double gap = 1; gap <= t; gap++)
            sum += forgets(&scale, t, gap) / t;
        assert_close(r.false_drop, fills(&scale, t), 1e-12);
        assert_close(r.false_pass, sum, u <= 100 ? 1e-9 : 0.01);
        r = average(fills, forgets, 30,
                    (freshet_workload){.distinct = u, .gap = u - 1});
        if (u > 1) /* a gap of 0 is none */
            assert_close(r.false_pass, forgets(&scale, t, t), 1e-12);
    }
}

/* The chance to have met a given key, of which the mean is known. */
static double met(const void *universe, double t)
{
    return 1 - fr_unmet(t, *(const double *)universe);
}

static double met_since(const void *universe, double t, double gap)
{
    assert_true(gap >= 1 && gap <= t);
    return met(universe, gap);
}

static void averages_hold_for_all_sizes_of_streams(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 1000000000000000; n *= 10) {
        for (uint64_t u = 1; u <= 1000000000000; u *= 10) {
            freshet_workload w = {.distinct = u, .records = n};
            double universe = (double)u, t = (double)n;
            double left = fr_unmet(t, universe), q = fr_unmet(1, universe);
            freshet_rates r = average(met, met_since, universe, w);

            /* Sums of (1 - q^t) q^t, and of (1 - q^gap) q^(gap - 1). */
            if (n < 2 || n < u / 1000000)
                assert_true(r.false_drop >= 0 && r.false_drop < 1e-6);
            else
                assert_close(r.false_drop, 1 - (1 + left) / (1 + q), 0.003);
            if (n >= 1000 * u)
                assert_close(r.false_pass, 1 / (1 + q), 0.02);
            assert_true(r.false_pass >= 0 && r.false_pass <= 1);
            assert_true(n == 1 || r.false_pass > 0);
        }
    }
}

static void a_stream_without_repeats_passes_none(void **state)
{
    freshet_workload w = {.distinct = 1000, .records = 1};

    (void)state;
    assert_near(average(fills, forgets, 30, w).false_pass, 0, 0);
    assert_near(average(fills, forgets, 30, w).false_drop, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poisson_tails_are_the_sums_of_their_terms),
        cmocka_unit_test(poisson_tails_end_at_zero_and_one),
        cmocka_unit_test(draws_are_counted_one_by_one),
        cmocka_unit_test(few_repeats_are_not_lost_to_rounding),
        cmocka_unit_test(averages_are_those_of_brute_force),
        cmocka_unit_test(
            averages_over_keys_that_came_once_are_those_of_brute_force),
        cmocka_unit_test(averages_hold_for_all_sizes_of_streams),
        cmocka_unit_test(a_stream_without_repeats_passes_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
