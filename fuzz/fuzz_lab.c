/*
 * fuzz_lab.c - a .lab file is refused with the number of a line, or read
 * correctly
 *
 * The settings are written again, each once and plainly, and must be read as
 * the same.
 */
#include "experiment.h"
#include "fuzz.h"

static void write_one(FILE *to, const struct experiment *e)
{
    if (e->name[0])
        fprintf(to, "[%s]\n", e->name);
    for (size_t i = 0; i < e->streams; i++)
        fprintf(to, "stream = %s\n", e->stream[i]);
    for (size_t i = 0; i < e->algorithms; i++)
        fprintf(to, "algorithm = %s\n", e->algorithm[i]);
    for (size_t i = 0; i < e->memories; i++)
        fprintf(to, "memory = %llu\n", (unsigned long long)e->memory[i]);
    for (size_t i = 0; i < e->seeds; i++)
        fprintf(to, "seeds = %llu\n", (unsigned long long)e->seed[i]);
    if (e->error > 0)
        fprintf(to, "error = %.17g\n", e->error);
    if (e->expect == EXPECT_TRUTH)
        fputs("expect = truth\n", to);
    else if (e->expect)
        fprintf(to, "expect = %llu\n", (unsigned long long)e->expect);
    if (e->window)
        fprintf(to, "window = %llu\n", (unsigned long long)e->window);
    if (e->curve)
        fprintf(to, "curve = %llu\n", (unsigned long long)e->curve);
    fprintf(to, "goal = %s\n",
            e->goal == FRESHET_GOAL_FEWEST ? "fewest" : "drops");
}

static void must_be_same(const struct experiment *a, const struct experiment *b)
{
    MUST(strcmp(a->name, b->name) == 0);
    MUST(a->streams == b->streams && a->algorithms == b->algorithms);
    MUST(a->memories == b->memories && a->seeds == b->seeds);
    for (size_t i = 0; i < a->streams; i++)
        MUST(strcmp(a->stream[i], b->stream[i]) == 0);
    for (size_t i = 0; i < a->algorithms; i++)
        MUST(strcmp(a->algorithm[i], b->algorithm[i]) == 0);
    MUST(memcmp(a->memory, b->memory, a->memories * sizeof *a->memory) == 0);
    MUST(memcmp(a->seed, b->seed, a->seeds * sizeof *a->seed) == 0);
    MUST(!(a->error < b->error) && !(a->error > b->error));
    MUST(a->expect == b->expect && a->window == b->window);
    MUST(a->goal == b->goal && a->curve == b->curve);
}

static void read_again(const struct experiment *e, size_t n)
{
    char path[32], *text = NULL;
    size_t size = 0, again_n = 0;
    FILE *to = open_memstream(&text, &size), *file;
    struct experiment *again;
    struct fault why = {""};

    MUST(to);
    for (size_t i = 0; i < n; i++)
        write_one(to, &e[i]);
    MUST(fclose(to) == 0);
    file = file_of(path, text, size);
    again = experiment_read(path, &again_n, &why);
    MUST(again && again_n == n);
    for (size_t i = 0; i < n; i++) {
        must_be_same(&e[i], &again[i]);
        experiment_free(&again[i]);
    }
    free(again);
    fclose(file);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fault why = {""};
    struct experiment *e;
    char path[32];
    FILE *file = file_of(path, data, size);
    size_t n;

    e = experiment_read(path, &n, &why);
    if (!e) {
        MUST(n == 0 && strncmp(why.text, "line ", 5) == 0);
        must_be_line(why.text);
    } else {
        MUST(n > 0);
        read_again(e, n);
        for (size_t i = 0; i < n; i++)
            experiment_free(&e[i]);
        free(e);
    }
    fclose(file);
    return 0;
}
