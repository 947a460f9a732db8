/*
 * test_suggestion.c - misspelt words and what they are taken for
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "suggestion.h"

static const char *nearest(char out[SUGGESTION_TEXT], const char *wanted,
                           const char *words)
{
    struct suggestion s;

    suggestion_begin(&s, wanted, strlen(wanted));
    suggestion_offer_words(&s, words);
    return suggestion_text(out, &s, "--");
}

static void one_slip_is_found(void **state)
{
    static const char words[] = "memory|state|stats|stats-output";
    static const char *const slips[] = {"stae", "sttae", "statee", "stade"};
    char out[SUGGESTION_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        assert_string_equal(nearest(out, slips[i], words),
                            "; did you mean --state?");
    assert_string_equal(nearest(out, "sats-outptu", words),
                        "; did you mean --stats-output?");
}

static void the_nearest_wins_and_the_first_of_equals(void **state)
{
    char out[SUGGESTION_TEXT];

    (void)state;
    assert_string_equal(nearest(out, "dorp", "prop|drop|crop"),
                        "; did you mean --drop?");
    assert_string_equal(nearest(out, "cats", "bats|hats"),
                        "; did you mean --bats?");
}

static void other_words_are_not_suggested(void **state)
{
    char out[SUGGESTION_TEXT], vast[200];

    (void)state;
    memset(vast, 'a', sizeof vast - 1);
    vast[sizeof vast - 1] = '\0';
    assert_string_equal(nearest(out, "colour", "state|memory"), "");
    assert_string_equal(nearest(out, "x", "k|t"), "");
    assert_string_equal(nearest(out, "", "k"), "");
    assert_string_equal(nearest(out, "word", ""), "");
    assert_string_equal(nearest(out, vast, vast), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slip_is_found),
        cmocka_unit_test(the_nearest_wins_and_the_first_of_equals),
        cmocka_unit_test(other_words_are_not_suggested),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
