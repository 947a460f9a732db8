/*
 * test_source_file.c - the records of a file that grows while it is read
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "source_file.h"

enum { WINDOW = 64, LINES = 100 };

static void append_lines(int fd, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(dprintf(fd, "line %u\n", i) > 0, true);
}

/* Claims chunks up to the end of the file, or one more.  Returns whether the
   last one is a record without a delimiter. */
static bool claim_all(struct source *s, struct chunk *c)
{
    enum source_result got = SOURCE_AGAIN;
    struct fault why;

    while (got != SOURCE_END && !c->last) {
        got = s->type->claim(s, c, &why);
        assert_int_not_equal(got, SOURCE_FAILED);
    }
    return c->last;
}

/* The rest of the last record would be taken for a record of its own. */
static void what_comes_after_the_end_is_not_read(void **state)
{
    const struct source_file_config config = {
        .framing = {.delimiter = '\n', .most = SIZE_MAX},
        .window = WINDOW,
    };
    struct source *s = source_file_create(&config);
    int fd = memfd_create("test", 0);
    struct chunk c;
    struct fault why;
    char name[64];

    (void)state;
    assert_non_null(s);
    assert_true(fd >= 0);
    append_lines(fd, LINES);
    assert_int_equal(write(fd, "first half", 10), 10);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    assert_true(source_file_open(s, name));
    assert_true(chunk_init(&c, WINDOW, WINDOW));
    assert_true(claim_all(s, &c));
    assert_int_equal(write(fd, " and second half\n", 17), 17);
    append_lines(fd, LINES);
    assert_int_equal(s->type->claim(s, &c, &why), SOURCE_END);
    chunk_free(&c);
    source_file_close(s);
    s->type->free(s);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_after_the_end_is_not_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
