/*
 * test_predicted_rates.c - every algorithm against its own theory
 *
 * Runs over the registry: an algorithm that is not in the table below is
 * tried as it comes, and must do what its theory says.  Where an algorithm's
 * own tests look closer, they are in its own file.
 */
#include <stdbool.h>

#include "harness.h"

/* What a theory may be off by: a share of the rate, or that many points. */
#define SHARE  0.1
#define POINTS 0.3

struct row {
    const char *algorithm, *params;
    uint64_t endless; /* bytes for the endless stream; 0: ENDLESS */
    double share;     /* of false passes; 0: SHARE */
    const char *why;  /* a larger share, or no endless stream */
};

enum { FINITE = 16384, ENDLESS = 4096, NONE = 1 };

static const struct row rows[] = {
    {"pocket", "", 8192, 0.2, "its curve is fitted where losses are few"},
    {"pocket", "choices=1", 0, 0, NULL},
    {"sbf", "d=1", 0, 0, NULL},
    {"sbf", "d=2,k=3", 0, 0, NULL},
    {"sbf", "d=4,k=3", 0, 0, NULL},
    {"sbf", "d=8,k=2", 0, 0, NULL},
    {"rsbf", "", 1024, 0, NULL},
    {"rsbf", "sampling=off", 0, 0, NULL},
    {"rsbf", "sampling=early", 1024, 0, NULL},
    {"rsbf", "sampling=prose,pstar=0.5", 1024, 0, NULL},
    {"bsbf", "k=2", 0, 0, NULL},
    {"bsbf", "k=5", 0, 0, NULL},
    {"bsbfsd", "", NONE, 0, "fills up for ever, ever more slowly"},
    {"fpsbf", "", 0, 0.2, "takes what a key finds for independent of its age"},
    {"fpsbf", "match=all", 0, 0.2, "likewise"},
    {"isqf", "", 0, 0, NULL},
    {"isqf", "m=3,r=6,rp=3", 0, 1, "takes its tables for independent"},
    {"qht", "", 0, 0, NULL},
    {"qht", "evict=queue", 0, 0, NULL},
    {"qht", "k=4,duplicates=insert", 0, 0, NULL},
    {"qht", "evict=queue,duplicates=insert", 0, 0, NULL},
};

/* Rates in percent, by what happened. */
struct error_count {
    double fresh, drops, repeats, passes;
};

struct found {
    const char *what;
    double hits, n, predicted, share;
};

static void compare(const struct row *row, const struct found *f)
{
    double measured = 100 * f->hits / f->n, wanted = 100 * f->predicted;
    double share = f->share > 0 ? f->share : SHARE;

    if (isnan(f->predicted))
        return;
    if (getenv("VERBOSE"))
        printf("%-9s %-30s %-22s %8.4f %%, predicted %8.4f %%\n",
               row->algorithm, row->params, f->what, measured, wanted);
    if (!(fabs(measured - wanted) <= fmax(POINTS, share * wanted)))
        fail_msg("%s %s, %s: measured %g %%, predicted %g %%", row->algorithm,
                 row->params, f->what, measured, wanted);
}

static freshet *make(const struct row *row, uint64_t memory, uint64_t seed)
{
    return make_filter(.algorithm = row->algorithm, .params = row->params,
                       .memory = memory, .false_drop_rate = 0.05, .seed = seed);
}

/* ---- A finite stream -------------------------------------------------- */

enum { UNIVERSE = 20000, RECORDS = 60000, STREAMS = 4 };

static void offer_uniform(freshet *f, uint64_t *random, struct error_count *t)
{
    static uint8_t met[UNIVERSE];

    memset(met, 0, sizeof met);
    for (int i = 0; i < RECORDS; i++) {
        uint64_t key = roll(random) % UNIVERSE;
        int seen = offer(f, key) == FRESHET_SEEN;

        t->fresh += !met[key];
        t->drops += seen && !met[key];
        t->repeats += met[key];
        t->passes += !seen && met[key];
        met[key] = 1;
    }
}

static freshet_rates try_finite(const struct row *row)
{
    freshet_workload w = {.distinct = UNIVERSE, .records = RECORDS};
    freshet_rates r = {0};
    struct error_count t = {0};
    uint64_t random = 5;

    for (uint64_t i = 1; i <= STREAMS; i++) {
        freshet *f = make(row, FINITE, i);

        if (i == 1)
            r = expect_of(f, w);
        offer_uniform(f, &random, &t);
        freshet_free(f);
    }
    compare(row, &(struct found){"false drops, finite", t.drops, t.fresh,
                                 r.false_drop, SHARE});
    compare(row, &(struct found){"false passes, finite", t.passes, t.repeats,
                                 r.false_pass, row->share});
    return r;
}

/* ---- An endless stream ------------------------------------------------ */

static const uint64_t gaps[] = {100, 1000, 10000};
enum { WARM = 100000, MEASURED = 100000, GAPS = 3 };

