/*
 * test_json_path.c - values by path, as far as the scanner must look
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "json_path.h"

static struct json_path *paths_of(const char *list)
{
    struct fault why = {""};
    struct json_path *paths = json_path_create(list, &why);

    if (!paths)
        fail_msg("%s", why.text);
    return paths;
}

/* The status; the values of all paths as "type:text type:text" in out.  The
   record is given exact memory, for the sanitizers to watch its ends. */
static int find(char out[512], const char *list, const char *record)
{
    static const char types[] = "-0ftns{[";
    struct json_path *paths = paths_of(list);
    struct json_path_value value[JSON_PATH_PATHS];
    size_t len = strlen(record), at = 0;
    char *copy = malloc(len + !len), *scratch = malloc(len + !len);
    int status;

    assert_non_null(copy);
    assert_non_null(scratch);
    memcpy(copy, record, len);
    status = json_path_find(paths, (struct view){copy, len}, value);
    out[0] = '\0';
    for (size_t i = 0; i < paths->paths; i++) {
        struct view text = json_path_text(&value[i], scratch);

        at += (size_t)snprintf(out + at, 512 - at, "%s%c%s%.*s", i ? " " : "",
                               types[value[i].type], value[i].type ? ":" : "",
                               (int)text.len, text.at ? text.at : "");
    }
    free(copy);
    free(scratch);
    json_path_free(paths);
    return status;
}

#define assert_finds(list, record, wanted)                                     \
    do {                                                                       \
        char out_[512];                                                        \
        assert_int_equal(find(out_, list, record), JSON_PATH_OK);              \
        assert_string_equal(out_, wanted);                                     \
    } while (0)

#define assert_status(list, record, wanted)                                    \
    do {                                                                       \
        char out_[512];                                                        \
        if (find(out_, list, record) != (wanted))                              \
            fail_msg("%s in %s: not " #wanted ", found %s", list, record,      \
                     out_);                                                    \
    } while (0)

static void paths_lead_through_objects_and_arrays(void **state)
{
    static const char record[] =
        " {\"user\": {\"id\": 17, \"name\": \"x\"}, \"items\" :[ {\"sku\":"
        "\"a-1\"} , [3, [4]]],\"odd key\":true,\"a\":{\"b c\":null}}\r\n";

    (void)state;
    assert_finds(".user.id", record, "n:17");
    assert_finds("user.id", record, "n:17");
    assert_finds(".items[0].sku", record, "s:a-1");
    assert_finds(".items[1][0]", record, "n:3");
    assert_finds(".items.[1].[1]", record, "[:[4]");
    assert_finds(".\"odd key\"", record, "t:true");
    assert_finds("[\"odd key\"]", record, "t:true");
    assert_finds(".a[\"b c\"]", record, "0:null");
    assert_finds(".a.\"b c\"", record, "0:null");
    assert_finds(".user", record, "{:{\"id\": 17, \"name\": \"x\"}");
}

static void many_paths_take_one_pass_in_any_order(void **state)
{
    static const char record[] =
        "{\"a\":1,\"b\":{\"c\":2,\"d\":[5,6,7]},\"e\":\"x\"}";

    (void)state;
    assert_finds(".e,.b.d[2],.a,.b.c,.b.d[0]", record, "s:x n:7 n:1 n:2 n:5");
    assert_finds(".b.c,.b,.b.d", record,
                 "n:2 {:{\"c\":2,\"d\":[5,6,7]} [:[5,6,7]");
    assert_finds(".,.a", "{\"a\":1}", "{:{\"a\":1} n:1");
}

static void missing_is_not_null(void **state)
{
    (void)state;
    assert_finds(".a", "{}", "-");
    assert_finds(".a", "{\"a\":null}", "0:null");
    assert_finds(".a.b", "{\"a\":null}", "-");
    assert_finds(".a.b", "{\"a\":\"b\"}", "-");
    assert_finds(".a[0]", "{\"a\":{\"0\":1}}", "-");
    assert_finds(".a[1]", "{\"a\":[1]}", "-");
    assert_finds(".a[0]", "{\"a\":[]}", "-");
    assert_finds(".a", "[1,2]", "-");
    assert_finds(".a", "17", "-");
    assert_finds(".a", "{\"A\":1,\"aa\":2,\"\":3}", "-");
    assert_finds(".\"\"", "{\"a\":1,\"\":3}", "n:3");
}

