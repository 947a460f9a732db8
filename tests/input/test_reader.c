/*
 * test_reader.c - reading from a terminal, where the end is said only once
 */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "reader.h"

/* "b" without a line's end, then the end of the input: Control-D twice. */
static void after_the_end_nothing_is_waited_for(void **state)
{
    int keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    struct reader r = {0};

    (void)state;
    assert_true(keyboard >= 0);
    assert_int_equal(grantpt(keyboard), 0);
    assert_int_equal(unlockpt(keyboard), 0);
    assert_int_equal(reader_init(&r, 4096, 4096), 0);
    r.as_is = true;
    assert_int_equal(reader_open(&r, ptsname(keyboard)), 0);
    assert_false(reader_is_ready(&r));
    assert_int_equal(write(keyboard, "b\004\004", 3), 3);
    while (reader_fill(&r) == 1)
        ;
    assert_int_equal(r.end - r.start, 1);
    assert_true(reader_is_ready(&r)); /* the terminal would be waited for */
    assert_int_equal(reader_fill(&r), 0);
    reader_free(&r);
    close(keyboard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_the_end_nothing_is_waited_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
