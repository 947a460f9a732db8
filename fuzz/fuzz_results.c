/*
 * fuzz_results.c - a file of results is refused with the number of a line, or
 * read
 *
 * Rows that were read are written again and must be read as the same.
 * Continuing a file adds its head if there is none, and nothing else; a file
 * that is refused is not changed.
 */
#include "fuzz.h"
#include "result_file.h"

#include <sys/stat.h>

static size_t size_of(FILE *file)
{
    struct stat st;

    MUST(fstat(fileno(file), &st) == 0);
    return (size_t)st.st_size;
}

static void must_be_same(const struct row *a, const struct row *b)
{
    MUST(row_same_input(a, b));
    for (unsigned i = 0; i < ROW_WIDTH; i++)
        MUST(strcmp(row_cell(a, i), row_cell(b, i)) == 0);
}

static void read_again(const struct results *r)
{
    char path[32], *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size), *file;
    struct results again;
    struct fault why = {""};

    MUST(to);
    row_write_head(to);
    for (size_t i = 0; i < r->rows; i++) {
        row_write_csv(&r->row[i], ROW_WIDTH, to);
        MUST(!row_is_whole(&r->row[i]) || results_find(r, &r->row[i]));
    }
    MUST(fclose(to) == 0);
    file = file_of(path, text, size);
    MUST(results_read(&again, path, &why) && again.rows == r->rows);
    for (size_t i = 0; i < r->rows; i++)
        must_be_same(&r->row[i], &again.row[i]);
    results_close(&again);
    fclose(file);
    free(text);
}

/* Opens the file as a run that adds to it.  Returns whether that succeeds. */
static bool go_on(const char *path, FILE *file, size_t size)
{
    struct results r;
    struct fault why = {""};
    bool good = results_open(&r, path, "# a comment\n", &why);

    if (!good) {
        must_be_line(why.text);
        MUST(strstr(why.text, "line ") && size_of(file) == size);
    }
    results_close(&r);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct results r;
    struct fault why = {""};
    char path[32];
    FILE *file = file_of(path, data, size);
    bool good = results_read(&r, path, &why), headless;

    headless = !good && !strncmp(why.text, "holds no results", 16);
    if (good) {
        read_again(&r);
        MUST(go_on(path, file, size) && size_of(file) == size);
    } else {
        must_be_line(why.text);
        MUST(headless || strncmp(why.text, "line ", 5) == 0);
        MUST(go_on(path, file, size) == headless);
    }
    results_close(&r);
    fclose(file);
    return 0;
}
