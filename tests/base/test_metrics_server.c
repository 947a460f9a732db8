/*
 * test_metrics_server.c - serves metrics and health over HTTP
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "listening_socket.h"
#include "metrics_server.h"

/* The clock of the server, which the tests move. */
static uint64_t now = UINT64_C(1000000000000);

uint64_t __wrap_clock_now(void);
uint64_t __wrap_clock_now(void)
{
    return __atomic_load_n(&now, __ATOMIC_RELAXED);
}

static void pass_seconds(uint64_t seconds)
{
    __atomic_fetch_add(&now, seconds * 1000000000, __ATOMIC_RELAXED);
}

/* ---- A client --------------------------------------------------------- */

enum { ANSWER = 1 << 16 };

static int connect_to(const struct metrics_server *s)
{
    const char *colon = strrchr(metrics_server_address(s), ':');
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)atoi(colon + 1)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void send_text(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

/* Reads until the server closes the connection. */
static void read_answer(int fd, char answer[ANSWER])
{
    size_t len = 0;
    ssize_t n;

    while ((n = read(fd, answer + len, ANSWER - 1 - len)) > 0)
        len += (size_t)n;
    answer[len] = '\0';
    close(fd);
}

static void ask(const struct metrics_server *s, const char *what,
                char answer[ANSWER])
{
    char request[256];
    int fd = connect_to(s);

    snprintf(request, sizeof request, "%s HTTP/1.0\r\n\r\n", what);
    send_text(fd, request);
    read_answer(fd, answer);
}

/* ---- The run's side --------------------------------------------------- */

static struct metrics_server *serve(void)
{
    struct fault why;
    struct metrics_server *s = metrics_server_open("0", &why);

    if (!s)
        fail_msg("%s", why.text);
    return s;
}

static void publish(struct metrics_server *s, const char *text)
{
    FILE *out = metrics_server_begin(s);

    assert_non_null(out);
    fputs(text, out);
    metrics_server_publish(s, out);
}

/* ---- Tests ------------------------------------------------------------ */

static void the_last_text_is_served(void **state)
{
    struct metrics_server *s = serve();
    char answer[ANSWER];

    (void)state;
    ask(s, "GET /metrics", answer);
    assert_contains(answer, " 503 ");
    publish(s, "one 1\n");
    publish(s, "one 2\n");
    ask(s, "GET /metrics", answer);
    assert_contains(answer, " 200 OK\r\n");
    assert_contains(answer, "Content-Type: text/plain; version=0.0.4");
    assert_contains(answer, "\r\n\r\none 2\n");
    ask(s, "HEAD /metrics", answer);
    assert_contains(answer, "Content-Length: 6\r\n");
    assert_null(strstr(answer, "one"));
    metrics_server_close(s);
}

static void the_text_is_due_every_second(void **state)
{
    struct metrics_server *s = serve();

    (void)state;
    assert_true(metrics_server_due(s) <= __wrap_clock_now());
    publish(s, "one 1\n");
    assert_true(metrics_server_due(s) > __wrap_clock_now());
    pass_seconds(1);
    assert_true(metrics_server_due(s) <= __wrap_clock_now());
    metrics_server_close(s);
}

static void health_is_that_of_the_run(void **state)
{
    struct metrics_server *s = serve();
    char answer[ANSWER];

    (void)state;
    ask(s, "GET /healthz", answer);
    assert_contains(answer, " 503 ");
    assert_contains(answer, "the run has not begun\n");
    metrics_server_alive(s, NULL);
    ask(s, "GET /healthz", answer);
    assert_contains(answer, " 200 OK\r\n");
    assert_contains(answer, "\r\n\r\nok\n");
    pass_seconds(30);
    ask(s, "GET /healthz", answer);
    assert_contains(answer, "\r\n\r\nok\n");
    pass_seconds(1);
    ask(s, "GET /healthz", answer);
    assert_contains(answer, " 503 ");
    assert_contains(answer, "for 31 s no record was read or waited for");
    metrics_server_alive(s, "no broker has answered for 99 s");
    ask(s, "GET /healthz", answer);
    assert_contains(answer, " 503 ");
    assert_contains(answer, "\r\n\r\nno broker has answered for 99 s\n");
    metrics_server_alive(s, NULL);
    ask(s, "GET /healthz", answer);
    assert_contains(answer, " 200 OK\r\n");
    metrics_server_close(s);
}

static void other_paths_and_methods_are_refused(void **state)
{
    struct metrics_server *s = serve();
    char answer[ANSWER];

    (void)state;
    ask(s, "GET /", answer);
    assert_contains(answer, " 404 ");
    ask(s, "GET /metrics/", answer);
    assert_contains(answer, " 404 ");
    ask(s, "POST /nothing", answer);
    assert_contains(answer, " 404 ");
    ask(s, "DELETE /healthz", answer);
    assert_contains(answer, " 405 ");
    assert_contains(answer, "Allow: GET, HEAD\r\n");
    ask(s, "GET /metrics?a=b", answer);
    assert_contains(answer, " 503 "); /* the path is right */
    metrics_server_close(s);
}

/* Clients that send nothing, half of a request, or read nothing. */
static void stalled_clients_stall_nobody(void **state)
{
    enum { CLIENTS = 24, LARGE = 16 << 20 };
    struct metrics_server *s = serve();
    char *large = malloc(LARGE + 1);
    int fd[CLIENTS];

    (void)state;
    assert_non_null(large);
    memset(large, 'x', LARGE);
    large[LARGE] = '\0';
    publish(s, large);
    for (int i = 0; i < CLIENTS; i++) {
        fd[i] = connect_to(s);
        if (i % 3)
            send_text(fd[i], i % 3 == 1 ? "GET /metr"
                                        : "GET /metrics HTTP/1.0\r\n\r\n");
    }
    for (int i = 0; i < 3; i++) {
        publish(s, large);
        metrics_server_alive(s, NULL);
    }
    alarm(9); /* closing does not wait until they time out, after 10 s */
    metrics_server_close(s);
    alarm(0);
    for (int i = 0; i < CLIENTS; i++)
        close(fd[i]);
    free(large);
}

static void *ask_often(void *server)
{
    char *answer = malloc(ANSWER);

    for (int i = 0; answer && i < 200; i++) {
        unsigned a = 0, b = 1;

        ask(server, "GET /metrics", answer);
        (void)sscanf(strstr(answer, "\r\n\r\n"), " a %u b %u", &a, &b);
        assert_int_equal(a, b);
        ask(server, "GET /healthz", answer);
        assert_contains(answer, " 200 ");
    }
    free(answer);
    return NULL;
}

static void a_text_is_served_whole_while_others_follow(void **state)
{
    enum { CLIENTS = 3 };
    struct metrics_server *s = serve();
    pthread_t client[CLIENTS];

    (void)state;
    publish(s, "a 7\nb 7\n");
    metrics_server_alive(s, NULL);
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&client[i], NULL, ask_often, s), 0);
    for (unsigned i = 0; i < 2000; i++) {
        char text[64];

        snprintf(text, sizeof text, "a %u\nb %u\n", i, i);
        publish(s, text);
        metrics_server_alive(s, NULL);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(client[i], NULL);
    metrics_server_close(s);
}

