/*
 * test_result_file.c - a file of results goes on where it ended, or is left
 * alone
 */
#include "harness.h"

#include <unistd.h>

#include "result_file.h"

static char path[] = "/tmp/freshet-results-XXXXXX";

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static char *file_text(void)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "r");
    size_t n;

    assert_non_null(f);
    n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static char *head(void)
{
    static char text[2048];
    FILE *to = fmemopen(text, sizeof text, "w");

    row_write_head(to);
    fclose(to);
    return text;
}

static struct row row_of(const char *stream, const char *seed)
{
    struct row r;

    row_clear(&r);
    row_set(&r, ROW_STREAM, "%s", stream);
    row_set(&r, ROW_SEED, "%s", seed);
    row_real(&r, ROW_FPR, 0.125);
    return r;
}

static void open_good(struct results *r)
{
    struct fault why;

    if (!results_open(r, path, "# made by a test\n", &why))
        fail_msg("%s", why.text);
}

static void test_what_is_written_is_found(void **state)
{
    struct row a = row_of("quotes \" and, commas", "1"), b = row_of("x", "2");
    const struct row *found;
    struct results r;
    struct fault why;

    (void)state;
    write_file("");
    open_good(&r);
    assert_null(results_find(&r, &a));
    assert_true(results_add(&r, (struct row[]){a, b}, 2, &why));
    results_close(&r);
    assert_memory_equal(file_text(), "# made by a test\n", 17);

    open_good(&r);
    assert_int_equal(r.rows, 2);
    found = results_find(&r, &a);
    assert_non_null(found);
    assert_string_equal(row_cell(found, ROW_STREAM), "quotes \" and, commas");
    assert_near(row_number(found, ROW_FPR), 0.125, 0);
    assert_true(isnan(row_number(found, ROW_FNR)));
    assert_true(row_same_input(&r.row[1], &b));
    row_set(&b, ROW_WINDOW, "3"); /* another input: not the same row */
    assert_null(results_find(&r, &b));
    results_close(&r);
}

/* A result is no input: another error rate is no other experiment. */
static void test_results_do_not_tell_rows_apart(void **state)
{
    struct row a = row_of("s", "1"), b = a;

    (void)state;
    row_set(&b, ROW_NS, "17");
    assert_true(row_same_input(&a, &b));
    row_set(&b, ROW_POINT, "1");
    assert_false(row_is_whole(&b));
    assert_true(row_is_whole(&a));
}

static void test_what_is_damaged_is_left_alone(void **state)
{
    static const struct {
        const char *before, *line, *says;
    } wrong[] = {
        {"", "a,b,c\n", "line 1 is not the head"},
        {"", "not a table at all", "line 1 is cut off"},
        {"head", "cut", "line 2 is cut off"},
        {"head", "too,few\n", "line 2 has 2 columns"},
        {"head", "\"open\n", "line 2 is not CSV"},
        {"head", "\n", "line 2 has 1 columns"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fault why = {""};
        char text[4096];
        struct results r;

        snprintf(text, sizeof text, "%s%s", *wrong[i].before ? head() : "",
                 wrong[i].line);
        write_file(text);
        assert_false(results_open(&r, path, "#\n", &why));
        results_close(&r);
        if (strncmp(why.text, wrong[i].says, strlen(wrong[i].says)) != 0)
            fail_msg("'%s' gives '%s'", wrong[i].line, why.text);
        assert_string_equal(file_text(), text);
    }
}

static void test_a_number_that_is_none(void **state)
{
    struct row a = row_of("s", "one");
    struct fault why = {""};
    struct results r;

    (void)state;
    write_file("");
    open_good(&r);
    assert_true(results_add(&r, &a, 1, &why));
    results_close(&r);
    assert_false(results_open(&r, path, "#\n", &why));
    assert_non_null(strstr(why.text, "line 3 seed is no number: 'one'"));
    results_close(&r);
}

static void test_one_writer_at_a_time(void **state)
{
    struct results r, other;
    struct fault why = {""};

    (void)state;
    write_file("");
    open_good(&r);
    assert_false(results_open(&other, path, "#\n", &why));
    assert_string_equal(why.text, "another run is writing to it");
    results_close(&other);
    results_close(&r);
}

static int set_up(void **state)
{
    (void)state;
    return mkstemp(path) < 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_found),
        cmocka_unit_test(test_results_do_not_tell_rows_apart),
        cmocka_unit_test(test_what_is_damaged_is_left_alone),
        cmocka_unit_test(test_a_number_that_is_none),
        cmocka_unit_test(test_one_writer_at_a_time),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
