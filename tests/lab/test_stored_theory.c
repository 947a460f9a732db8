/*
 * test_stored_theory.c - what theory says in the committed results is what this
 * build says
 *
 * Every row of the CSVs in lab/results that has it is computed anew.  With
 * UPDATE=1 in the environment these columns are written, and no other: they are
 * computed, not measured.
 */
#include "harness.h"

#include <dirent.h>

#include "algorithm_spec.h"
#include "cell_rows.h"
#include "random31.h"
#include "result_file.h"

#define RESULTS SOURCE_DIR "/lab/results/"

/* ---- One row ---------------------------------------------------------- */

static void read_options(struct measure *m, const struct row *row,
                         struct algorithm_spec *spec)
{
    freshet_options *o = &m->options;
    double error = row_number(row, ROW_ERROR);

    *spec = algorithm_spec_of(row_cell(row, ROW_ALGORITHM), true);
    random31_of(spec->algorithm, &m->random31);
    *o = (freshet_options){
        .size = sizeof *o,
        .algorithm = spec->algorithm,
        .params = spec->params,
        .memory = (uint64_t)row_number(row, ROW_MEMORY),
        .seed = (uint64_t)row_number(row, ROW_SEED),
        .false_drop_rate = isnan(error) ? 0 : error,
        .expect = strtoull(row_cell(row, ROW_EXPECT), NULL, 10),
        .window = strtoull(row_cell(row, ROW_WINDOW), NULL, 10),
        .goal = strcmp(row_cell(row, ROW_GOAL), "fewest") == 0,
    };
}

/* The filter that was measured is the one that the options make today.
   Parameters that are newer than the row follow those it has. */
static void assert_same_filter(const struct measure *m, const struct row *row)
{
    freshet_planned planned = {.size = sizeof planned};
    const char *params = row_cell(row, ROW_PARAMS);
    freshet_error err;

    if (freshet_plan(&planned, &m->options, &err) < 0)
        fail_msg("%s: %s", row_cell(row, ROW_ALGORITHM), err.message);
    if (strcmp(planned.algorithm, row_cell(row, ROW_CHOSEN)) != 0 ||
        strncmp(planned.params, params, strlen(params)) != 0)
        fail_msg("%s was %s:%s, and now is %s:%s; measure it again",
                 row_cell(row, ROW_ALGORITHM), row_cell(row, ROW_CHOSEN),
                 params, planned.algorithm, planned.params);
}

/* ---- Theory ----------------------------------------------------------- */

/* What theory is asked about, and its answer.  The seeds of filter and stream
   are no part of the question. */
struct answer {
    char options[256];
    freshet_workload workload[STREAM_GAPS];
    size_t workloads;
    freshet_rates theory, published;
    double stable_fill, stable_after;
};

static struct answer *answers;
static size_t answered;

static struct answer question(const struct measure *m, const struct row *row)
{
    static const enum row_column columns[] = {ROW_ALGORITHM, ROW_MEMORY,
                                              ROW_ERROR,     ROW_EXPECT,
                                              ROW_WINDOW,    ROW_GOAL};
    struct answer a = {.workloads = m->stream->workloads};
    size_t len = 0;

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        len += (size_t)snprintf(a.options + len, sizeof a.options - len, "%s\n",
                                row_cell(row, columns[i]));
        assert_true(len < sizeof a.options);
    }
    memcpy(a.workload, m->stream->workload, sizeof a.workload);
    return a;
}

/* Returns whether two questions have the same answer.  Workloads with a table
   of gaps count as different: only pointers to tables could be compared. */
static bool same_question(const struct answer *a, const struct answer *b)
{
    if (a->workloads != b->workloads || strcmp(a->options, b->options) != 0)
        return false;
    for (size_t i = 0; i < a->workloads; i++)
        if (a->workload[i].gaps || memcmp(&a->workload[i], &b->workload[i],
                                          sizeof a->workload[i]) != 0)
            return false;
    return true;
}

static void compute(struct answer *a, struct measure *m)
{
    measure_expect(m);
    a->theory = m->theory;
    a->published = m->published;
    a->stable_fill = m->stable_fill;
    a->stable_after = m->stable_after;
}

/* measure_expect(), once for rows that differ in seeds alone. */
static void expect(struct measure *m, const struct row *row)
{
    struct answer asked = question(m, row);
    size_t i = 0;

    while (i < answered && !same_question(&asked, &answers[i]))
        i++;
    if (i == answered) {
        compute(&asked, m);
        answers = realloc(answers, (answered + 1) * sizeof *answers);
        assert_non_null(answers);
        answers[answered++] = asked;
    }
    m->theory = answers[i].theory;
    m->published = answers[i].published;
    m->stable_fill = answers[i].stable_fill;
    m->stable_after = answers[i].stable_after;
}

