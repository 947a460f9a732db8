/*
 * cmd_lab_run.c - freshet lab run: measures a grid of filters and streams
 *
 * lab/ describes what is measured and how.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "key_describe.h"
#include "key_input.h"
#include "lab_output.h"
#include "result_table.h"
#include "status_line.h"

struct lab_args {
    struct option_texts stream;
    const char *memory, *seeds, *error, *expect, *window, *goal, *curve;
    const char *file, *input, *csv;
    bool json;
    uint64_t jobs;
    struct key_args key;
    struct record_args record;
};

#define AT(field) offsetof(struct lab_args, field)

static const struct option_spec run_options[] = {
    {0, "What to measure", OPTION_HEADING, 0, NULL, NULL},
    {0, "stream", OPTION_TEXTS, AT(stream), "KIND[:NAME=VALUE,...]",
     "stream of 'freshet gen'; may be given repeatedly"},
    {0, "input", OPTION_FILE, AT(input), "FILE",
     "measure on the records of FILE"},
    {'m', "memory", OPTION_TEXT, AT(memory), "SIZE[,SIZE]...",
     "memory of the filters (1M,16M)"},
    {0, "seeds", OPTION_TEXT, AT(seeds), "N[,N]...",
     "seeds of filters, and of streams without one (1)"},
    {'e', "error", OPTION_TEXT, AT(error), "RATE",
     "false-drop rate to plan filters for (1e-6)"},
    {0, "expect", OPTION_TEXT, AT(expect), "N|truth",
     "number of distinct keys to plan filters for"},
    {0, "last", OPTION_TEXT, AT(window), "N",
     "compare with the last N records only"},
    {0, "goal", OPTION_TEXT, AT(goal), "drops|fewest",
     "plan auto for --error, or fewest errors (drops)"},
    {0, "curve", OPTION_TEXT, AT(curve), "N",
     "also report errors at N points of the stream"},
    {0, "file", OPTION_FILE, AT(file), "FILE",
     "read the options above from a .lab file"},

    {0, "How to run", OPTION_HEADING, 0, NULL, NULL},
    {0, "jobs", OPTION_POSITIVE, AT(jobs), "N",
     "run N at a time; 1 for exact times (cores)"},
    {0, "csv", OPTION_FILE, AT(csv), "FILE",
     "add results to FILE, skip those already in it"},
    {'j', "json", OPTION_SWITCH, AT(json), NULL,
     "print one JSON object per result"},

    {0, "Keys of --input", OPTION_HEADING, 0, NULL, NULL},
    KEY_OPTIONS(struct lab_args, "-key"),
    RECORD_OPTIONS(struct lab_args),
    {0},
};

static int lab_run_run(int argc, char **argv);

const struct cli_command cmd_lab_run = {
    .name = "lab run",
    .operands = "[OPTION]... [ALGORITHM[:PARAMS]]...",
    .summary = "Count the errors of filters on a stream",
    .examples =
        "  freshet lab run --stream uniform:n=1e7,distinct=15% -m 1M sbf auto\n"
        "  freshet lab run --input log -k 1 -m 64K,1M    on your own data\n"
        "  freshet lab run --file x.lab --csv x.csv      can be continued\n",
    .options = run_options,
    .run = lab_run_run,
};

/* ---- What to measure -------------------------------------------------- */

struct plan {
    struct experiment *experiment;
    size_t n;
    bool all; /* every algorithm, because none was named */
};

static void free_plan(struct plan *p)
{
    while (p->n)
        experiment_free(&p->experiment[--p->n]);
    free(p->experiment);
}

/* Options, and the settings of an experiment that they set. */
static const struct {
    const char *name, *setting;
    size_t offset;
} given[] = {
    {"memory", "memory", AT(memory)}, {"seeds", "seeds", AT(seeds)},
    {"error", "error", AT(error)},    {"expect", "expect", AT(expect)},
    {"last", "window", AT(window)},   {"goal", "goal", AT(goal)},
    {"curve", "curve", AT(curve)},
};
enum { GIVEN = sizeof given / sizeof *given };

static const char *value_of(const struct lab_args *args, size_t i)
{
    return *(const char *const *)(const void *)((const char *)args +
                                                given[i].offset);
}

