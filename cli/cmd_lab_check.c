/*
 * cmd_lab_check.c - freshet lab check: compares measured rates with promised
 * ones
 *
 * lab/promise.h lists the promises.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "json_writer.h"
#include "lab_output.h"
#include "promise.h"
#include "size.h"
#include "status_line.h"

struct lab_check_args {
    bool json;
    const char *csv;
    uint64_t jobs;
};

#define AT(field) offsetof(struct lab_check_args, field)

static const struct option_spec check_options[] = {
    {0, "csv", OPTION_TEXT, AT(csv), "FILE",
     "add results to FILE, skip those already in it"},
    {0, "jobs", OPTION_POSITIVE, AT(jobs), "N",
     "run N measurements at a time (cores)"},
    {'j', "json", OPTION_SWITCH, AT(json), NULL,
     "print one JSON object per check"},
    {0},
};

static int check_run(int argc, char **argv);

const struct cli_command cmd_lab_check = {
    .name = "lab check",
    .operands = "[OPTION]... [GROUP]...",
    .summary = "Check promised error rates; exit 1 if exceeded",
    .examples = "  freshet lab check               all; takes minutes\n"
                "  freshet lab check pocket        the default filter only\n"
                "  freshet lab check bera7         against a published table\n",
    .options = check_options,
    .run = check_run,
};

struct session {
    const struct lab_check_args *args;
    struct promises promises;
    struct grid grid;
    size_t shown; /* promises printed */
};

/* ---- Printing --------------------------------------------------------- */

static const char *verdict_word(const struct promise *c)
{
    static const char *const word[] = {[PROMISE_OPEN] = "not measured",
                                       [PROMISE_SHOWN] = "-",
                                       [PROMISE_KEPT] = "kept",
                                       [PROMISE_EXCEEDED] = "EXCEEDED"};

    return word[c->verdict];
}

static void print_percent(double rate)
{
    if (isnan(rate))
        printf(" %9s", "-");
    else
        printf(" %9.4g", 100 * rate);
}

static void print_promise(const struct promise *c, const struct row *row)
{
    char memory[SIZE_TEXT];

    printf("%-8s %-24s %6s %-8s", c->group, c->detail,
           size_text(memory, c->memory), row_cell(row, ROW_CHOSEN));
    print_percent(c->measured.fpr);
    print_percent(c->measured.fnr);
    printf(" |");
    print_percent(c->most.fpr);
    print_percent(c->most.fnr);
    print_percent(c->most.sum);
    printf("  %s\n", verdict_word(c));
}

static void print_columns(void)
{
    printf("%51s%18s  |%20s\n", "", "measured %", "at most %");
    printf("%-8s %-24s %6s %-8s %9s %9s | %9s %9s %9s  verdict\n", "group",
           "check", "memory", "filter", "FPR", "FNR", "FPR", "FNR", "sum");
}

static void json_promise(const struct promise *c, const struct row *row)
{
    struct json j = {0};

    json_begin(&j, NULL, '{');
    json_text(&j, "group", c->group);
    json_text(&j, "check", c->detail);
    json_text(&j, "stream", c->stream);
    json_count(&j, "memory", c->memory);
    json_text(&j, "algorithm", row_cell(row, ROW_CHOSEN));
    json_text(&j, "params", row_cell(row, ROW_PARAMS));
    json_real(&j, "fpr", c->measured.fpr);
    json_real(&j, "fnr", c->measured.fnr);
    json_real(&j, "most_fpr", c->most.fpr);
    json_real(&j, "most_fnr", c->most.fnr);
    json_real(&j, "most_sum", c->most.sum);
    json_text(&j, "verdict", verdict_word(c));
    json_end(&j, '}');
    putchar('\n');
}

/* ---- Measuring -------------------------------------------------------- */

/* Stores a result and prints all that are complete, in the order of the
   promises. */
static int store_result(void *context, struct cell *c)
{
    struct session *s = context;

    promise_judge(&s->promises.promise[c - s->grid.cell], &c->row[c->rows - 1]);
    while (s->shown < s->promises.n &&
           s->promises.promise[s->shown].verdict != PROMISE_OPEN) {
        const struct promise *p = &s->promises.promise[s->shown];
        const struct cell *next = &s->grid.cell[s->shown++];
        const struct row *row = &next->row[next->rows - 1];

        if (s->args->json)
            json_promise(p, row);
        else
            print_promise(p, row);
    }
    return cli_finish();
}

static int run_grid(struct session *s, struct lab_output *o)
{
    struct fault why;

    if (!promises_add(&s->promises, &s->grid, &why))
        return cli_fail("%s", why.text);
    lab_output_reuse(o, &s->grid);
    status_line_guard();
    if (!s->args->json)
        print_columns();
    return lab_output_run(o, &s->grid);
}

static int run_parsed(struct session *s, int argc, char **argv,
                      const char *command)
{
    struct lab_output output = {.path = s->args->csv,
                                .jobs = s->args->jobs,
                                .done = store_result,
                                .context = s};
    size_t kept, above;
    struct fault why;
    int status;

    if (!promises_make(&s->promises, argv, (size_t)argc, &why))
        return cli_misuse(&cmd_lab_check, "%s", why.text);
    status = lab_output_open(&output, command);
    if (status == CLI_GO)
        status = run_grid(s, &output);
    lab_output_close(&output);
    if (status != CLI_OK)
        return status;
    kept = promises_count(&s->promises, PROMISE_KEPT);
    above = promises_count(&s->promises, PROMISE_EXCEEDED);
    if (!s->args->json)
        printf("\n%zu of %zu promises kept\n", kept, kept + above);
    status = cli_finish();
    return status == CLI_OK && above ? CLI_FOUND : status;
}

static int check_run(int argc, char **argv)
{
    struct lab_check_args args = {0};
    struct session s = {.args = &args};
    char *command = cli_line("freshet lab check", argc, argv);
    int status = command ? cli_parse(&cmd_lab_check, &args, &argc, &argv)
                         : cli_fail("out of memory");

    if (status == CLI_GO)
        status = run_parsed(&s, argc, argv, command);
    grid_free(&s.grid);
    promises_free(&s.promises);
    free(command);
    return status;
}
