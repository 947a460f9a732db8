/*
 * test_claim.c - when a published figure holds
 */
#include "harness.h"

#include <inttypes.h>

#include "claim.h"
#include "lower_bound.h"

/* ---- What is published ------------------------------------------------ */

static size_t cells_of(const char *table)
{
    char name[PUBLISHED_NAME];
    struct published p;
    size_t n = 0;

    for (size_t i = 0; published_at(i, &p); i++)
        n += strcmp(published_name(name, &p), table) == 0;
    return n;
}

static void every_table_has_all_of_its_cells(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= 9; i++) {
        char name[PUBLISHED_NAME];

        snprintf(name, sizeof name, "bera%u", i % 10);
        assert_int_equal(cells_of(name), i <= 3 ? 15 : 20);
    }
    assert_int_equal(cells_of("dutta2"), 6);
    assert_int_equal(cells_of("dutta3"), 6);
    assert_int_equal(cells_of("dutta4"), 8);
    assert_int_equal(cells_of("dutta5"), 6);
    assert_int_equal(cells_of("che1"), 8);
    assert_int_equal(cells_of("che2"), 36);
}

static void figures_are_as_printed(void **state)
{
    struct published p;
    bool found = false;

    (void)state;
    for (size_t i = 0; published_at(i, &p); i++) {
        assert_true(p.fpr > 0 && p.fpr < 100 && p.k >= 1 && p.k <= 8);
        assert_true(strcmp(p.source, "che") == 0 ? isnan(p.fnr)
                                                 : p.fnr > 0 && p.fnr < 100);
        if (strcmp(p.source, "bera") || p.table != 7 ||
            strcmp(p.algorithm, "rlbsbf") || p.memory != UINT64_C(1) << 29)
            continue;
        found = true;
        assert_near(p.fpr, 0.1543, 1e-9);
        assert_near(p.fnr, 0.0535, 1e-9);
        assert_int_equal(p.records, 1000000000);
    }
    assert_true(found);
}

/* ---- How it is tried -------------------------------------------------- */

static struct claims claims_of(const char *name, bool full)
{
    struct claims c;
    struct fault why;

    if (!claims_make(&c, (char *[]){(char *)(uintptr_t)name}, 1, full, &why))
        fail_msg("%s", why.text);
    return c;
}

static void small_tables_are_not_scaled_down(void **state)
{
    struct claims small = claims_of("dutta2", false);
    struct claims medium = claims_of("dutta3", false);
    struct claims large = claims_of("bera7", false);
    struct claims full = claims_of("bera7", true);

    (void)state;
    assert_int_equal(small.claim[0].scale, 1);
    assert_int_equal(medium.claim[0].scale, 1); /* 2 KiB */
    assert_int_equal(medium.claim[4].scale, 10);
    assert_int_equal(large.claim[0].scale, 100);
    assert_int_equal(full.claim[0].scale, 1);
    assert_string_equal(large.claim[0].stream,
                        "uniform:n=10000000,distinct=15%");
    assert_int_equal(large.claim[0].runs, 1);
    assert_int_equal(small.claim[0].runs, 10); /* of 100000 records */
    claims_free(&small);
    claims_free(&medium);
    claims_free(&large);
    claims_free(&full);
}

static void known_variants_are_tried_too(void **state)
{
    struct claims c = claims_of("bera7", false);

    (void)state;
    assert_int_equal(c.claim[0].trials, 1); /* sbf at 64 MB */
    assert_string_equal(c.claim[1].trial[1].algorithm, "rsbf:k=2,sampling=off");
    assert_string_equal(c.claim[15].trial[1].algorithm, "sbf31:d=1,k=2,p=4");
    claims_free(&c);
}

static void an_unknown_table_is_refused_with_those_there_are(void **state)
{
    char name[] = "bera77", *names[] = {name};
    struct claims c;
    struct fault why;

    (void)state;
    assert_false(claims_make(&c, names, 1, false, &why));
    assert_non_null(strstr(why.text, "bera77"));
    assert_non_null(strstr(why.text, "dutta5"));
    claims_free(&c);
}

static void tables_share_what_both_print(void **state)
{
    struct claims one = claims_of("bera1", false);
    struct claims eight = claims_of("bera8", false);

    (void)state;
    /* bsbf with k = 2 in 128 MB */
    assert_true(claims_alike(&one.claim[6], &eight.claim[7]));
    assert_false(claims_alike(&one.claim[5], &eight.claim[7]));
    claims_free(&one);
    claims_free(&eight);
}

/* ---- What comes of it ------------------------------------------------- */

static struct row measured(const struct claims *c, size_t i, size_t trial,
                           double fpr, double fnr, unsigned seed)
{
    const struct claim *claim = &c->claim[i];
    struct row row;

    row_clear(&row);
    row_set(&row, ROW_EXPERIMENT, "%s", claims_experiment(c));
    row_set(&row, ROW_STREAM, "%s,seed=%u", claim->stream, seed);
    row_set(&row, ROW_ALGORITHM, "%s", claim->trial[trial].algorithm);
    row_set(&row, ROW_MEMORY, "%" PRIu64, claim->memory);
    row_set(&row, ROW_FPR, "%.9g", fpr / 100);
    row_set(&row, ROW_FNR, "%.9g", fnr / 100);
    return row;
}

static void enter(struct claims *c, size_t i, size_t trial, double fpr,
                  double fnr)
{
    struct row row = measured(c, i, trial, fpr, fnr, 1);

    assert_true(claims_enter(c, &row));
    claims_judge(c);
}

static const char *verdict(const struct claims *c, size_t i)
{
    static char text[CLAIM_TEXT];

    return claim_verdict(text, &c->claim[i]);
}