static void offer_new_ones(freshet *f, double *drops, double *passes)
{
    for (uint64_t key = 0; key < WARM + MEASURED; key++) {
        int seen = offer(f, key) == FRESHET_SEEN;

        if (key < WARM)
            continue;
        *drops += seen;
        for (int i = 0; i < GAPS && key % 4 == 0; i++)
            passes[i] += query(f, key - gaps[i]) == FRESHET_NEW;
    }
}

static void try_endless(const struct row *row)
{
    freshet *f = make(row, row->endless ? row->endless : ENDLESS, 3);
    double drops = 0, passes[GAPS] = {0};

    offer_new_ones(f, &drops, passes);
    compare(row, &(struct found){"false drops, endless", drops, MEASURED,
                                 expect_of(f, (freshet_workload){.gap = 1})
                                     .false_drop,
                                 SHARE});
    for (int i = 0; i < GAPS; i++) {
        freshet_rates r = expect_of(f, (freshet_workload){.gap = gaps[i]});
        char what[40];

        snprintf(what, sizeof what, "false passes at gap %d", (int)gaps[i]);
        compare(row, &(struct found){what, passes[i], MEASURED / 4.0,
                                     r.false_pass, row->share});
    }
    freshet_free(f);
}

/* ---- All of them ------------------------------------------------------ */

static void try_row(const struct row *row)
{
    freshet_rates r = try_finite(row);

    assert_non_null(r.theory);
    if (isnan(r.false_drop) && isnan(r.false_pass))
        fail_msg("%s predicts nothing", row->algorithm);
    if (row->endless != NONE)
        try_endless(row);
}

static void rates_are_as_predicted(void **state)
{
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        bool listed = false;

        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++)
            if (strcmp(rows[j].algorithm, a->name) == 0) {
                try_row(&rows[j]);
                listed = true;
            }
        if (!listed)
            try_row(&(struct row){a->name, "", 0, 0, NULL});
    }
}

/* New keys come early: a stream may go on for ever and they were dropped. */
static void false_drops_do_not_depend_on_what_follows_the_last_new_key(
    void **state)
{
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        freshet *f = make(&(struct row){a->name, "", 0, 0, NULL}, FINITE, 3);
        freshet_workload w = {.distinct = UNIVERSE, .records = 30 * UNIVERSE};
        double drops = expect_of(f, w).false_drop;

        for (w.records *= 100; w.records < UINT64_C(1000000000000000);
             w.records *= 100000)
            assert_near(expect_of(f, w).false_drop, drops, 1e-5 + 0.02 * drops);
        freshet_free(f);
    }
}

static bool is_rate(double rate)
{
    return isnan(rate) || (rate >= 0 && rate <= 1);
}

static void expectations_are_rates_at_the_extremes(void **state)
{
    const uint64_t ends[] = {1, 1000000, UINT64_MAX};
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        freshet *f = make(&(struct row){a->name, "", 0, 0, NULL}, ENDLESS, 3);
        freshet_workload w = {.distinct = 1000, .records = 1000};
        bool known = !isnan(expect_of(f, w).false_pass);

        for (int j = 0; j < 9; j++) {
            freshet_rates r;

            w.distinct = ends[j / 3];
            w.records = ends[j % 3];
            r = expect_of(f, w);
            if (!is_rate(r.false_drop) || !is_rate(r.false_pass) ||
                isnan(r.false_drop) || isnan(r.false_pass) == known)
                fail_msg("%s: %g and %g for %g records of %g keys", a->name,
                         r.false_drop, r.false_pass, (double)w.records,
                         (double)w.distinct);
        }
        freshet_free(f);
    }
}

/* Nothing is made: only the formulas are asked. */
static void ten_billion_keys_have_rates_too(void **state)
{
    const freshet_algorithm *a;

    (void)state;
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        freshet_options o = {.size = sizeof o,
                             .algorithm = a->name,
                             .memory = UINT64_C(64) << 30,
                             .expect = UINT64_C(10000000000)};
        freshet_workload w = {.size = sizeof w, .distinct = o.expect};
        freshet_rates r = {.size = sizeof r};

        assert_int_equal(freshet_expect_options(&r, &o, &w, NULL), FRESHET_OK);
        if (!is_rate(r.false_drop) || !is_rate(r.false_pass))
            fail_msg("%s: %g and %g", a->name, r.false_drop, r.false_pass);
        if (strcmp(a->name, "bloom") == 0) /* 55 bits per key are plenty */
            assert_true(r.false_drop > 0 && r.false_drop < 1e-6);
    }
}

static void a_weaker_theory_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(rows[i].why ||
                    (rows[i].share == 0 && rows[i].endless != NONE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_as_predicted),
        cmocka_unit_test(
            false_drops_do_not_depend_on_what_follows_the_last_new_key),
        cmocka_unit_test(expectations_are_rates_at_the_extremes),
        cmocka_unit_test(ten_billion_keys_have_rates_too),
        cmocka_unit_test(a_weaker_theory_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