/* A checkpoint's process may outlive a run that was killed. */
static void a_child_does_not_occupy_the_port(void **state)
{
    struct metrics_server *s = serve(), *again;
    char address[LISTENING_SOCKET_TEXT];
    char byte = 0;
    int ends[2], ended;
    struct fault why;
    pid_t child;

    (void)state;
    snprintf(address, sizeof address, "%s", metrics_server_address(s));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    child = fork();
    if (child == 0) {
        close(ends[1]);
        (void)!write(ends[0], &byte, 1);
        (void)!read(ends[0], &byte, 1); /* until the parent closes its end */
        _exit(0);
    }
    assert_int_equal(read(ends[1], &byte, 1), 1); /* it is running */
    metrics_server_close(s);
    again = metrics_server_open(address, &why);
    close(ends[1]);
    waitpid(child, &ended, 0);
    close(ends[0]);
    if (!again)
        fail_msg("%s", why.text);
    metrics_server_close(again);
}

static void an_address_that_is_used_is_refused(void **state)
{
    struct metrics_server *s = serve();
    struct fault why;

    (void)state;
    assert_null(metrics_server_open(metrics_server_address(s), &why));
    assert_contains(why.text, "Address already in use");
    metrics_server_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_text_is_served),
        cmocka_unit_test(the_text_is_due_every_second),
        cmocka_unit_test(health_is_that_of_the_run),
        cmocka_unit_test(other_paths_and_methods_are_refused),
        cmocka_unit_test(stalled_clients_stall_nobody),
        cmocka_unit_test(a_text_is_served_whole_while_others_follow),
        cmocka_unit_test(a_child_does_not_occupy_the_port),
        cmocka_unit_test(an_address_that_is_used_is_refused),
    };
    struct fault why;
    struct metrics_server *s = metrics_server_open("0", &why);

    if (!s) {
        puts(why.text);
        return 77;
    }
    metrics_server_close(s);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
