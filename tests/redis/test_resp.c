/*
 * test_resp.c - requests and replies of Redis and Valkey
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "resp.h"

static struct view view(const char *text)
{
    return (struct view){text, strlen(text)};
}

static struct resp only(const char *text)
{
    struct view rest = view(text);
    struct resp item = {0};

    assert_int_equal(resp_length(rest), (long)rest.len);
    assert_true(resp_next(&rest, &item));
    return item;
}

static void each_kind_of_reply(void **state)
{
    (void)state;
    assert_int_equal(only("+OK\r\n").type, RESP_STATUS);
    assert_true(
        resp_begins_with(&(struct resp){.text = view("MOVED 1 h:2")}, "MOVED"));
    assert_int_equal(only("-ERR no\r\n").type, RESP_ERROR);
    assert_int_equal(only(":-42\r\n").count, -42);
    assert_int_equal(only(":9223372036854775807\r\n").count, INT64_MAX);
    assert_int_equal(only("$3\r\na\r\n\r\n").text.len, 3);
    assert_int_equal(only("$0\r\n\r\n").text.len, 0);
    assert_int_equal(only("$-1\r\n").type, RESP_NULL);
    assert_int_equal(only("*-1\r\n").type, RESP_NULL);
    assert_int_equal(only("*2\r\n:1\r\n*1\r\n+x\r\n").count, 2);
}

static void a_part_of_a_reply_is_waited_for(void **state)
{
    static const char whole[] = "*3\r\n:1\r\n$4\r\nab\r\n\r\n*1\r\n+OK\r\n";

    (void)state;
    for (size_t len = 0; len < sizeof whole - 1; len++)
        assert_int_equal(resp_length((struct view){whole, len}), 0);
    assert_int_equal(resp_length(view(whole)), (long)sizeof whole - 1);
}

static void what_follows_is_another_reply(void **state)
{
    (void)state;
    assert_int_equal(resp_length(view("+OK\r\n+NO\r\n")), 5);
}

static void what_is_no_reply_is_refused(void **state)
{
    static const char *const bad[] = {"HTTP/1.1 400\r\n",
                                      "+OK\n",
                                      ":\r\n",
                                      ":-\r\n",
                                      ":1x\r\n",
                                      ":9223372036854775808\r\n",
                                      ":99999999999999999999\r\n",
                                      "$-2\r\n",
                                      "$3\r\nabcd\r\n",
                                      "$99999999999\r\n",
                                      "*99999999999\r\n",
                                      "*-2\r\n",
                                      "%1\r\n",
                                      "\r\n"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(resp_length(view(bad[i])), -1);
}

static void pairs_are_found_by_name(void **state)
{
    struct view map = view("*6\r\n$1\r\na\r\n*2\r\n$1\r\nb\r\n:7\r\n"
                           "$1\r\nb\r\n:8\r\n$1\r\nc\r\n$-1\r\n");
    struct resp value;

    (void)state;
    assert_true(resp_find(map, "b", &value));
    assert_int_equal(value.count, 8);
    assert_true(resp_find(map, "c", &value));
    assert_int_equal(value.type, RESP_NULL);
    assert_false(resp_find(map, "d", &value));
    assert_false(resp_find(view("+OK\r\n"), "d", &value));
}

static void requests_are_arrays_of_words(void **state)
{
    struct words w = {0};

    (void)state;
    words_begin(&w, 4);
    words_text(&w, "SET");
    words_add(&w, "a\0b", 3);
    words_count(&w, UINT64_MAX);
    words_promise(&w, 1000);
    words_end_promised(&w);
    assert_false(w.failed);
    assert_int_equal(w.used, 58);
    assert_memory_equal(w.at,
                        "*4\r\n$3\r\nSET\r\n$3\r\na\0b\r\n$20\r\n"
                        "18446744073709551615\r\n$1000\r\n\r\n",
                        w.used);
    words_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_reply),
        cmocka_unit_test(a_part_of_a_reply_is_waited_for),
        cmocka_unit_test(what_follows_is_another_reply),
        cmocka_unit_test(what_is_no_reply_is_refused),
        cmocka_unit_test(pairs_are_found_by_name),
        cmocka_unit_test(requests_are_arrays_of_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
