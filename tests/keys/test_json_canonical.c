/*
 * test_json_canonical.c - equal values have one spelling
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "json_canonical.h"

/* The spelling of a record, without what the paths lead to; in memory of the
   exact size, for the sanitizers to watch its end. */
static void spell(char *text, size_t size, const char *list, const char *record)
{
    struct json_path *paths = json_path_create(list ? list : ".", NULL);
    struct json_path_value value[JSON_PATH_PATHS];
    struct view whole = {record, strlen(record)};
    struct key_scratch scratch = {0};
    char *out = malloc(whole.len);
    size_t len;

    assert_non_null(paths);
    assert_non_null(out);
    assert_int_equal(json_path_find(paths, whole, value), JSON_PATH_OK);
    assert_true(
        json_canonical(whole, list ? paths : NULL, &scratch, out, &len));
    snprintf(text, size, "%.*s", (int)len, out);
    free(out);
    key_scratch_free(&scratch);
    json_path_free(paths);
}

#define assert_spelled(record, wanted)                                         \
    do {                                                                       \
        char text_[1024];                                                      \
        spell(text_, sizeof text_, NULL, record);                              \
        assert_string_equal(text_, wanted);                                    \
    } while (0)

#define assert_without(list, record, wanted)                                   \
    do {                                                                       \
        char text_[1024];                                                      \
        spell(text_, sizeof text_, list, record);                              \
        assert_string_equal(text_, wanted);                                    \
    } while (0)

static void white_space_outside_strings_does_not_count(void **state)
{
    (void)state;
    assert_spelled(" [1, 2]\r\n", "[1,2]");
    assert_spelled("{ \"a\" : [ ] ,\t\"b b\" : { } }", "{\"a\":[],\"b b\":{}}");
    assert_spelled("[ \" a \" , null,true ]", "[\" a \",null,true]");
    assert_spelled(" 7 ", "7");
}

static void strings_have_one_escaped_spelling(void **state)
{
    (void)state;
    assert_spelled("[\"\\u0061\\/\"]", "[\"a/\"]");
    assert_spelled("[\"\\u00e9\"]", "[\"\xc3\xa9\"]");
    assert_spelled("[\"\\ud83d\\ude00\"]", "[\"\xf0\x9f\x98\x80\"]");
    assert_spelled("[\"\\u0022\\u005c\"]", "[\"\\\"\\\\\"]");
    assert_spelled("[\"\\u000a\\n\\u0009\\t\\u001F\\u0000\"]",
                   "[\"\\n\\n\\t\\t\\u001f\\u0000\"]");
    assert_spelled("[\"a\\\",\\\"b\"]", "[\"a\\\",\\\"b\"]");
    assert_spelled("[\"a\",\"b\"]", "[\"a\",\"b\"]");
    assert_spelled("{\"\\u0061\":1}", "{\"a\":1}");
}

static void numbers_stay_as_they_are_written(void **state)
{
    (void)state;
    assert_spelled("[1,1.0,1e0,-0,10E+2]", "[1,1.0,1e0,-0,10E+2]");
}

static void members_keep_their_order(void **state)
{
    (void)state;
    assert_spelled("{\"b\":1,\"a\":2}", "{\"b\":1,\"a\":2}");
}

static void the_last_of_equal_names_is_left(void **state)
{
    (void)state;
    assert_spelled("{\"a\":1,\"a\":2}", "{\"a\":2}");
    assert_spelled("{\"a\":1,\"b\":2,\"a\":3}", "{\"b\":2,\"a\":3}");
    assert_spelled("{\"b\":0,\"a\":1,\"\\u0061\":[2]}", "{\"b\":0,\"a\":[2]}");
    assert_spelled("{\"a\":1,\"a\":2,\"a\":3,\"a\":4}", "{\"a\":4}");
    assert_spelled("[{\"x\":{\"a\":1,\"a\":2},\"y\":{\"a\":3}}]",
                   "[{\"x\":{\"a\":2},\"y\":{\"a\":3}}]");
}

/* More names than are compared pair by pair. */
static void of_many_names_the_last_is_left_as_well(void **state)
{
    char record[2048] = "{", wanted[2048] = "{";
    size_t r = 1, w = 1;

    (void)state;
    for (int i = 0; i < 100; i++)
        r += (size_t)snprintf(record + r, sizeof record - r, "\"n%d\":%d,",
                              i * 7 % 50, i);
    for (int i = 50; i < 100; i++)
        w += (size_t)snprintf(wanted + w, sizeof wanted - w, "%s\"n%d\":%d",
                              i > 50 ? "," : "", i * 7 % 50, i);
    record[r - 1] = '}';
    wanted[w] = '}';
    assert_spelled(record, wanted);
}

static void excluded_members_leave_no_trace(void **state)
{
    (void)state;
    assert_without(".ts", "{\"a\":1,\"ts\":5,\"b\":2}", "{\"a\":1,\"b\":2}");
    assert_without(".ts", "{\"ts\": 5, \"a\": 1}", "{\"a\":1}");
    assert_without(".ts", "{\"a\": 1 , \"ts\":\"5\"}", "{\"a\":1}");
    assert_without(".ts", "{\"ts\":5}", "{}");
    assert_without(".ts", "{\"a\":1}", "{\"a\":1}");
    assert_without(".b,.c", "{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1}");
    assert_without(".c,.b", "{\"b\":2,\"a\":1,\"c\":3}", "{\"a\":1}");
    assert_without(".a,.b", "{\"a\":2,\"b\":1,\"c\":3}", "{\"c\":3}");
    assert_without(".a.b,.a", "{\"a\":{\"b\":1},\"c\":3}", "{\"c\":3}");
    assert_without(".a.b,.d", "{\"a\":{\"b\":1,\"c\":2},\"d\":3}",
                   "{\"a\":{\"c\":2}}");
    assert_without("[0],[2]", "[1,2,3]", "[2]");
    assert_without("[1]", "[1,{\"a\":[2]},3]", "[1,3]");
    assert_without(".", "{\"a\":1}", "");
    assert_without(".a", "{\"a\":1,\"b\":{\"a\":2},\"a\":3}",
                   "{\"b\":{\"a\":2}}");
}

static void the_deepest_record_is_written(void **state)
{
    static char record[2 * JSON_PATH_DEPTH + 1];
    static char text[sizeof record];

    (void)state;
    memset(record, '[', JSON_PATH_DEPTH);
    memset(record + JSON_PATH_DEPTH, ']', JSON_PATH_DEPTH);
    spell(text, sizeof text, NULL, record);
    assert_string_equal(text, record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_space_outside_strings_does_not_count),
        cmocka_unit_test(strings_have_one_escaped_spelling),
        cmocka_unit_test(numbers_stay_as_they_are_written),
        cmocka_unit_test(members_keep_their_order),
        cmocka_unit_test(the_last_of_equal_names_is_left),
        cmocka_unit_test(of_many_names_the_last_is_left_as_well),
        cmocka_unit_test(excluded_members_leave_no_trace),
        cmocka_unit_test(the_deepest_record_is_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