static bool set_algorithms(struct experiment *e, int argc, char **argv,
                           struct fault *why)
{
    const freshet_algorithm *a;

    for (int i = 0; i < argc; i++)
        if (!experiment_set(e, "algorithm", argv[i], why))
            return false;
    for (size_t i = 0; argc == 0 && (a = freshet_algorithm_at(i)); i++)
        if (!experiment_set(e, "algorithm", a->name, why))
            return false;
    return true;
}

static bool set_all(struct experiment *e, const struct lab_args *args, int argc,
                    char **argv, struct fault *why)
{
    for (size_t i = 0; i < args->stream.n; i++)
        if (!experiment_set(e, "stream", args->stream.text[i], why))
            return false;
    if (args->input && !experiment_set(e, "stream", args->input, why))
        return false;
    for (size_t i = 0; i < GIVEN; i++)
        if (value_of(args, i) &&
            !experiment_set(e, given[i].setting, value_of(args, i), why))
            return false;
    return set_algorithms(e, argc, argv, why) &&
           (args->memory || experiment_set(e, "memory", "1M,16M", why)) &&
           experiment_complete(e, why);
}

static int plan_options(struct plan *p, const struct lab_args *args, int argc,
                        char **argv)
{
    struct fault why;

    if (!args->stream.n && !args->input)
        return cli_misuse(&cmd_lab_run,
                          "give a stream to measure: --stream, --input or "
                          "--file");
    if (args->stream.n && args->input)
        return cli_misuse(&cmd_lab_run, "--stream makes records, --input reads "
                                        "them; choose one");
    p->experiment = calloc(1, sizeof *p->experiment);
    if (!p->experiment)
        return cli_fail("out of memory");
    p->n = 1;
    p->all = argc == 0;
    return set_all(p->experiment, args, argc, argv, &why)
               ? CLI_GO
               : cli_misuse(&cmd_lab_run, "%s", why.text);
}

static int plan_file(struct plan *p, const struct lab_args *args, int argc)
{
    struct fault why;
    bool more = argc || args->stream.n || args->input;

    for (size_t i = 0; i < GIVEN; i++)
        more = more || value_of(args, i);
    if (more)
        return cli_misuse(&cmd_lab_run, "--file describes the whole "
                                        "experiment; leave out other options");
    p->experiment = experiment_read(args->file, &p->n, &why);
    return p->experiment ? CLI_GO : cli_fail("%s: %s", args->file, why.text);
}

/* ---- Results ---------------------------------------------------------- */

/* Where results are written.  Terminals and pipes get them in the order of the
   grid. */
struct run_output {
    const struct lab_args *args;
    bool csv; /* --csv - */
    struct lab_output lab;
    struct table table;
    struct grid *grid;
    size_t shown;  /* cells printed */
    bool *is_done; /* for each cell */
};

static void show_cell(struct run_output *o, const struct cell *c)
{
    if (c->skipped && !o->csv && !o->args->json)
        table_skip(&o->table, c->spec.label, c->skipped);
    if (!o->csv && !o->args->json)
        table_rows(&o->table, c->row, c->rows);
    for (size_t i = 0; i < c->rows; i++)
        if (o->csv)
            row_write_csv(&c->row[i], ROW_WIDTH, stdout);
        else if (o->args->json)
            row_write_json(&c->row[i], stdout);
}

static int store_result(void *context, struct cell *c)
{
    struct run_output *o = context;

    o->is_done[c - o->grid->cell] = true;
    while (o->shown < o->grid->cells && o->is_done[o->shown])
        show_cell(o, &o->grid->cell[o->shown++]);
    return cli_finish();
}

static size_t widest(const struct grid *g)
{
    size_t width = sizeof "  at 1e+06 ";

    for (size_t i = 0; i < g->cells; i++)
        if (strlen(g->cell[i].spec.label) > width)
            width = strlen(g->cell[i].spec.label);
    return width;
}