static void scalars_stand_alone(void **state)
{
    (void)state;
    assert_finds(".", " 12.5e-3 ", "n:12.5e-3");
    assert_finds(".", "\"x\"", "s:x");
    assert_finds(".", "true", "t:true");
    assert_finds(".", "false", "f:false");
    assert_finds(".", "[ ]", "[:[ ]");
    assert_finds("[0]", "[-0]", "n:-0");
}

static void escapes_are_decoded_to_utf8(void **state)
{
    (void)state;
    assert_finds(".a", "{\"a\":\"caf\\u00e9\"}", "s:caf\xc3\xa9");
    assert_finds(".a", "{\"a\":\"caf\xc3\xa9\"}", "s:caf\xc3\xa9");
    assert_finds(".a", "{\"a\":\"\\ud83d\\uDE00!\"}", "s:\xf0\x9f\x98\x80!");
    assert_finds(".a", "{\"a\":\"\\u20AC\\u007f\\u0080\"}",
                 "s:\xe2\x82\xac\x7f\xc2\x80");
    assert_finds(".a", "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}",
                 "s:\"\\/\b\f\n\r\t");
}

static void half_a_surrogate_pair_keeps_its_identity(void **state)
{
    (void)state;
    assert_finds(".", "\"\\ud800\"", "s:\xed\xa0\x80");
    assert_finds(".", "\"\\udc00\"", "s:\xed\xb0\x80");
    assert_finds(".", "\"\\ud800\\ud800\"", "s:\xed\xa0\x80\xed\xa0\x80");
    assert_finds(".", "\"\\ud800x\"", "s:\xed\xa0\x80x");
    assert_finds(".", "\"\\ud800\\n\"", "s:\xed\xa0\x80\n");
}

static void names_match_however_they_are_escaped(void **state)
{
    (void)state;
    assert_finds(".id", "{\"\\u0069d\":1}", "n:1");
    assert_finds(".id", "{\"i\\u0064\\u0020\":1,\"id\":2}", "n:2");
    assert_finds(".id", "{\"\\u0069\":1}", "-");
    assert_finds(".\"\\u00e9\"", "{\"\xc3\xa9\":1}", "n:1");
    assert_finds(".\xc3\xa9", "{\"\\u00e9\":1}", "n:1");
    assert_finds(".\"a\\\"b\"", "{\"a\\\"b\":1}", "n:1");
}

static void the_last_of_equal_names_counts(void **state)
{
    (void)state;
    assert_finds(".a", "{\"a\":1,\"a\":2}", "n:2");
    assert_finds(".a", "{\"a\":1,\"\\u0061\":2}", "n:2");
    assert_finds(".a,.b", "{\"a\":1,\"b\":3,\"a\":2}", "n:2 n:3");
    assert_finds(".a.b", "{\"a\":{\"c\":1},\"a\":{\"b\":2}}", "n:2");
    assert_finds(".a.b", "{\"a\":{\"b\":{\"b\":1}},\"a\":{\"b\":2}}", "n:2");
}

static void a_later_name_replaces_all_under_the_earlier_one(void **state)
{
    (void)state;
    assert_finds(".a.b", "{\"a\":{\"b\":2},\"a\":{\"c\":1}}", "-");
    assert_finds(".a.b.c,.a.d", "{\"a\":{\"b\":{\"c\":1},\"d\":2},\"a\":5}",
                 "- -");
    assert_finds(".a[1],.c", "{\"a\":[1,2],\"a\":[3],\"c\":3}", "- n:3");
    assert_finds(".a,.a.b", "{\"a\":{\"b\":1},\"a\":null}", "0:null -");
    assert_finds(".a.b.c", "{\"a\":{\"b\":{\"c\":1},\"b\":{}}}", "-");
}

