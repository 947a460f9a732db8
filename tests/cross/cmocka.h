/*
 * cmocka.h - as much of cmocka as the tests of code paths use
 *
 * For machines of another kind: Debian has cross compilers, but no cmocka for
 * them.  A failing assertion ends the program.
 */
#ifndef CROSS_CMOCKA_H
#define CROSS_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define fail_msg(...)                                                          \
    do {                                                                       \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                        \
        fprintf(stderr, __VA_ARGS__);                                          \
        fputc('\n', stderr);                                                   \
        exit(1);                                                               \
    } while (0)
#define assert_true(x)                                                         \
    do {                                                                       \
        if (!(x))                                                              \
            fail_msg("not true: %s", #x);                                      \
    } while (0)
#define assert_non_null(x)           assert_true((x) != NULL)
#define assert_ptr_equal(a, b)       assert_true((a) == (b))
#define assert_int_equal(a, b)       assert_true((uint64_t)(a) == (uint64_t)(b))
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define assert_string_equal(a, b)    assert_true(strcmp(a, b) == 0)
#define print_message(...)           printf(__VA_ARGS__)

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};
#define cmocka_unit_test(f)                                                    \
    {                                                                          \
#        f, f                                                                  \
    }

static inline int run_all(const struct CMUnitTest *tests, size_t n)
{
    void *state = NULL;

    for (size_t i = 0; i < n; i++) {
        tests[i].run(&state);
        printf("ok %s\n", tests[i].name);
    }
    return 0;
}
#define cmocka_run_group_tests(tests, setup, teardown)                         \
    run_all(tests, sizeof(tests) / sizeof *(tests))

#endif
