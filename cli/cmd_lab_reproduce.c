/*
 * cmd_lab_reproduce.c - freshet lab reproduce: measures published tables again
 *
 * lab/claim.h lists what is published, and how it is compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claim_report.h"
#include "claim_verdict.h"
#include "command.h"
#include "lab_output.h"
#include "status_line.h"

struct reproduce_args {
    bool full, json;
    const char *csv;
    uint64_t jobs;
};

#define AT(field) offsetof(struct reproduce_args, field)

static const struct option_spec reproduce_options[] = {
    {0, "full", OPTION_SWITCH, AT(full), NULL,
     "use the published sizes (hours, 1.1 GiB each)"},
    {0, "csv", OPTION_FILE, AT(csv), "FILE",
     "add results to FILE, skip those already in it"},
    {0, "jobs", OPTION_POSITIVE, AT(jobs), "N",
     "run N measurements at a time (cores)"},
    {'j', "json", OPTION_SWITCH, AT(json), NULL,
     "print one JSON object per table cell"},
    {0},
};

static int reproduce_run(int argc, char **argv);

const struct cli_command cmd_lab_reproduce = {
    .name = "lab reproduce",
    .operands = "[OPTION]... [TABLE]...",
    .summary = "Measure published tables again, and compare",
    .examples = "  freshet lab reproduce               all tables, smaller\n"
                "  freshet lab reproduce bera7         one of them\n"
                "  freshet lab reproduce --full dutta5 --csv x.csv   can be "
                "continued\n",
    .options = reproduce_options,
    .run = reproduce_run,
};

struct reproduction {
    const struct reproduce_args *args;
    struct claims claims;
    struct grid grid;
    struct lab_output output;
    size_t shown; /* claims printed */
};

/* ---- Measurements ----------------------------------------------------- */

/* A claim that several tables print is measured once. */
static bool is_first(const struct claims *c, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (claims_alike(&c->claim[j], &c->claim[i]))
            return false;
    return true;
}

static bool add_trial(struct reproduction *r, const struct claim *c,
                      struct trial *t, struct fault *why)
{
    struct experiment e = {.streams = 1,
                           .memories = 1,
                           .algorithms = 1,
                           .stream = {t->stream},
                           .memory = {c->memory},
                           .algorithm = {t->algorithm}};

    snprintf(e.name, sizeof e.name, "%s", claims_experiment(&r->claims));
    for (; e.seeds < t->runs; e.seeds++)
        e.seed[e.seeds] = e.seeds + 1;
    return grid_add(&r->grid, &e, NULL, false, why);
}

static bool add_claim(struct reproduction *r, struct claim *c,
                      struct fault *why)
{
    for (size_t i = 0; i < c->trials; i++)
        if (!add_trial(r, c, &c->trial[i], why))
            return false;
    return true;
}

static int add_claims(struct reproduction *r)
{
    struct fault why;

    for (size_t i = 0; i < r->claims.n; i++)
        if (is_first(&r->claims, i) && !add_claim(r, &r->claims.claim[i], &why))
            return cli_fail("%s", why.text);
    return CLI_GO;
}

/* ---- Verdicts --------------------------------------------------------- */

/* Prints each table when all of it is measured. */
static void print_tables(struct reproduction *r)
{
    claims_judge(&r->claims);
    while (!r->args->json && r->shown < r->claims.n) {
        size_t end = claim_report_end(&r->claims, r->shown);

        for (size_t i = r->shown; i < end; i++)
            if (r->claims.claim[i].verdict == CLAIM_OPEN)
                return;
        claim_report_table(&r->claims, r->shown, end);
        r->shown = end;
    }
}

static int store_result(void *context, struct cell *c)
{
    struct reproduction *r = context;

    claims_enter(&r->claims, &c->row[c->rows - 1]);
    print_tables(r);
    return cli_finish();
}

/* ---- Beforehand ------------------------------------------------------- */

/*
 * Estimates the time from the size of the filter, for a busy machine of about
 * 2020; the progress bar soon knows better.  lab/results has the times of bera7
 * and dutta5.
 */
static double estimate_seconds(const struct grid *g, size_t jobs)
{
    enum { CACHE = 16 << 20, FAST_NS = 80, SLOW_NS = 120 };
    double ns = 0;

    for (size_t i = 0; i < g->cells; i++)
        if (g->cell[i].state == CELL_WAITS)
            ns += (double)g->cell[i].stream->records *
                  (g->cell[i].filter > CACHE ? SLOW_NS : FAST_NS);
    return ns / 1e9 / (double)jobs;
}

static void announce(const struct reproduction *r, size_t jobs)
{
    double seconds = estimate_seconds(&r->grid, jobs);

    if (!r->args->full || seconds < 60)
        return;
    fprintf(stderr, "freshet: this takes about %.0f %s%s\n",
            seconds < 5400 ? seconds / 60 : seconds / 3600,
            seconds < 5400 ? "minutes" : "hours",
            r->args->csv ? "; after an interruption the same command continues"
                         : "; with --csv FILE an interrupted run can be "
                           "continued");
}

/* ---- The command ------------------------------------------------------ */

static int measure_all(struct reproduction *r)
{
    lab_output_reuse(&r->output, &r->grid);
    announce(r, lab_output_jobs(&r->output));
    status_line_guard();
    return lab_output_run(&r->output, &r->grid);
}

static int run_parsed(struct reproduction *r, int argc, char **argv,
                      const char *command)
{
    struct fault why;
    int status;

    if (!claims_make(&r->claims, argv, (size_t)argc, r->args->full, &why))
        return cli_misuse(&cmd_lab_reproduce, "%s", why.text);
    r->output = (struct lab_output){.path = r->args->csv,
                                    .jobs = r->args->jobs,
                                    .done = store_result,
                                    .context = r};
    status = lab_output_open(&r->output, command);
    if (status == CLI_GO)
        status = add_claims(r);
    if (status == CLI_GO)
        status = measure_all(r);
    if (status != CLI_OK)
        return status;
    if (r->args->json)
        claim_report_json(&r->claims);
    else
        claim_report_summary(&r->claims);
    return cli_finish();
}

static int reproduce_run(int argc, char **argv)
{
    struct reproduce_args args = {0};
    struct reproduction r = {.args = &args};
    char *command = cli_line("freshet lab reproduce", argc, argv);
    int status = command ? cli_parse(&cmd_lab_reproduce, &args, &argc, &argv)
                         : cli_fail("out of memory");

    if (status == CLI_GO)
        status = run_parsed(&r, argc, argv, command);
    grid_free(&r.grid);
    lab_output_close(&r.output);
    claims_free(&r.claims);
    free(command);
    return status;
}
