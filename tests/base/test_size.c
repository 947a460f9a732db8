/*
 * test_size.c - sizes as people type them, and as they are shown
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "size.h"

#define assert_size(text, wanted)                                              \
    do {                                                                       \
        uint64_t bytes_ = 42;                                                  \
        assert_true(size_read(&bytes_, text));                                 \
        assert_int_equal(bytes_, wanted);                                      \
    } while (0)

static void letters_are_powers_of_1024(void **state)
{
    (void)state;
    assert_size("0", 0);
    assert_size("300", 300);
    assert_size("1K", 1024);
    assert_size("64M", 64u << 20);
    assert_size("64m", 64u << 20);
    assert_size("2GiB", UINT64_C(2) << 30);
    assert_size("1T", UINT64_C(1) << 40);
    assert_size("15E", UINT64_C(15) << 60);
    assert_size("18446744073709551615", UINT64_MAX);
}

static void letters_with_b_are_powers_of_1000(void **state)
{
    (void)state;
    assert_size("1KB", 1000);
    assert_size("5MB", 5000000);
    assert_size("1TB", UINT64_C(1000000000000));
}

static void fractions_are_cut_to_bytes(void **state)
{
    (void)state;
    assert_size("1.5M", 3u << 19);
    assert_size("0.5G", 1u << 29);
    assert_size("1.25KB", 1250);
    assert_size("0.3K", 307);
    assert_size("15.999999999E", UINT64_C(18446744072556630111));
}

static void what_is_no_size_is_refused(void **state)
{
    static const char *const wrong[] = {
        "",    "M",  "-1",  "+1",   " 1",     "1 ",
        "1.5", "1.", "1.G", ".5G",  "1.5.5G", "64Q",
        "1b",  "1B", "1Ki", "1KBx", "16E",    "18446744073709551616",
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t bytes = 42;

        if (size_read(&bytes, wrong[i]))
            fail_msg("'%s' was taken for a size", wrong[i]);
        assert_int_equal(bytes, 42);
    }
}

static void sizes_are_shown_short(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0"},
        {1023, "1023"},
        {65536, "64K"},
        {UINT64_C(16) << 20, "16M"},
        {UINT64_C(1) << 30, "1G"},
        {UINT64_C(3) << 29, "1.5G"},
        {UINT64_C(1023) << 20, "1023M"},
        {UINT64_MAX, "16E"},
    };
    char out[SIZE_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(size_text(out, cases[i].bytes), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_powers_of_1024),
        cmocka_unit_test(letters_with_b_are_powers_of_1000),
        cmocka_unit_test(fractions_are_cut_to_bytes),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(sizes_are_shown_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
