/*
 * test_partitions.c - what is true of rsbf, bsbf, bsbfsd and rlbsbf alone
 *
 * What must be true of every algorithm is in test_conformance.c; that the
 * four give the figures their papers print is in test_published.c.
 */
#include "harness.h"

#define HEADER 256

/* Bits of one partition. */
static uint64_t size_of_part(const freshet *f, unsigned k)
{
    return info_of(f).slots / k;
}

static double share_of_ones(const freshet *f)
{
    freshet_info info = info_of(f);

    return (double)info.used / (double)info.slots;
}

/* Keys never offered before, from *next on. */
static uint64_t offer_new(freshet *f, uint64_t *next, uint64_t n)
{
    uint64_t seen = 0;

    for (uint64_t end = *next + n; *next < end; (*next)++)
        seen += offer(f, *next) == FRESHET_SEEN;
    return seen;
}

/* ---- The steady state ------------------------------------------------- */

/* Sums of powers of p; the last is p^k itself. */
static double powers(double p, unsigned k)
{
    double sum = 0, power = 1;

    for (unsigned i = 0; i < k; i++)
        sum += power *= p;
    return sum;
}

static void ones_settle(const char *algorithm, unsigned k, double p)
{
    char params[16];
    freshet *f;
    uint64_t next = 0, n = 400000;
    double drops = pow(p, k);

    snprintf(params, sizeof params, "k=%u", k);
    f = make_filter(.algorithm = algorithm, .params = params, .memory = 16384,
                    .seed = 3);
    assert_near(expect_of(f, (freshet_workload){.gap = 1}).false_drop, drops,
                1e-9);
    offer_new(f, &next, 1000000);
    assert_rate(offer_new(f, &next, n), n, drops, 0.01);
    assert_near(share_of_ones(f), p, 0.005);
    freshet_free(f);
}

static void bsbf_settles_where_the_powers_sum_to_one(void **state)
{
    const double p[] = {[2] = 0.6180339887, [5] = 0.5086603917};

    (void)state;
    for (unsigned k = 2; k <= 5; k += 3) {
        assert_near(powers(p[k], k), 1, 1e-9);
        ones_settle("bsbf", k, p[k]);
    }
}

static void rlbsbf_settles_where_its_balance_says(void **state)
{
    const double p[] = {[2] = 0.7548776662, [7] = 0.6244741406};

    (void)state;
    for (unsigned k = 2; k <= 7; k += 5) {
        assert_near(p[k] * p[k] * (1 - pow(p[k], k)), 1 - p[k], 1e-9);
        ones_settle("rlbsbf", k, p[k]);
    }
}

/* With one reset for k settings nothing stops it; zeros go as 2s/((k+1)t). */
static void bsbfsd_fills_up(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 4; k += 2) {
        char params[16];
        freshet *f;
        uint64_t next = 0, n;
        double first;

        snprintf(params, sizeof params, "k=%u", k);
        f = make_filter(.algorithm = "bsbfsd", .params = params,
                        .memory = 16384, .seed = 3);
        n = 40 * size_of_part(f, k);
        first = (double)offer_new(f, &next, n);
        assert_rate(first, n,
                    expect_of(f, (freshet_workload){.distinct = 1ull << 50,
                                                    .records = n})
                        .false_drop,
                    0.01);
        assert_near((1 - share_of_ones(f)) * (k + 1) * 40 / 2, 1, 0.15);
        assert_near(expect_of(f, (freshet_workload){.gap = 1}).false_drop, 1,
                    1e-9);
        freshet_free(f);
    }
}

