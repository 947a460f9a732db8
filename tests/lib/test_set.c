/*
 * test_set.c - what is true of the set filter alone
 */
#include "harness.h"

/* The share of keys never offered that it claims to have seen. */
static uint64_t claims(const freshet *f, uint64_t n)
{
    uint64_t claimed = 0;

    for (uint64_t key = 0; key < n; key++)
        claimed += query(f, key + (UINT64_C(1) << 40)) == FRESHET_SEEN;
    return claimed;
}

static void it_never_forgets(void **state)
{
    freshet *f = make_filter(.algorithm = "set", .memory = 1 << 16, .seed = 3);

    (void)state;
    for (uint64_t key = 0; key < 200000; key++)
        offer(f, key);
    for (uint64_t key = 0; key < 200000; key++)
        assert_int_equal(query(f, key), FRESHET_SEEN);
    freshet_free(f);
}

static void false_drops_are_as_predicted_for_every_k(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 16; k++) {
        char params[16];
        freshet *f;
        double predicted;

        snprintf(params, sizeof params, "k=%u", k);
        f = make_filter(.algorithm = "set", .memory = 1 << 17, .seed = 3,
                        .params = params);
        for (uint64_t key = 0; key < 100000; key++)
            offer(f, key);
        predicted =
            expect_of(f, (freshet_workload){.distinct = 100000}).false_drop;
        /* The words of a line fill together, which the formula leaves out. */
        assert_rate(claims(f, 400000), 400000, predicted, k > 8 ? 0.12 : 0.06);
        assert_rate(claims(f, 400000), 400000, info_of(f).false_drop, 0.12);
        freshet_free(f);
    }
}

static void it_says_when_it_holds_more_than_planned(void **state)
{
    freshet *f = make_filter(.algorithm = "set", .memory = 1 << 16,
                             .expect = 10000, .seed = 3);

    (void)state;
    for (uint64_t key = 0; key < 10000; key++)
        offer(f, key);
    assert_int_equal(info_of(f).over_plan, 0);
    for (uint64_t key = 10000; key < 10200; key++)
        offer(f, key);
    assert_int_equal(info_of(f).over_plan, 1);
    freshet_free(f);
}

static void a_merged_set_counts_common_keys_once(void **state)
{
    freshet *f = make_filter(.algorithm = "set", .memory = 1 << 16,
                             .expect = 10000, .seed = 3);
    freshet *g = make_filter(.algorithm = "set", .memory = 1 << 16,
                             .expect = 10000, .seed = 3);

    (void)state;
    for (uint64_t key = 0; key < 9000; key++) {
        offer(f, key);
        offer(g, key + 500);
    }
    assert_int_equal(freshet_merge(f, g, NULL), FRESHET_OK);
    assert_int_equal(info_of(f).over_plan, 0); /* 9500 of them */
    for (uint64_t key = 9500; key < 11000; key++)
        offer(f, key);
    assert_int_equal(info_of(f).over_plan, 1);
    freshet_free(f);
    freshet_free(g);
}

static void without_a_number_it_plans_for_the_rate(void **state)
{
    freshet *f = make_filter(.algorithm = "set", .memory = 1 << 20,
                             .false_drop_rate = 0.01, .seed = 3);
    uint64_t key = 0;

    (void)state;
    while (!info_of(f).over_plan)
        for (uint64_t end = key + 2000; key < end; key++)
            offer(f, key);
    /* About ten bits a key, and one in a hundred false drops by then. */
    assert_in_range(key, 800000, 900000);
    assert_near(info_of(f).false_drop, 0.01, 0.001);
    freshet_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_never_forgets),
        cmocka_unit_test(false_drops_are_as_predicted_for_every_k),
        cmocka_unit_test(it_says_when_it_holds_more_than_planned),
        cmocka_unit_test(a_merged_set_counts_common_keys_once),
        cmocka_unit_test(without_a_number_it_plans_for_the_rate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