/* A torn record must not claim the key of the whole one. */
static void no_beginning_of_a_record_is_one(void **state)
{
    static const char record[] =
        "{\"id\":7,\"text\":\"a\\u00e9\\\"\",\"list\":[1.5e3,{\"x\":true},[]],"
        "\"last\":null}";
    static const char *const lists[] = {".id", ".last", ".list[1].x", ".no",
                                        "."};
    char part[sizeof record];

    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        assert_status(lists[i], record, JSON_PATH_OK);
        for (size_t len = 0; len + 1 < sizeof record; len++) {
            snprintf(part, sizeof part, "%.*s", (int)len, record);
            assert_status(lists[i], part, JSON_PATH_MALFORMED);
        }
    }
}

static void what_follows_the_key_is_checked(void **state)
{
    static const char *const rests[] = {
        ",garbage}",
        ",,\"b\":1}",
        ",\"b\":01}",
        ",\"b\":1]",
        ",\"b\":1} x",
        ",\"b\":1}{}",
        ",\"b\":\"\\x\"}",
        ",\"b\":\"\t\"}",
        ",\"b\":[1,]}",
        ",\"b\":tru}",
        ",\"b\":{]}",
        ",\"b\"}",
        ",\"b\":1.}",
        ",\"b\":1}\"x\"",
        ",}",
        "} ]",
    };
    char record[64];

    (void)state;
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        snprintf(record, sizeof record, "{\"a\":1%s", rests[i]);
        assert_status(".a", record, JSON_PATH_MALFORMED);
        assert_status(".a,.b", record, JSON_PATH_MALFORMED);
    }
    assert_status(".a", "{\"a\":1,\"b\":\"\xff\x80\"}", JSON_PATH_OK);
}

static void what_is_not_json_is_malformed(void **state)
{
    static const char *const records[] = {
        "",          " ",           "{",         "{\"a\"",
        "{\"a\":",   "{\"a\":1",    "{\"a\":1,", "{\"a\":1,}",
        "{a:1}",     "{\"a\" 1}",   "{\"a\":1]", "[1}",
        "[",         "[1",          "[1,",       "[1,]",
        "[,1]",      "\"a",         "\"a\\",     "\"a\\\"",
        "\"\\x\"",   "\"\\u12g4\"", "\"\\u12",   "\"a\nb\"",
        "\"a\x1f\"", "01",          "-",         "1.",
        ".5",        "1e",          "1e+",       "+1",
        "tru",       "nul",         "True",      "NaN",
        "'a'",       "{} {}",       "1 2",       "{\"a\":{\"b\":[1,{]}}",
        "}",         "]",           ",",         "[{\"a\":1 \"b\":2}]",
        "[[[1]]",    "{\"a\":[}]",  "[1 2]",     "{\"a\":1,,\"b\":2}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        assert_status(".", records[i], JSON_PATH_MALFORMED);
        assert_status(".nowhere.z", records[i], JSON_PATH_MALFORMED);
        assert_status("[99][0]", records[i], JSON_PATH_MALFORMED);
    }
}

static void zero_bytes_are_garbage_outside_strings_and_inside(void **state)
{
    static const char *const records[] = {"\0", "[1\0]", "\"a\0b\"", "\"\\\0"};
    static const size_t len[] = {1, 4, 5, 3};
    struct json_path *paths = paths_of(".");
    struct json_path_value value;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(json_path_find(paths,
                                        (struct view){records[i], len[i]},
                                        &value),
                         JSON_PATH_MALFORMED);
    json_path_free(paths);
}

static void brackets(char *out, size_t n)
{
    memset(out, '[', n);
    memset(out + n, ']', n);
    out[2 * n] = '\0';
}

static void depth_is_bounded_and_said_so(void **state)
{
    char record[2 * JSON_PATH_DEPTH + 4];

    (void)state;
    brackets(record, JSON_PATH_DEPTH);
    assert_status(".a", record, JSON_PATH_OK);
    assert_status("[0][0][0][0]", record, JSON_PATH_OK);
    brackets(record, JSON_PATH_DEPTH + 1);
    assert_status(".a", record, JSON_PATH_TOO_DEEP);
    assert_status("[0][0][0][0]", record, JSON_PATH_TOO_DEEP);
}