/* Repeats planted at one gap in a stream of new keys. */
static void false_passes_follow_the_survival_of_bits(void **state)
{
    const char *filters[][2] = {
        {"bsbf", "k=3"},
        {"rlbsbf", "k=4"},
        {"rsbf", "k=3,sampling=off"},
        {"rsbf", "k=3,pstar=0.5"},
        {"rsbf", "k=3,pstar=0.2,sampling=distinct"},
        {"rsbf", "k=3,pstar=0.2,sampling=early"},
        {"rsbf", "k=3,pstar=0.2,sampling=prose"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        freshet *f =
            make_filter(.algorithm = filters[i][0], .params = filters[i][1],
                        .memory = 16384, .seed = 3);
        freshet_rates r;
        uint64_t missed = 0, asked = 0, next = 0, gap = 5000;

        offer_new(f, &next, 400000);
        for (; next < 900000; next++) {
            offer(f, next);
            asked++;
            missed += query(f, next - gap) == FRESHET_NEW;
        }
        r = expect_of(f, (freshet_workload){.gap = gap});
        assert_rate(missed, asked, r.false_pass, 0.02);
        gap = (uint64_t)r.reach;
        r = expect_of(f, (freshet_workload){.gap = gap});
        assert_near(r.false_pass, 0.001, 0.0002);
        freshet_free(f);
    }
}

/* ---- A finite stream -------------------------------------------------- */

static void a_stream_goes_as_predicted(const char *algorithm,
                                       const char *params, uint64_t universe,
                                       uint64_t records)
{
    freshet *f = make_filter(.algorithm = algorithm, .params = params,
                             .memory = 65536, .seed = 3);
    freshet_rates r = expect_of(f, (freshet_workload){.distinct = universe,
                                                      .records = records});
    struct drawn d = draw_from(f, universe, records);

    assert_rate(d.drops, d.fresh, r.false_drop, 0.02);
    assert_rate(d.passes, d.repeats, r.false_pass, 0.02);
    freshet_free(f);
}

/*
 * Fewer keys than bits, as many, and many more.  Not the fewest for the
 * reservoir: there each of the rare bits lost costs another, and how often
 * that goes on is no binomial.
 */
static void finite_streams_go_as_predicted(void **state)
{
    const struct {
        const char *algorithm, *params;
        uint64_t fewest;
    } all[] = {
        {"bsbf", "k=2", 60000},
        {"bsbfsd", "k=3", 60000},
        {"rlbsbf", "k=2", 60000},
        {"rsbf", "k=2,sampling=off", 60000},
        {"rsbf", "k=2,pstar=0.5", 360000},
        {"rsbf", "k=2,pstar=0.5,sampling=distinct", 360000},
        {"rsbf", "k=2,pstar=0.5,sampling=early", 360000},
        {"rsbf", "k=2,pstar=0.5,sampling=dutta", 360000},
        {"rsbf", "k=2,pstar=0.5,sampling=prose", 60000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (uint64_t u = all[i].fewest; u < 3000000; u *= 6)
            a_stream_goes_as_predicted(all[i].algorithm, all[i].params, u,
                                       900000);
}

/* Each key once, in any order: what workload.records = 0 means. */
static void a_stream_of_each_key_once_goes_as_predicted(void **state)
{
    const char *names[] = {"rsbf", "bsbf", "bsbfsd", "rlbsbf"};
    const uint64_t n = 150000;

    (void)state;
    for (int i = 0; i < 4; i++) {
        freshet *f = make_filter(.algorithm = names[i], .memory = 16384,
                                 .params = "k=2", .seed = 3);
        freshet_rates r = expect_of(f, (freshet_workload){.distinct = n});
        uint64_t next = 0, missed = 0, seen = 0;

        offer_new(f, &next, n);
        for (uint64_t key = 0; key < n; key++) {
            missed += query(f, key) == FRESHET_NEW;
            seen += query(f, key + n) == FRESHET_SEEN;
        }
        assert_rate(missed, n, r.false_pass, 0.01);
        assert_rate(seen, n, r.false_drop, 0.02);
        freshet_free(f);
    }
}

/* ---- As published ----------------------------------------------------- */

struct recurrence {
    const char *algorithm, *equation;
    unsigned k;
};

/* What record m adds to the k-th root of X, straight from the paper. */
static double published_root(const char *algorithm, double k, double s,
                             double m, double x)
{
    double root = pow(x, 1 / k), reset = 1 / s, set = 1 / s;

    if (strcmp(algorithm, "bsbfsd") == 0)
        reset = 1 / (k * s);
    else if (strcmp(algorithm, "rlbsbf") == 0)
        reset = root * s / (s * s);
    else if (strcmp(algorithm, "rsbf") == 0 && m <= s)
        return 1 - pow(1 - 1 / s, m);
    else if (strcmp(algorithm, "rsbf") == 0 && s / m > 0.03)
        reset = set = 1 / m;
    return root * (x + (1 - x) * (1 - reset)) + (1 - x) * set;
}

static void the_papers_own_equations_are_there_and_tend_to_one(void **state)
{
    const struct recurrence all[] = {
        {"rsbf", "3.28", 3},
        {"bsbf", "4.3", 2},
        {"bsbfsd", "4.5", 2},
        {"rlbsbf", "5.2", 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char params[16];
        freshet *f;
        freshet_workload w = {.distinct = 1ull << 50, .published = 1};
        double x = 0, sum = 0, s;

        snprintf(params, sizeof params, "k=%u", all[i].k);
        f = make_filter(.algorithm = all[i].algorithm, .params = params,
                        .memory = 2048, .seed = 3);
        s = (double)size_of_part(f, all[i].k);
        w.records = (uint64_t)(200 * s);
        for (double m = 1; m <= (double)w.records; m++) {
            sum += x;
            x = pow(published_root(all[i].algorithm, all[i].k, s, m, x),
                    all[i].k);
        }
        assert_true(x > 0.98 && x < 1);
        assert_near(expect_of(f, w).false_drop, sum / (double)w.records, 0.005);
        assert_non_null(strstr(expect_of(f, w).theory, all[i].equation));
        w = (freshet_workload){.gap = 1000, .published = 1};
        assert_near(expect_of(f, w).false_drop, 1, 0);
        assert_near(expect_of(f, w).false_pass, 0, 0);
        freshet_free(f);
    }
}

/*
 * Dutta et al.: before s nothing is lost; 5.7 tends to 1 and 5.17 to k/U of all
 * records, so that late in the stream no rate is what the filter has.
 */
static void the_first_paper_of_rsbf_is_kept_as_printed(void **state)
{
    freshet *f = make_filter(.algorithm = "rsbf", .memory = 1 << 16, .seed = 3,
                             .params = "k=2,sampling=dutta");
    double s = (double)info_of(f).slots / 2, m = 100 * s;
    freshet_workload w = {.distinct = (uint64_t)s / 10,
                          .records = (uint64_t)s,
                          .published = 1};
    freshet_rates r = expect_of(f, w);

    (void)state;
    assert_non_null(strstr(r.theory, "5.7, 5.17, 5.22 and 5.24"));
    assert_near(r.stable_fill, 0.5, 0);
    assert_near(r.step_variance, -0.5, 0); /* 5.24 while every record enters */
    assert_near(r.false_pass, 0, 0);
    assert_true(r.false_drop > 0 && r.false_drop < pow(1 - exp(-1), 2));
    w = (freshet_workload){.distinct = (uint64_t)m, .published = 1};
    r = expect_of(f, w); /* each key has come once: record m + 1 */
    assert_near(r.false_drop, 1 - 2 / 100. + pow((1 - exp(-1)) / 100, 2), 1e-6);
    assert_near(r.false_pass, 2 / m / -expm1(-1), 1e-9);
    assert_near(r.step_variance, 0.005 - 0.0001, 1e-9);
    r = expect_of(f, (freshet_workload){.gap = 9, .published = 1});
    assert_near(r.false_drop, 1, 0);
    assert_near(r.step_variance, 0, 0);
    w.published = 0;
    assert_true(isnan(expect_of(f, w).step_variance));
    freshet_free(f);
}

/* No paper analyses what the tables of rsbf were measured with. */
static void nothing_is_published_on_rsbf_without_sampling(void **state)
{
    freshet *f = make_filter(.algorithm = "rsbf", .params = "sampling=off",
                             .memory = 4096, .seed = 3);
    freshet_rates r = expect_of(f, (freshet_workload){.published = 1});

    (void)state;
    assert_true(isnan(r.false_drop) && isnan(r.false_pass));
    assert_null(r.theory);
    freshet_free(f);
}

/* ---- The phases of rsbf ----------------------------------------------- */

static void k_comes_from_the_wanted_rate(void **state)
{
    const struct {
        double rate;
        const char *params;
    } all[] = {{0.1, "k=3,"}, {0.01, "k=6,"}, {1e-6, "k=16,"}, {0.99, "k=1,"}};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        freshet *f = make_filter(.algorithm = "rsbf", .memory = 8192,
                                 .false_drop_rate = all[i].rate);
        freshet_info info = info_of(f);

        if (strncmp(info.params, all[i].params, strlen(all[i].params)) != 0)
            fail_msg("a rate of %g gives %s", all[i].rate, info.params);
        freshet_free(f);
    }
}

/* The fewest whose steady state keeps the rate; one fewer does not. */
static void k_of_bsbf_and_rlbsbf_comes_from_the_wanted_rate_too(void **state)
{
    const char *const names[] = {"bsbf", "rlbsbf"};
    const double rates[] = {0.5, 0.1, 0.01, 1e-4};

    (void)state;
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < 4; i++) {
            freshet *f =
                make_filter(.algorithm = names[n], .memory = 8192,
                            .params = "k=0", .false_drop_rate = rates[i]);
            unsigned k = 0;
            char fewer[16];
            freshet *g;

            assert_int_equal(sscanf(info_of(f).params, "k=%u", &k), 1);
            assert_true(expect_of(f, (freshet_workload){.gap = 1}).false_drop <=
                        rates[i]);
            assert_true(k > 1 || rates[i] > 0.4);
            snprintf(fewer, sizeof fewer, "k=%u", k - (k > 1));
            g = make_filter(.algorithm = names[n], .memory = 8192,
                            .params = fewer);
            assert_true(k == 1 ||
                        expect_of(g, (freshet_workload){.gap = 1}).false_drop >
                            rates[i]);
            freshet_free(f);
            freshet_free(g);
        }
}

static freshet *make_rsbf(const char *params)
{
    return make_filter(.algorithm = "rsbf", .params = params, .memory = 16384,
                       .seed = 3);
}

static void the_first_s_records_are_all_kept(void **state)
{
    const char *params[] = {"k=4", "k=4,sampling=distinct"};

    (void)state;
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        freshet *f = make_rsbf(params[i]);
        uint64_t s = size_of_part(f, 4), next = 0, lost = 0;

        offer_new(f, &next, s);
        for (uint64_t key = 0; key < s; key++)
            lost += query(f, key) == FRESHET_NEW;
        assert_int_equal(lost, 0);
        offer_new(f, &next, s);
        for (uint64_t key = 0; key < s; key++)
            lost += query(f, key) == FRESHET_NEW;
        assert_int_not_equal(lost, 0);
        freshet_free(f);
    }
}

/* What is called new before and after it came was not stored. */
static void record_i_is_then_stored_with_probability_s_over_i(void **state)
{
    freshet *f = make_rsbf("k=4");
    uint64_t s = size_of_part(f, 4), next = 0, fresh = 0, kept = 0;
    double chances = 0;

    (void)state;
    offer_new(f, &next, 2 * s);
    for (; next < 4 * s; next++) {
        if (offer(f, next) == FRESHET_SEEN)
            continue;
        fresh++;
        kept += query(f, next) == FRESHET_SEEN;
        chances += (double)s / (double)(next + 1);
    }
    assert_rate(kept, fresh, chances / (double)fresh, 0);
    freshet_free(f);
}

static void in_the_last_phase_ones_only_move(void **state)
{
    freshet *f = make_rsbf("k=4,pstar=0.25");
    uint64_t s = size_of_part(f, 4), next = 0, used;

    (void)state;
    offer_new(f, &next, 4 * s - 1); /* s/i is 1/4 from the next one on */
    used = info_of(f).used;
    for (int i = 0; i < 50000; i++, next++) {
        offer(f, next);
        assert_int_equal(query(f, next), FRESHET_SEEN);
    }
    assert_int_equal(info_of(f).used, used);
    freshet_free(f);
}

/* Offer a key that is seen, over and over: does the filter change? */
static int repeats_change(const char *params)
{
    freshet *f = make_rsbf(params);
    uint64_t s = size_of_part(f, 4), next = 0, used, known;

    offer_new(f, &next, s + s / 2);
    for (known = 0; query(f, known) == FRESHET_NEW;)
        known++;
    used = info_of(f).used;
    for (int i = 0; i < 1000; i++)
        if (offer(f, known) == FRESHET_NEW)
            break;
    used -= info_of(f).used;
    freshet_free(f);
    return used != 0;
}

static void the_kinds_of_sampling_differ_as_said(void **state)
{
    freshet *off = make_rsbf("k=4,sampling=off");
    freshet *stream = make_rsbf("k=4");
    uint64_t next = 0, also = 0, s = size_of_part(off, 4);

    (void)state;
    assert_true(repeats_change("k=4,sampling=stream"));
    assert_false(repeats_change("k=4,sampling=distinct"));
    assert_true(repeats_change("k=4,sampling=off"));
    offer_new(off, &next, s);
    offer_new(stream, &also, s);
    assert_near(share_of_ones(stream), 1 - exp(-1), 0.01);
    assert_near(share_of_ones(off), (1 - exp(-2)) / 2, 0.01);
    freshet_free(off);
    freshet_free(stream);
}

/* Which of the first s records reset bits, by the share of ones after them. */
static void the_papers_differ_in_the_first_phase(void **state)
{
    const struct {
        const char *params;
        double ones;
    } all[] = {
        {"k=4,sampling=early", (1 - exp(-2)) / 2},
        {"k=4,sampling=prose", (1 - exp(-2)) / 2},
        {"k=4,sampling=dutta", 1 - exp(-1)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        freshet *f = make_rsbf(all[i].params);
        uint64_t next = 0;

        offer_new(f, &next, size_of_part(f, 4));
        assert_near(share_of_ones(f), all[i].ones, 0.01);
        freshet_free(f);
    }
}

/* A repeat still enters with s/i in the last phase of prose, and never in that
   of early. */
static void the_papers_differ_in_the_last_phase(void **state)
{
    const char *params[] = {"k=4,pstar=0.9,sampling=early",
                            "k=4,pstar=0.9,sampling=prose"};

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(repeats_change(params[i]), i);
}

/* Dutta's P is one random number: a record that is neither below s/i nor above
   p* leaves no trace, though its key is new. */
static void of_dutta_a_share_of_new_keys_is_never_stored(void **state)
{
    freshet *f = make_rsbf("k=4,pstar=0.3,sampling=dutta");
    uint64_t s = size_of_part(f, 4), next = 0, fresh = 0, kept = 0;
    double chances = 0;

    (void)state;
    offer_new(f, &next, 4 * s);
    for (; next < 8 * s; next++) {
        if (offer(f, next) == FRESHET_SEEN)
            continue;
        fresh++;
        kept += query(f, next) == FRESHET_SEEN;
        chances += 0.7 + (double)s / (double)(next + 1);
    }
    assert_rate(kept, fresh, chances / (double)fresh, 0.001);
    assert_near(expect_of(f, (freshet_workload){.gap = 1}).false_drop, 1, 1e-9);
    freshet_free(f);
}

/* One key, s times: a one is found if near, and else not missed. */
static void an_all_but_empty_partition_takes_no_long_search(void **state)
{
    const uint64_t memory[] = {1024, 1 << 18};

    (void)state;
    for (int i = 0; i < 2; i++) {
        freshet *f = make_filter(.algorithm = "rsbf", .params = "k=1,pstar=1",
                                 .memory = memory[i], .seed = 3);
        uint64_t next = 1;

        for (uint64_t n = size_of_part(f, 1); n; n--)
            offer(f, 0);
        assert_int_equal(info_of(f).used, 1);
        offer_new(f, &next, 1000);
        assert_true(i == 0 ? info_of(f).used == 1 : info_of(f).used > 100);
        freshet_free(f);
    }
}

/* ---- The counts of rlbsbf --------------------------------------------- */

static void wrong_counts_of_ones_are_refused(void **state)
{
    freshet *f = make_filter(.algorithm = "rlbsbf", .memory = 4096, .seed = 3);
    struct copy c;
    size_t bytes;
    uint64_t next = 0;

    (void)state;
    offer_new(f, &next, 5000);
    freshet_block(f, &bytes);
    for (size_t i = 0; i < 32; i++) {
        freshet *g;

        c = copy_of(f);
        ((char *)c.block)[HEADER + 32 + 8 * i] ^= 1;
        assert_int_equal(freshet_attach(&g, c.block, bytes, NULL),
                         FRESHET_ERR_DAMAGED);
        release(&c);
    }
    freshet_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bsbf_settles_where_the_powers_sum_to_one),
        cmocka_unit_test(rlbsbf_settles_where_its_balance_says),
        cmocka_unit_test(bsbfsd_fills_up),
        cmocka_unit_test(false_passes_follow_the_survival_of_bits),
        cmocka_unit_test(finite_streams_go_as_predicted),
        cmocka_unit_test(a_stream_of_each_key_once_goes_as_predicted),
        cmocka_unit_test(the_papers_own_equations_are_there_and_tend_to_one),
        cmocka_unit_test(the_first_paper_of_rsbf_is_kept_as_printed),
        cmocka_unit_test(nothing_is_published_on_rsbf_without_sampling),
        cmocka_unit_test(k_comes_from_the_wanted_rate),
        cmocka_unit_test(k_of_bsbf_and_rlbsbf_comes_from_the_wanted_rate_too),
        cmocka_unit_test(the_first_s_records_are_all_kept),
        cmocka_unit_test(record_i_is_then_stored_with_probability_s_over_i),
        cmocka_unit_test(in_the_last_phase_ones_only_move),
        cmocka_unit_test(the_kinds_of_sampling_differ_as_said),
        cmocka_unit_test(the_papers_differ_in_the_first_phase),
        cmocka_unit_test(the_papers_differ_in_the_last_phase),
        cmocka_unit_test(of_dutta_a_share_of_new_keys_is_never_stored),
        cmocka_unit_test(an_all_but_empty_partition_takes_no_long_search),
        cmocka_unit_test(wrong_counts_of_ones_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
