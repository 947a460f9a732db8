/*
 * test_redis_url.c - where a shared filter is, as people type it
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "redis_url.h"

static struct redis_url parsed(const char *text)
{
    struct redis_url url;
    struct fault why;

    if (!redis_url_parse(&url, text, &why))
        fail_msg("%s: %s", text, why.text);
    return url;
}

static void refused(const char *text, const char *reason)
{
    struct redis_url url;
    struct fault why;

    if (redis_url_parse(&url, text, &why))
        fail_msg("%s was taken", text);
    if (!strstr(why.text, reason))
        fail_msg("%s: not '%s' but '%s'", text, reason, why.text);
}

static void a_host_a_port_and_a_name(void **state)
{
    struct redis_url url = parsed("redis://example.org:7001/seen");

    (void)state;
    assert_int_equal(url.kind, REDIS_TCP);
    assert_string_equal(url.server.host, "example.org");
    assert_int_equal(url.server.port, 7001);
    assert_string_equal(url.name, "seen");
    assert_string_equal(url.user, "");
    assert_string_equal(url.password, "");
    assert_int_equal(parsed("redis://h/seen").server.port, 6379);
    assert_int_equal(parsed("rediss://h/seen").kind, REDIS_TLS);
}

static void several_servers_have_commas_between_them(void **state)
{
    struct redis_url url = parsed("redis://u:p@a:1,b,[::1]:3/seen");

    (void)state;
    assert_string_equal(url.server.host, "a");
    assert_int_equal(url.server.port, 1);
    assert_int_equal(url.others, 2);
    assert_string_equal(url.other[0].host, "b");
    assert_int_equal(url.other[0].port, 6379);
    assert_string_equal(url.other[1].host, "::1");
    assert_int_equal(url.other[1].port, 3);
    assert_string_equal(url.name, "seen");
    assert_int_equal(parsed("redis://a/b,c").others, 0);
    refused("redis://a,/seen", "needs a host");
    refused("redis://,a/seen", "needs a host");
    refused("redis://a,,b/seen", "needs a host");
    refused("redis://a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a/seen", "at most 16");
}

static void numbers_of_ipv6_stand_in_brackets(void **state)
{
    struct redis_url url = parsed("redis://[::1]:7001/seen");

    (void)state;
    assert_string_equal(url.server.host, "::1");
    assert_int_equal(url.server.port, 7001);
    assert_int_equal(parsed("redis://[fe80::1]/seen").server.port, 6379);
}

static void a_user_and_a_password(void **state)
{
    struct redis_url url = parsed("redis://ann:p%40ss%3A%2f@h/seen");

    (void)state;
    assert_string_equal(url.user, "ann");
    assert_string_equal(url.password, "p@ss:/");
    assert_string_equal(url.server.host, "h");
    assert_string_equal(parsed("redis://:secret@h/s").user, "");
    assert_string_equal(parsed("redis://:secret@h/s").password, "secret");
    assert_string_equal(parsed("redis://ann@h/s").password, "");
}

static void a_socket_is_all_but_the_last_part(void **state)
{
    struct redis_url url = parsed("unix:///run/redis/redis.sock/seen");

    (void)state;
    assert_int_equal(url.kind, REDIS_UNIX);
    assert_string_equal(url.server.host, "/run/redis/redis.sock");
    assert_string_equal(url.name, "seen");
    url = parsed("unix://ann:secret@/s/seen");
    assert_string_equal(url.server.host, "/s");
    assert_string_equal(url.password, "secret");
}

static void a_name_is_any_bytes_but_braces(void **state)
{
    (void)state;
    assert_string_equal(parsed("redis://h/a/b c").name, "a/b c");
    assert_string_equal(parsed("redis://h/100%25").name, "100%");
    refused("redis://h/a{b}", "/NAME");
    refused("redis://h/a%7bb", "/NAME");
    refused("redis://h/", "/NAME");
    refused("redis://h", "/NAME");
    refused("redis://h/a%00b", "/NAME");
}

static void what_is_no_url_is_refused(void **state)
{
    char longer[600];

    (void)state;
    refused("", "redis://");
    refused("http://h/x", "redis://");
    refused("redis:///x", "host");
    refused("redis://h:/x", "port");
    refused("redis://h:0/x", "port");
    refused("redis://h:65536/x", "port");
    refused("redis://h:12a/x", "port");
    refused("redis://[::1]7/x", "port");
    refused("redis://a%4:b@h/x", "%");
    refused("redis://a%zz@h/x", "%");
    refused("unix://run/x", "path");
    refused("unix:///x", "path");
    snprintf(longer, sizeof longer, "redis://%0300d/x", 1);
    refused(longer, "host");
    snprintf(longer, sizeof longer, "redis://h/%0300d", 1);
    refused(longer, "/NAME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_a_port_and_a_name),
        cmocka_unit_test(several_servers_have_commas_between_them),
        cmocka_unit_test(numbers_of_ipv6_stand_in_brackets),
        cmocka_unit_test(a_user_and_a_password),
        cmocka_unit_test(a_socket_is_all_but_the_last_part),
        cmocka_unit_test(a_name_is_any_bytes_but_braces),
        cmocka_unit_test(what_is_no_url_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