/* 2.9156 and 60.8981 are printed. */
static void a_claim_holds_within_five_percent_or_some_points(void **state)
{
    struct claims c = claims_of("bera7", false);

    (void)state;
    assert_string_equal(verdict(&c, 0), "not measured");
    enter(&c, 0, 0, 2.9156, 60.8981);
    assert_string_equal(verdict(&c, 0), "holds");
    enter(&c, 0, 0, 2.9156 - 0.149, 60.8981 * 1.049);
    assert_string_equal(verdict(&c, 0), "holds");
    enter(&c, 0, 0, 2.9156 - 0.151, 60.8981);
    assert_string_equal(verdict(&c, 0), "does not hold");
    enter(&c, 0, 0, 2.9156, 60.8981 * 1.051);
    assert_string_equal(verdict(&c, 0), "does not hold");
    claims_free(&c);
}

/* 10.05 and 85.06 are printed. */
static void of_small_streams_the_mean_of_all_runs_counts(void **state)
{
    struct claims c = claims_of("dutta2", false);

    (void)state;
    for (unsigned seed = 1; seed <= 10; seed++) {
        struct row row = measured(&c, 0, 0, 5 + seed, 85.06, seed);

        assert_string_equal(verdict(&c, 0), "not measured");
        assert_true(claims_enter(&c, &row));
        assert_true(claims_enter(&c, &row)); /* not counted again */
        claims_judge(&c);
    }
    assert_near(c.claim[0].trial[0].fpr, 10.5, 1e-6);
    assert_string_equal(verdict(&c, 0), "holds");
    for (unsigned seed = 0; seed <= 11; seed += 11) {
        struct row row = measured(&c, 0, 0, 5, 5, seed);

        assert_false(claims_enter(&c, &row));
    }
    claims_free(&c);
}

static void a_variant_counts_where_the_described_filter_fails(void **state)
{
    struct claims c = claims_of("bera7", false);
    size_t n[CLAIM_VERDICTS];

    (void)state;
    enter(&c, 1, 1, 4.2891, 43.1705);
    assert_string_equal(verdict(&c, 1), "not measured"); /* the other */
    enter(&c, 1, 0, 6.06, 34.15);
    assert_string_equal(verdict(&c, 1), "holds as sampling=off");
    claims_count(&c, n);
    assert_int_equal(n[CLAIM_HOLDS_AS], 1);
    assert_int_equal(n[CLAIM_OPEN], 19);
    enter(&c, 1, 0, 4.2891, 43.1705);
    assert_string_equal(verdict(&c, 1), "holds");
    claims_free(&c);
}

/* Dutta 4 at 32 KB: 12.51 and 88.86 of sbf, 11.1 and 87.47 of rsbf. */
static void rates_that_were_exchanged_are_found(void **state)
{
    struct claims c = claims_of("dutta4", false);

    (void)state;
    enter(&c, 0, 0, 11.1, 88.86);
    enter(&c, 1, 0, 12.6, 87.4);
    enter(&c, 1, 1, 12.51, 87.47);
    assert_string_equal(verdict(&c, 0),
                        "holds as misprinted: the FPR is that of rsbf");
    assert_string_equal(verdict(&c, 1), "holds as sampling=off, misprinted: "
                                        "the FPR is that of sbf");
    enter(&c, 1, 1, 12.51, 50);
    assert_string_equal(verdict(&c, 0), "does not hold");
    claims_free(&c);
}

static void an_impossible_claim_is_told_its_bound(void **state)
{
    struct claims c = claims_of("che2", false);
    size_t sqf = 2;

    (void)state;
    assert_string_equal(c.claim[sqf].printed.algorithm, "sqf");
    enter(&c, sqf, 0, 32.3, 0);
    assert_non_null(strstr(verdict(&c, sqf), "does not hold: no filter"));
    assert_near(c.claim[sqf].bound, 2.03, 0.01); /* 3.58 bits a key */
    claims_free(&c);
}

static void what_was_measured_elsewhere_is_not_entered(void **state)
{
    struct claims quick = claims_of("bera7", false);
    struct claims full = claims_of("bera7", true);
    struct row row = measured(&full, 0, 0, 2.9, 60.9, 1);

    (void)state;
    assert_false(claims_enter(&quick, &row));
    assert_true(claims_enter(&full, &row));
    row_set(&row, ROW_POINT, "1");
    assert_false(claims_enter(&full, &row));
    claims_free(&quick);
    claims_free(&full);
}

static void no_bound_is_below_that_of_a_full_filter(void **state)
{
    (void)state;
    /* At the end it is 2^-b; on the average from an empty start, less. */
    for (double bits = 0.5; bits < 20; bits *= 2) {
        assert_true(floor_drops(bits) < exp2(-bits));
        assert_true(floor_drops(bits) > floor_drops(2 * bits));
    }
    assert_near(floor_drops(0), 1, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_has_all_of_its_cells),
        cmocka_unit_test(figures_are_as_printed),
        cmocka_unit_test(small_tables_are_not_scaled_down),
        cmocka_unit_test(known_variants_are_tried_too),
        cmocka_unit_test(an_unknown_table_is_refused_with_those_there_are),
        cmocka_unit_test(tables_share_what_both_print),
        cmocka_unit_test(a_claim_holds_within_five_percent_or_some_points),
        cmocka_unit_test(of_small_streams_the_mean_of_all_runs_counts),
        cmocka_unit_test(a_variant_counts_where_the_described_filter_fails),
        cmocka_unit_test(rates_that_were_exchanged_are_found),
        cmocka_unit_test(an_impossible_claim_is_told_its_bound),
        cmocka_unit_test(what_was_measured_elsewhere_is_not_entered),
        cmocka_unit_test(no_bound_is_below_that_of_a_full_filter),
    };

    return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
