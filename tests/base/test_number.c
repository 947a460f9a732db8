/*
 * test_number.c - counts as people type them
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "number.h"

#define assert_count(text, wanted)                                             \
    do {                                                                       \
        uint64_t count_ = 42;                                                  \
        assert_true(number_count(&count_, text));                              \
        assert_int_equal(count_, wanted);                                      \
    } while (0)

static void letters_are_powers_of_ten(void **state)
{
    (void)state;
    assert_count("1M", 1000000);
    assert_count("1.5M", 1500000);
    assert_count("2k", 2000);
    assert_count("2K", 2000);
    assert_count("0.001k", 1);
    assert_count("3G", UINT64_C(3000000000));
    assert_count("18446744T", UINT64_C(18446744000000000000));
}

static void exponents_are_taken(void **state)
{
    (void)state;
    assert_count("0", 0);
    assert_count("1e6", 1000000);
    assert_count("2.5e6", 2500000);
    assert_count("0e99", 0);
    assert_count("18446744073709551615", UINT64_MAX);
}

static void hexadecimal_is_taken(void **state)
{
    (void)state;
    assert_count("0xff", 255);
    assert_count("0xFFFFFFFFFFFFFFFF", UINT64_MAX);
}

static void what_is_no_count_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1.5",
        "1.5e0",
        "1e",
        "1e-1",
        "5m",
        "1g",
        "1Mx",
        "1MB",
        "0x",
        "0xg",
        "xff",
        "1kk",
        "M",
        ".5k",
        "1.0005k",
        "18446745T",
        "1e20",
        "0x1ffffffffffffffff",
        "1e99999999999999999999",
        "18446744073709551616",
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t count = 42;

        if (number_count(&count, wrong[i]))
            fail_msg("'%s' was taken for a count", wrong[i]);
        assert_int_equal(count, 42);
    }
}

static void numbers_are_shown_to_three_digits(void **state)
{
    static const struct {
        double n;
        const char *text;
    } cases[] = {
        {0, "0"},      {7.4, "7"},       {950, "950"},         {999.4, "999"},
        {999.6, "1k"}, {12345, "12.3k"}, {2100000, "2.1M"},    {999600, "1M"},
        {5e9, "5G"},   {1e18, "1E"},     {2.5e21, "2.5e+03E"},
    };
    char out[NUMBER_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(number_text(out, cases[i].n), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_powers_of_ten),
        cmocka_unit_test(exponents_are_taken),
        cmocka_unit_test(hexadecimal_is_taken),
        cmocka_unit_test(what_is_no_count_is_refused),
        cmocka_unit_test(numbers_are_shown_to_three_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
