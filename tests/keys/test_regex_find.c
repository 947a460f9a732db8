/*
 * test_regex_find.c - keys by regular expression
 */
#include <stdlib.h>

#include "check.h"
#include "regex_find.h"

static struct view view_of(const char *text)
{
    return (struct view){text, strlen(text)};
}

#ifdef FRESHET_HAVE_PCRE2

static struct regex *compile(const char *expression)
{
    struct fault why = {""};
    struct regex *r = regex_create(expression, false, &why);

    if (!r)
        fail_msg("%s", why.text);
    return r;
}

static void without_groups_the_match_is_the_key(void **state)
{
    struct regex *r = compile("id=[0-9]+");
    struct view part;

    (void)state;
    assert_int_equal(regex_parts(r), 1);
    assert_int_equal(regex_find(r, view_of("a id=17 id=18"), &part), REGEX_OK);
    assert_view(part, "id=17");
    regex_free(r);
}

static void groups_are_the_parts_of_the_key(void **state)
{
    struct regex *r = compile("(\\w+)@(?:x\\.)?(\\w+)(!)?");
    struct view part[3];

    (void)state;
    assert_int_equal(regex_parts(r), 3);
    assert_int_equal(regex_find(r, view_of("to me@x.org!"), part), REGEX_OK);
    assert_view(part[0], "me");
    assert_view(part[1], "org");
    assert_view(part[2], "!");
    regex_free(r);
}

static void a_group_left_out_is_not_an_empty_one(void **state)
{
    struct regex *r = compile("(a)|(b*)");
    struct view part[2];

    (void)state;
    assert_int_equal(regex_find(r, view_of("a"), part), REGEX_OK);
    assert_view(part[0], "a");
    assert_null(part[1].at);
    assert_int_equal(regex_find(r, view_of("c"), part), REGEX_OK);
    assert_null(part[0].at);
    assert_non_null(part[1].at);
    assert_int_equal(part[1].len, 0);
    regex_free(r);
}

static void no_match_is_missing(void **state)
{
    struct regex *r = compile("^x$");
    struct view part;

    (void)state;
    assert_int_equal(regex_find(r, view_of("xy"), &part), REGEX_MISSING);
    assert_int_equal(regex_find(r, (struct view){NULL, 0}, &part),
                     REGEX_MISSING);
    regex_free(r);
    r = compile("^$");
    assert_int_equal(regex_find(r, (struct view){NULL, 0}, &part), REGEX_OK);
    assert_int_equal(part.len, 0);
    regex_free(r);
}

static void case_is_ignored_when_asked(void **state)
{
    struct regex *r = regex_create("ABC", true, NULL);
    struct view part;

    (void)state;
    assert_non_null(r);
    assert_int_equal(regex_find(r, view_of("xabCx"), &part), REGEX_OK);
    assert_view(part, "abC");
    regex_free(r);
}

static void a_twin_finds_the_same_at_the_same_time(void **state)
{
    struct regex *r = compile("id=(\\d+)");
    struct regex *twin = regex_clone(r);
    struct view part, other;

    (void)state;
    assert_non_null(twin);
    assert_int_equal(regex_find(r, view_of("id=17"), &part), REGEX_OK);
    assert_int_equal(regex_find(twin, view_of("id=4"), &other), REGEX_OK);
    assert_view(part, "17");
    assert_view(other, "4");
    regex_free(twin);
    assert_int_equal(regex_find(r, view_of("id=5"), &part), REGEX_OK);
    assert_view(part, "5");
    regex_free(r);
}

static void any_bytes_will_do(void **state)
{
    static const char record[] = "a\0b\xff\xfe\0c";
    struct regex *r = compile("\\x00(b[\\x80-\\xff]+)\\x00");
    struct view part;

    (void)state;
    assert_int_equal(regex_find(r, (struct view){record, 7}, &part), REGEX_OK);
    assert_view(part, "b\xff\xfe");
    regex_free(r);
}

