/*
 * internal_params.c - parameters as text
 */
#include "harness.h"
#include "options.h"

static const freshet_parameter table[] = {
    {"width", 0, 1e9, 0, 0, NULL, "a number"},
    {"match", 0, 2, 0, 1, "all|any|none", "a word"},
    {0},
};

static void formats_as(double width, double match, const char *expected)
{
    const double value[] = {width, match};
    char out[256];

    fr_params_format(out, sizeof out, table, value);
    assert_string_equal(out, expected);
}

static void words_stand_for_numbers(void **state)
{
    (void)state;
    formats_as(0, 0, "width=0,match=all");
    formats_as(0, 1, "width=0,match=any");
    formats_as(0, 2, "width=0,match=none");
}

/* As few digits as read back to the same number, and no fewer. */
static void numbers_read_back_the_same(void **state)
{
    uint64_t random = 3;

    (void)state;
    formats_as(10.5, 0, "width=10.5,match=all");
    formats_as(1e6, 0, "width=1e+06,match=all");
    formats_as(0.1, 0, "width=0.1,match=all");
    for (int i = 0; i < 10000; i++) {
        double value[] = {(double)(roll(&random) >> 34) / 7, 0};
        char out[256];

        fr_params_format(out, sizeof out, table, value);
        assert_true(strtod(strchr(out, '=') + 1, NULL) == value[0]);
    }
}

static void what_does_not_fit_is_cut_and_ended(void **state)
{
    const double value[] = {1234567, 2};
    char out[32];

    (void)state;
    for (size_t room = 1; room <= sizeof out; room++) {
        memset(out, 'x', sizeof out);
        fr_params_format(out, room, table, value);
        assert_true(strlen(out) < room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stand_for_numbers),
        cmocka_unit_test(numbers_read_back_the_same),
        cmocka_unit_test(what_does_not_fit_is_cut_and_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