/* The row with its theory computed anew; false if theory knows nothing of the
   stream. */
static bool renew(struct row *row)
{
    struct algorithm_spec spec;
    struct measure m = {0};
    struct stream stream;
    struct fault why;

    if (strncmp(row_cell(row, ROW_STREAM), "file:", 5) == 0)
        return false;
    if (!stream_of_spec(&stream, row_cell(row, ROW_STREAM), 1, &why))
        fail_msg("%s: %s", row_cell(row, ROW_STREAM), why.text);
    if (stream.workloads == 0)
        return false;
    m.stream = &stream;
    read_options(&m, row, &spec);
    assert_same_filter(&m, row);
    expect(&m, row);
    for (enum row_column c = ROW_THEORY_FPR; c <= ROW_PUBLISHED_FNR; c++)
        row->at[c] = 0;
    row->at[ROW_STABLE_FILL] = row->at[ROW_STABLE_AFTER] = 0;
    cell_theory(row, &m);
    return true;
}

/* Numbers to five digits: the last of six may be rounded otherwise. */
static bool same(const char *a, const char *b)
{
    double x = strtod(a, NULL), y = strtod(b, NULL);

    return strcmp(a, b) == 0 ||
           (*a && *b && fabs(x - y) <= 2e-5 * fmax(fabs(x), fabs(y)) + 1e-12);
}

static int compare(const char *file, const struct row *stored, unsigned width)
{
    struct row now = *stored;
    int wrong = 0;

    if (!row_is_whole(stored) || !renew(&now))
        return 0;
    for (enum row_column c = ROW_THEORY_FPR; c < width; c++)
        if ((c <= ROW_PUBLISHED_FNR || c >= ROW_STABLE_FILL) &&
            !same(row_cell(stored, c), row_cell(&now, c)))
            wrong++;
    if (wrong)
        print_error("%s: %s of %s at %s: %s / %s, now %s / %s\n", file,
                    row_cell(stored, ROW_ALGORITHM),
                    row_cell(stored, ROW_STREAM), row_cell(stored, ROW_MEMORY),
                    row_cell(stored, ROW_THEORY_FPR),
                    row_cell(stored, ROW_THEORY_FNR),
                    row_cell(&now, ROW_THEORY_FPR),
                    row_cell(&now, ROW_THEORY_FNR));
    return wrong > 0;
}

/* ---- All files -------------------------------------------------------- */

static void update(const char *path, const struct results *r)
{
    char *line = NULL;
    size_t size = 0, n = 0;
    FILE *from = fopen(path, "r"), *to;
    bool head = false;
    char new[600];

    snprintf(new, sizeof new, "%s.new", path);
    assert_non_null(from);
    assert_non_null(to = fopen(new, "w"));
    while (getline(&line, &size, from) > 0) {
        struct row row;

        if (line[0] == '#' || !head) {
            head |= line[0] != '#';
            fputs(line, to);
            continue;
        }
        row = r->row[n++];
        if (row_is_whole(&row))
            renew(&row);
        row_write_csv(&row, r->width, to);
    }
    free(line);
    fclose(from);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(rename(new, path), 0);
}

static int check_file(const char *name)
{
    char path[512];
    struct results r;
    struct fault why;
    int wrong = 0;

    snprintf(path, sizeof path, RESULTS "%s", name);
    if (!results_read(&r, path, &why))
        fail_msg("%s: %s", name, why.text);
    if (getenv("UPDATE"))
        update(path, &r);
    else
        for (size_t i = 0; i < r.rows; i++)
            wrong += compare(name, &r.row[i], r.width);
    results_close(&r);
    return wrong;
}

static void stored_theory_is_that_of_this_build(void **state)
{
    DIR *directory = opendir(RESULTS);
    const struct dirent *entry;
    int files = 0, wrong = 0;

    (void)state;
    assert_non_null(directory);
    while ((entry = readdir(directory))) {
        size_t len = strlen(entry->d_name);

        if (len < 5 || strcmp(entry->d_name + len - 4, ".csv") != 0)
            continue;
        files++;
        wrong += check_file(entry->d_name);
    }
    closedir(directory);
    free(answers);
    assert_true(files >= 5);
    if (wrong)
        fail_msg("%d rows are stale: UPDATE=1 test_stored_theory", wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_theory_is_that_of_this_build),
    };

    return cmocka_run_group_tests_name("stored theory", tests, NULL, NULL);
}
