/*
 * cmd_plan.c - freshet plan: what a memory budget buys, before running
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aim.h"
#include "cli.h"
#include "freshet.h"
#include "json.h"
#include "size.h"

struct plan_args {
    struct aim_args aim;
    uint64_t gap;
    bool json;
};

#define AT(field) offsetof(struct plan_args, field)

static const struct cli_option plan_options[] = {
    AIM_MEMORY_OPTIONS(struct plan_args),
    AIM_WINDOW_OPTIONS(struct plan_args),
    {0, "gap", CLI_POSITIVE, AT(gap), "N",
     "repeats come N new keys later (as far as fits)"},
    {'j', "json", CLI_SWITCH, AT(json), NULL,
     "print one JSON object per algorithm"},
    {0},
};

static int plan_run(int argc, char **argv);

const struct cli_command cmd_plan = {
    .name = "plan",
    .operands = "[OPTION]...",
    .summary = "What each algorithm would achieve, best first",
    .examples = "  freshet plan -m 1G               for an endless stream\n"
                "  freshet plan -m 1G --expect 1e9  a billion distinct keys\n"
                "  freshet plan --gap 1e6 -e 1%     repeats come soon\n",
    .options = plan_options,
    .run = plan_run,
};

enum { ROWS = 64 };

struct row {
    const freshet_algorithm *algorithm;
    freshet_rates rates;
    uint64_t bytes;
    char why_not[256]; /* it cannot do it, or empty */
    double wanted;     /* of rates.false_drop */
    uint64_t window;
    int prefer;
    bool chosen;
};

/* ---- Ranking ---------------------------------------------------------- */

/* What theory does not tell is bad; what nobody will ever see is nothing. */
static double weight(double rate)
{
    return isnan(rate) ? 2 : fmax(rate, 1e-9);
}