static void utf8_is_checked_when_it_is_asked_for(void **state)
{
    struct regex *r = compile("(*UTF)^.$");
    struct fault why = {""};
    struct view part;

    (void)state;
    assert_int_equal(regex_find(r, view_of("\xc3\xa9"), &part), REGEX_OK);
    assert_view(part, "\xc3\xa9");
    assert_int_equal(regex_find(r, view_of("\xc3"), &part), REGEX_FAILED);
    regex_reason(r, &why);
    assert_contains(why.text, "UTF-8 error");
    regex_free(r);
}

/* Exponential backtracking, with and without machine code; then the same
   object still works. */
static void endless_backtracking_is_stopped(void **state)
{
    static const char *const expressions[] = {"^(?:(?:a|a)*)*b",
                                              "(*NO_JIT)^(?:(?:a|a)*)*b"};
    char record[64];

    (void)state;
    memset(record, 'a', sizeof record);
    memcpy(record + sizeof record - 2, "cb", 2);
    for (size_t i = 0; i < 2; i++) {
        struct regex *r = compile(expressions[i]);
        struct fault why = {""};
        struct view part;

        assert_int_equal(regex_find(r, (struct view){record, sizeof record},
                                    &part),
                         REGEX_FAILED);
        regex_reason(r, &why);
        assert_contains(why.text, "limit exceeded");
        assert_int_equal(regex_find(r, view_of("aab"), &part), REGEX_OK);
        regex_free(r);
    }
}

/* Recursion as deep as the record is long needs more stack than there is. */
static void deep_recursion_fails_and_does_not_crash(void **state)
{
    enum { DEEP = 4 << 20 };
    char *record = malloc(DEEP);
    struct regex *r = compile("^(\\((?1)?\\))");
    struct view part;

    (void)state;
    assert_non_null(record);
    memset(record, '(', DEEP);
    assert_int_equal(regex_find(r, (struct view){record, DEEP}, &part),
                     REGEX_FAILED);
    free(record);
    regex_free(r);
}

static void a_bad_expression_is_refused_with_its_place(void **state)
{
    struct fault why = {""};

    (void)state;
    assert_null(regex_create("a(b", false, &why));
    assert_contains(why.text, "missing closing parenthesis");
    assert_null(regex_create("ab[z-a]x", false, &why));
    assert_contains(why.text, "range out of order");
    assert_null(regex_create("*", false, NULL));
}

static void too_many_groups_are_refused(void **state)
{
    char expression[2 * REGEX_PARTS + 3] = "";
    struct fault why = {""};

    (void)state;
    for (size_t i = 0; i <= REGEX_PARTS; i++)
        memcpy(expression + 2 * i, "()", 3);
    assert_null(regex_create(expression, false, &why));
    assert_contains(why.text, "more than 64 groups");
    regex_free(compile(expression + 2));
}

#else

static void without_pcre2_it_says_so(void **state)
{
    struct fault why = {""};
    struct view part;

    (void)state;
    assert_null(regex_create("a", false, &why));
    assert_contains(why.text, "built without PCRE2");
    assert_int_equal(regex_find(NULL, view_of("a"), &part), REGEX_FAILED);
    assert_int_equal(regex_parts(NULL), 0);
    why.text[0] = '\0';
    regex_reason(NULL, &why);
    assert_contains(why.text, "built without PCRE2");
    regex_free(NULL);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef FRESHET_HAVE_PCRE2
        cmocka_unit_test(without_groups_the_match_is_the_key),
        cmocka_unit_test(groups_are_the_parts_of_the_key),
        cmocka_unit_test(a_group_left_out_is_not_an_empty_one),
        cmocka_unit_test(no_match_is_missing),
        cmocka_unit_test(case_is_ignored_when_asked),
        cmocka_unit_test(a_twin_finds_the_same_at_the_same_time),
        cmocka_unit_test(any_bytes_will_do),
        cmocka_unit_test(utf8_is_checked_when_it_is_asked_for),
        cmocka_unit_test(endless_backtracking_is_stopped),
        cmocka_unit_test(deep_recursion_fails_and_does_not_crash),
        cmocka_unit_test(a_bad_expression_is_refused_with_its_place),
        cmocka_unit_test(too_many_groups_are_refused),
#else
        cmocka_unit_test(without_pcre2_it_says_so),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
