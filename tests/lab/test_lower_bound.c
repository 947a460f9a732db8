/*
 * test_lower_bound.c - what no structure can do better
 */
#include "harness.h"

#include "lower_bound.h"

/* Without false passes it is Carter et al.'s log2(1 / drop). */
static void test_without_false_passes(void **state)
{
    (void)state;
    assert_near(floor_bits(0.01, 0), log2(100), 1e-12);
    assert_near(floor_bits(0.5, 0), 1, 1e-12);
}

/* The two errors of a coin: no structure at all. */
static void test_guessing_is_free(void **state)
{
    (void)state;
    assert_near(floor_bits(0.3, 0.7), 0, 1e-12);
    assert_near(floor_bits(1, 0), 0, 1e-12);
    assert_near(floor_bits(0.9, 0.5), 0, 1e-12);
}

static void test_between(void **state)
{
    double want = 0.9 * log2(0.9 / 0.01) + 0.1 * log2(0.1 / 0.99);

    (void)state;
    assert_near(floor_bits(0.01, 0.1), want, 1e-12);
    assert_true(floor_bits(0.01, 0.1) < floor_bits(0.01, 0));
    assert_true(isinf(floor_bits(0, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_false_passes),
        cmocka_unit_test(test_guessing_is_free),
        cmocka_unit_test(test_between),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