static int run_grid(struct run_output *o, struct grid *g)
{
    int status;

    o->is_done = calloc(g->cells + 1, sizeof *o->is_done);
    if (!o->is_done)
        return cli_fail("out of memory");
    o->grid = g;
    o->shown = 0;
    o->table.width = (int)widest(g);
    lab_output_reuse(&o->lab, g);
    status = lab_output_run(&o->lab, g);
    free(o->is_done);
    o->grid = NULL;
    return status;
}

static int open_output(struct run_output *o, const char *command)
{
    o->csv = o->args->csv && strcmp(o->args->csv, "-") == 0;
    o->lab = (struct lab_output){.path = o->csv ? NULL : o->args->csv,
                                 .jobs = o->args->jobs,
                                 .done = store_result,
                                 .context = o};
    if (o->csv && o->args->json)
        return cli_misuse(&cmd_lab_run, "--json and --csv - both write to "
                                        "standard output; choose one");
    if (o->csv)
        row_write_head(stdout);
    return lab_output_open(&o->lab, command);
}

/* ---- Generated streams ------------------------------------------------ */

static int run_streams(struct run_output *o, const struct plan *p)
{
    struct grid g = {0};
    struct fault why;
    int status = CLI_OK;

    for (size_t i = 0; i < p->n && status == CLI_OK; i++)
        if (!grid_add(&g, &p->experiment[i], NULL, p->all, &why))
            status = cli_fail("%s", why.text);
    if (status == CLI_OK)
        status = run_grid(o, &g);
    grid_free(&g);
    return status;
}

/* ---- A file ----------------------------------------------------------- */

/* Runs the filters of one seed on keys hashed with that seed. */
static int run_seed(struct run_output *o, const struct plan *p,
                    const struct key_input *in, uint64_t seed)
{
    struct input_keys r;
    char key[400];
    struct grid_recording from = {&r, o->args->input, key, seed};
    struct grid g = {0};
    struct fault why;
    int status = key_input_read(&r, in, o->args->input, seed);

    key_describe_words(key_input_key(in), key, sizeof key);
    if (status == CLI_GO && !grid_add(&g, p->experiment, &from, p->all, &why))
        status = cli_fail("%s", why.text);
    if (status == CLI_GO)
        status = run_grid(o, &g);
    grid_free(&g);
    input_keys_free(&r);
    return status;
}

static int run_input(struct run_output *o, const struct plan *p)
{
    const struct lab_args *args = o->args;
    struct key_input *in;
    const struct experiment *e = p->experiment;
    int status = key_input_create(&in, &args->key, &args->record);

    /* analyzer: says that e may be NULL; a plan has an experiment
       NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    if (status == CLI_GO && e->seeds > 1 && strcmp(args->input, "-") == 0)
        status = cli_misuse(&cmd_lab_run, "standard input can be read only "
                                          "once; give one seed, or a file");
    status = status == CLI_GO ? CLI_OK : status;
    /* analyzer: the same
       NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    for (size_t i = 0; i < e->seeds && status == CLI_OK; i++)
        status = run_seed(o, p, in, e->seed[i]);
    key_input_free(in);
    return status;
}

/* ---- The command ------------------------------------------------------ */

static int run_parsed(const struct lab_args *args, int argc, char **argv,
                      const char *command)
{
    struct plan p = {0};
    struct run_output o = {.args = args};
    int status = args->file ? plan_file(&p, args, argc)
                            : plan_options(&p, args, argc, argv);

    if (status == CLI_GO)
        status = open_output(&o, command);
    if (status == CLI_GO) {
        status_line_guard();
        status = args->input ? run_input(&o, &p) : run_streams(&o, &p);
    }
    if (status == CLI_OK && !o.csv && !args->json)
        table_end(&o.table);
    lab_output_close(&o.lab);
    free_plan(&p);
    return status == CLI_OK ? cli_finish() : status;
}

static int lab_run_run(int argc, char **argv)
{
    struct lab_args args = {.key = KEY_ARGS(&cmd_lab_run, "-key"),
                            .record = RECORD_ARGS};
    char *command = cli_line("freshet lab run", argc, argv);
    int status = command ? cli_parse(&cmd_lab_run, &args, &argc, &argv)
                         : cli_fail("out of memory");

    if (status == CLI_GO)
        status = run_parsed(&args, argc, argv, command);
    free(command);
    return status;
}