static void strings_of_every_length_end_where_they_end(void **state)
{
    char record[256];

    (void)state;
    for (int len = 0; len < 60; len++) {
        char wanted[128];

        snprintf(wanted, sizeof wanted, "s:%.*s", len,
                 "0123456789\x80\xff"
                 "abcdefghijklmnopqrstuvwxyz!#[]{},:~0123456789~~~~");
        snprintf(record, sizeof record, "{\"k\":1,\"a\":\"%s\"}", wanted + 2);
        assert_finds(".a", record, wanted);
        record[strlen(record) - 2] = '\0';
        assert_status(".a", record, JSON_PATH_MALFORMED);
        record[strlen(record) - (len > 0)] = '\x01';
        assert_status(".a", record, JSON_PATH_MALFORMED);
    }
}

static void a_bad_path_is_refused_with_a_reason(void **state)
{
    static const struct {
        const char *list, *why;
    } cases[] = {
        {"", "JSON path '': a name is missing"},
        {".a,", "JSON path '': a name is missing"},
        {".a,.b.,.c", "JSON path '.b.': a name is missing"},
        {"..a", "a name is missing"},
        {".a b", "needs quotes"},
        {".a, .b", "name is missing"},
        {".a\"b\"", "needs quotes"},
        {".a]", "needs quotes"},
        {".a[", "brackets need"},
        {".a[]", "brackets need"},
        {".a[-1]", "brackets need"},
        {".a[*]", "brackets need"},
        {".a[99999999999999999999]", "brackets need"},
        {".a[1", "not closed"},
        {".a[\"b\"", "not closed"},
        {".\"a", "cut short"},
        {".\"\\x\"", "bad escape"},
        {".a[0]b", "dot or bracket is missing"},
        {".\"a\"b", "dot or bracket is missing"},
        {".a.b,.a.\"b\"", "JSON path '.a.\"b\"': is given twice"},
        {".,.", "given twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fault why = {""};

        assert_null(json_path_create(cases[i].list, &why));
        assert_contains(why.text, cases[i].why);
    }
}

static void limits_of_a_list_are_told(void **state)
{
    char list[2048];
    struct fault why = {""};
    size_t at = 0;

    (void)state;
    for (int i = 0; i < JSON_PATH_PATHS + 1; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, ",.a%d", i);
    assert_null(json_path_create(list + 1, &why));
    assert_contains(why.text, "more than 64 paths");
    *strrchr(list, ',') = '\0';
    json_path_free(paths_of(list + 1));

    for (at = 0; at < 2 * JSON_PATH_NODES; at += 2)
        memcpy(list + at, ".a", 3);
    assert_null(json_path_create(list, &why));
    assert_contains(why.text, "'...: there are more than 255 steps");
    json_path_free(paths_of(list + 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_lead_through_objects_and_arrays),
        cmocka_unit_test(many_paths_take_one_pass_in_any_order),
        cmocka_unit_test(missing_is_not_null),
        cmocka_unit_test(scalars_stand_alone),
        cmocka_unit_test(escapes_are_decoded_to_utf8),
        cmocka_unit_test(half_a_surrogate_pair_keeps_its_identity),
        cmocka_unit_test(names_match_however_they_are_escaped),
        cmocka_unit_test(the_last_of_equal_names_counts),
        cmocka_unit_test(a_later_name_replaces_all_under_the_earlier_one),
        cmocka_unit_test(no_beginning_of_a_record_is_one),
        cmocka_unit_test(what_follows_the_key_is_checked),
        cmocka_unit_test(what_is_not_json_is_malformed),
        cmocka_unit_test(zero_bytes_are_garbage_outside_strings_and_inside),
        cmocka_unit_test(depth_is_bounded_and_said_so),
        cmocka_unit_test(strings_of_every_length_end_where_they_end),
        cmocka_unit_test(a_bad_path_is_refused_with_a_reason),
        cmocka_unit_test(limits_of_a_list_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
