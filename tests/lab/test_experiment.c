/*
 * test_experiment.c - experiments as data
 */
#include "harness.h"

#include <glob.h>
#include <unistd.h>

#include "experiment.h"
#include "key_stream.h"

static char path[] = "/tmp/freshet-lab-XXXXXX";

/* The experiments of a file with this in it. */
static struct experiment *read_text(const char *text, size_t *n,
                                    struct fault *why)
{
    char name[] = "/tmp/freshet-lab-XXXXXX";
    int fd = mkstemp(name);
    struct experiment *e;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    e = experiment_read(name, n, why);
    unlink(name);
    return e;
}

static void free_all(struct experiment *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        experiment_free(&e[i]);
    free(e);
}

static void test_a_file_of_one(void **state)
{
    struct fault why;
    size_t n;
    struct experiment *e = read_text("# a comment\n"
                                     "\n"
                                     "  stream = uniform:n=10,universe=4 \n"
                                     "stream=zipf\n"
                                     "algorithm = sbf:k=2,p=4\n"
                                     "memory = 64K, 1M,2048\n"
                                     "memory = 4K\n"
                                     "seeds = 3, 4\r\n"
                                     "error = 0.1%\n"
                                     "expect = truth\n"
                                     "window = 1e3\n"
                                     "goal = fewest\n"
                                     "curve = 5",
                                     &n, &why);

    (void)state;
    assert_non_null(e);
    assert_int_equal(n, 1);
    assert_string_equal(e->name, "");
    assert_int_equal(e->streams, 2);
    assert_string_equal(e->stream[0], "uniform:n=10,universe=4");
    assert_string_equal(e->stream[1], "zipf");
    assert_string_equal(e->algorithm[0], "sbf:k=2,p=4");
    assert_int_equal(e->memories, 4);
    assert_int_equal(e->memory[1], 1 << 20);
    assert_int_equal(e->memory[2], 2048);
    assert_int_equal(e->memory[3], 4096);
    assert_int_equal(e->seeds, 2);
    assert_int_equal(e->seed[1], 4);
    assert_near(e->error, 0.001, 1e-15);
    assert_true(e->expect == EXPECT_TRUTH);
    assert_int_equal(e->window, 1000);
    assert_int_equal(e->goal, FRESHET_GOAL_FEWEST);
    assert_int_equal(e->curve, 5);
    free_all(e, n);
}

static void test_a_file_of_two(void **state)
{
    struct fault why;
    size_t n;
    struct experiment *e =
        read_text("[first one]\nstream = a\nalgorithm = b\nmemory = 1K\n"
                  "[second]\nstream = c\nalgorithm = d\nmemory = 2K\n",
                  &n, &why);

    (void)state;
    assert_non_null(e);
    assert_int_equal(n, 2);
    assert_string_equal(e[0].name, "first one");
    assert_string_equal(e[1].name, "second");
    assert_string_equal(e[1].stream[0], "c");
    assert_int_equal(e[1].seed[0], 1);
    free_all(e, n);
}

static void test_errors_tell_the_line(void **state)
{
    static const char *const wrong[][2] = {
        {"stream = a\nnosuch = 1\n", "line 2: there is no 'nosuch'"},
        {"stream = a\n\nmemory = 64Q\n", "line 3: memory needs a size"},
        {"memory = 1K,\n", "line 1: memory needs a size"},
        {"seeds = 0\n", "line 1: seeds needs"},
        {"goal = best\n", "line 1: goal needs drops|fewest, not 'best'"},
        {"expect = some\n", "line 1: expect needs"},
        {"what is this\n", "line 1: must be 'name = value'"},
        {"[]\n", "line 1: needs a name"},
        {"[x\n", "line 1: needs a name"},
        {"stream = a\n[x]\n", "line 2: the lines above belong to no"},
        {"[x]\nstream = a\n[y]\n", "line 3: nothing to run: the algorithm"},
        {"stream = a\nalgorithm = b\n", "line 2: nothing to run: the memory"},
        {"# nothing\n", "line 1: nothing to run"},
        {"", "line 0: nothing to run"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fault why = {""};
        size_t n;

        assert_null(read_text(wrong[i][0], &n, &why));
        if (strncmp(why.text, wrong[i][1], strlen(wrong[i][1])) != 0)
            fail_msg("\"%s\" gives \"%s\"", wrong[i][0], why.text);
    }
}

static void test_a_list_has_an_end(void **state)
{
    struct experiment e = {0};
    struct fault why;

    (void)state;
    for (int i = 0; i < EXPERIMENT_LIST; i++)
        assert_true(experiment_set(&e, "memory", "1K", &why));
    assert_false(experiment_set(&e, "memory", "1K", &why));
    assert_non_null(strstr(why.text, "more than 64"));
    for (int i = 0; i < EXPERIMENT_LIST; i++)
        assert_true(experiment_set(&e, "stream", "a", &why));
    assert_false(experiment_set(&e, "stream", "a", &why));
    experiment_free(&e);
}

static void test_no_such_file(void **state)
{
    struct fault why;
    size_t n;

    (void)state;
    assert_null(experiment_read(path, &n, &why));
    assert_string_equal(why.text, "No such file or directory");
}

/* The examples can be read, and their streams made. */
static void test_the_examples(void **state)
{
    glob_t found;

    (void)state;
    assert_int_equal(glob(SOURCE_DIR "/lab/experiments/*.lab", 0, NULL, &found),
                     0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct fault why;
        size_t n;
        struct experiment *e = experiment_read(found.gl_pathv[i], &n, &why);

        if (!e)
            fail_msg("%s: %s", found.gl_pathv[i], why.text);
        for (size_t j = 0; j < n; j++) {
            struct stream s;

            assert_true(stream_of_spec(&s, e[j].stream[0], 1, &why));
        }
        free_all(e, n);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_of_one),
        cmocka_unit_test(test_a_file_of_two),
        cmocka_unit_test(test_errors_tell_the_line),
        cmocka_unit_test(test_a_list_has_an_end),
        cmocka_unit_test(test_no_such_file),
        cmocka_unit_test(test_the_examples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
