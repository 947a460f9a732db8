/*
 * test_exact_math.c - our logarithm and exponential, and numbers as digits
 */
#include "decimal.h"
#include "exact_math.h"
#include "gen_streams.h"
#include "math_tables.h"

static void assert_near(double seen, double wanted, double scale)
{
    if (!(fabs(seen - wanted) <= 3e-15 * fabs(scale)))
        fail_msg("%.17g, wanted %.17g", seen, wanted);
}

static void logarithms_are_right_to_the_15th_digit(void **state)
{
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        assert_near(real_log(x), log(x), log(x));
    for (double x = 1e-18; x < 1e6; x *= 1.07)
        assert_near(real_log1p(x), log1p(x), log1p(x));
    for (double x = 1e-18; x < 0.999; x *= 1.07)
        assert_near(real_log1p(-x), log1p(-x), log1p(-x));
    for (double x = 0.7; x < 1.42; x += 0.001)
        assert_near(real_log(x), log(x), 1);
}

static void exponentials_are_right_to_the_15th_digit(void **state)
{
    (void)state;
    for (double x = -690; x < 690; x += 0.37)
        assert_near(real_exp(x), exp(x), exp(x));
    for (double x = 1e-18; x < 100; x *= 1.07) {
        assert_near(real_expm1(x), expm1(x), expm1(x));
        assert_near(real_expm1(-x), expm1(-x), expm1(-x));
    }
    assert_true(real_expm1(-1e300) == -1);
}

/* A logarithm to 1e-15 of 1, or of itself where that is more. */
static void tables_are_as_right(void **state)
{
    struct tables t;

    (void)state;
    tables_fill(&t);
    for (double x = 1e-300; x < 1e300; x *= 1.0037)
        assert_near(tables_log(&t, x), log(x), fmax(1, fabs(log(x))));
    for (double x = 0.5; x < 2; x += 0.0001)
        assert_near(tables_log(&t, x), log(x), 1);
    for (double x = -690; x < 690; x += 0.0137)
        assert_near(tables_exp(&t, x), exp(x), exp(x));
    assert_true(tables_exp(&t, 0) == 1);
}

/* Bit for bit: what another machine computes must be this. */
static void last_bits_are_the_same_everywhere(void **state)
{
    uint64_t sum = 0, bits;
    struct tables t;

    (void)state;
    tables_fill(&t);
    for (int i = 1; i <= 10000; i++) {
        double y[] = {real_log(i / 7.0),
                      real_exp(i / 20.0 - 250),
                      real_log1p(i / 10001.0 - 0.5),
                      real_expm1(i / -3000.0),
                      tables_log(&t, i / 7.0),
                      tables_exp(&t, i / 20.0 - 250)};

        for (int k = 0; k < 6; k++) {
            memcpy(&bits, &y[k], sizeof bits);
            sum = (sum ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
            sum ^= sum >> 29;
        }
    }
    if (sum != UINT64_C(0xaa756abf9cd2c782))
        fail_msg("the digest is %016llx", (unsigned long long)sum);
}

static void digits_are_those_of_printf(void **state)
{
    static const uint64_t edge[] =
        {0, 9, 10, 99999999, 100000000, UINT64_MAX, 123456789012345678};
    char seen[DECIMAL + 1], wanted[32];
    uint64_t x = 1;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint64_t value;
        size_t n;

        x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
        value = i < 7 ? edge[i] : x >> (i % 64);
        n = decimal_put(seen, value);
        seen[n] = '\0';
        snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)value);
        assert_string_equal(seen, wanted);
        snprintf(wanted, sizeof wanted, "%07u", (unsigned)(value % 10000000));
        decimal_fixed(seen, value % 10000000, 7);
        seen[7] = '\0';
        assert_string_equal(seen, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_right_to_the_15th_digit),
        cmocka_unit_test(exponentials_are_right_to_the_15th_digit),
        cmocka_unit_test(tables_are_as_right),
        cmocka_unit_test(last_bits_are_the_same_everywhere),
        cmocka_unit_test(digits_are_those_of_printf),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
