/*
 * test_listening_socket.c - addresses at which connections are accepted
 */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "listening_socket.h"

static void refused(const char *address, const char *wanted)
{
    struct fault why;

    assert_int_equal(listening_socket_open(address, &why), -1);
    assert_contains(why.text, address);
    assert_contains(why.text, wanted);
}

/* Opens an address with port 0; the system's choice replaces the 0. */
static void opened(const char *address, const char *host)
{
    char text[LISTENING_SOCKET_TEXT];
    struct fault why;
    int fd = listening_socket_open(address, &why);

    if (fd < 0)
        fail_msg("%s", why.text);
    (void)listening_socket_address(text, fd);
    close(fd);
    assert_memory_equal(text, host, strlen(host));
    assert_int_equal(text[strlen(host)], ':');
    assert_true(atoi(text + strlen(host) + 1) > 0);
}

static void an_address_is_a_host_and_a_port(void **state)
{
    (void)state;
    opened("0", "127.0.0.1");
    opened("127.0.0.1:0", "127.0.0.1");
    opened("127.0.0.2:0", "127.0.0.2");
    opened("0.0.0.0:0", "0.0.0.0");
    opened("00", "127.0.0.1");
}

static void ipv6_stands_in_brackets(void **state)
{
    struct fault why;
    int fd = listening_socket_open("[::1]:0", &why);

    (void)state;
    refused("::1:9100", "write an IPv6 address in brackets: [::1]:9100");
    if (fd < 0)
        skip(); /* a machine without IPv6 */
    close(fd);
    opened("[::1]:0", "[::1]");
}

static void other_texts_are_refused(void **state)
{
    static const char *const ports[] = {"",          "x",
                                        "65536",     "-1",
                                        "+1",        " 1",
                                        "1 ",        "1x",
                                        "a:",        "[::1]",
                                        "host:port", "99999999999999999999999",
                                        "1.2.3.4"};

    (void)state;
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        refused(ports[i], "does not end with a port from 0 to 65535");
    refused(":9100", "0.0.0.0:9100 for every network");
    refused("no host:1", "");
    refused("[]:1", "");
    refused("192.0.2.1:0", "Cannot assign requested address");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_a_host_and_a_port),
        cmocka_unit_test(ipv6_stands_in_brackets),
        cmocka_unit_test(other_texts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