/* Farther than the window is no merit. */
static double reach_of(const struct row *row)
{
    double reach = isnan(row->rates.reach) ? 0 : row->rates.reach;

    return row->window ? fmin(reach, (double)row->window) : reach;
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_rates(const struct row *a, const struct row *b)
{
    double limit = a->wanted * 1.01; /* what was planned for it may round */
    int drops = order(weight(a->rates.false_drop), weight(b->rates.false_drop));
    int passes =
        order(weight(a->rates.false_pass), weight(b->rates.false_pass));

    if (a->prefer == PREFER_KEEP)
        return drops ? drops : passes;
    if (a->prefer == PREFER_NONE && (weight(a->rates.false_drop) > limit) !=
                                        (weight(b->rates.false_drop) > limit))
        return drops;
    return passes;
}

/*
 * First what can be done at all, within the wanted rate; then the fewest
 * false passes.  A preference puts one of the two errors before everything.
 */
static int compare(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int by = (a->why_not[0] != 0) - (b->why_not[0] != 0);

    if (!by)
        by = compare_rates(a, b);
    if (!by)
        by = order(reach_of(b), reach_of(a));
    if (!by)
        by = b->chosen - a->chosen;
    return by ? by : strcmp(a->algorithm->name, b->algorithm->name);
}

static void fill(struct row *row, const freshet_options *options,
                 const freshet_workload *load)
{
    freshet_options o = *options;
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    o.algorithm = row->algorithm->name;
    row->rates = (freshet_rates){.size = sizeof row->rates};
    if (freshet_plan(&planned, &o, &err) < 0 ||
        freshet_expect_options(&row->rates, &o, load, &err) < 0)
        memcpy(row->why_not, err.message, sizeof err.message);
    row->bytes = planned.bytes;
}

/* ---- Printing --------------------------------------------------------- */

static void print_cell(double value, int digits)
{
    if (isnan(value))
        printf(" %12s", "?");
    else if (isinf(value))
        printf(" %12s", "for ever");
    else
        printf(" %12.*g", digits, value);
}

static void print_row(const struct row *row)
{
    char size[SIZE_TEXT];

    printf("%-10s", row->algorithm->name);
    if (row->why_not[0]) {
        printf(" %s\n", row->why_not);
        return;
    }
    print_cell(row->rates.false_drop, 2);
    print_cell(row->rates.false_pass, 2);
    print_cell(row->rates.reach, 3);
    printf(" %8s  %s\n", size_text(size, row->bytes), row->algorithm->title);
}

static void json_row(const struct row *row)
{
    struct json j = {0};

    json_begin(&j, NULL, '{');
    json_text(&j, "algorithm", row->algorithm->name);
    if (row->why_not[0]) {
        json_text(&j, "cannot", row->why_not);
    } else {
        json_real(&j, "false_drop", row->rates.false_drop);
        json_real(&j, "false_pass", row->rates.false_pass);
        json_real(&j, "reach", row->rates.reach);
        json_count(&j, "bytes", row->bytes);
    }
    json_end(&j, '}');
    putchar('\n');
}

static void print_head(const struct aim *aim, const freshet_workload *load)
{
    printf("freshet would take %s: %s.\n", aim->options.algorithm, aim->reason);
    if (load->distinct)
        printf("Rates below are for %.3g distinct keys, after each came "
               "once.\n\n",
               (double)load->distinct);
    else
        printf("Rates below are for an endless stream, repeats coming %.3g "
               "new keys later.\n\n",
               (double)load->gap);
    printf("%-10s %12s %12s %12s %8s\n", "", "false drops", "false passes",
           "remembers", "memory");
}

/* ---- The command ------------------------------------------------------ */

/* Without a word on the stream: repeats as far back as the choice reaches. */
static int workload(freshet_workload *load, const struct aim *aim,
                    const struct plan_args *args)
{
    freshet_rates rates = {.size = sizeof rates};
    freshet_error err;

    *load = (freshet_workload){.size = sizeof *load,
                               .distinct = args->gap ? 0 : args->aim.expect,
                               .gap = args->gap};
    if (load->distinct || load->gap)
        return CLI_GO;
    if (freshet_expect_options(&rates, &aim->options, load, &err) < 0)
        return cli_fail("%s", err.message);
    load->gap = rates.reach < 0x1p48 ? (uint64_t)rates.reach : 1;
    return CLI_GO;
}

static size_t make_rows(struct row rows[ROWS], const struct aim *aim,
                        const freshet_workload *load, int prefer)
{
    freshet_options o = aim->options;
    size_t n = 0;

    for (; n < ROWS && (rows[n].algorithm = freshet_algorithm_at(n)); n++) {
        rows[n].chosen =
            strcmp(rows[n].algorithm->name, aim->options.algorithm) == 0;
        o.params = rows[n].chosen ? aim->params : NULL;
        rows[n].prefer = prefer;
        rows[n].window = o.window;
        rows[n].wanted = o.false_drop_rate > 0 ? o.false_drop_rate : 1e-6;
        fill(&rows[n], &o, load);
    }
    qsort(rows, n, sizeof *rows, compare);
    return n;
}

static int plan_run(int argc, char **argv)
{
    struct plan_args args = {.aim.prefer = PREFER_NONE};
    struct row rows[ROWS] = {0};
    freshet_workload load;
    struct aim aim;
    size_t n;
    int status = cli_parse(&cmd_plan, &args, &argc, &argv);

    if (status == CLI_GO && argc)
        status = cli_misuse(&cmd_plan, "plan takes no '%s'", argv[0]);
    if (status == CLI_GO)
        status = aim_take(&aim, &args.aim);
    if (status == CLI_GO)
        status = workload(&load, &aim, &args);
    if (status != CLI_GO)
        return status;
    n = make_rows(rows, &aim, &load, args.aim.prefer);
    if (!args.json)
        print_head(&aim, &load);
    for (size_t i = 0; i < n; i++)
        if (args.json)
            json_row(&rows[i]);
        else
            print_row(&rows[i]);
    return cli_finish();
}
