/*
 * cmd_plan.c - freshet plan: compares what algorithms achieve with given memory
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "command.h"
#include "forgetting.h"
#include "freshet.h"
#include "goal.h"
#include "json_writer.h"
#include "plan_sample.h"
#include "size.h"
#include "stability.h"
#include "status_line.h"

struct plan_args {
    struct goal_args goal;
    uint64_t gap;
    bool json;
    const char *sample;
    struct key_args key;
    struct record_args record;
};

#define AT(field) offsetof(struct plan_args, field)

static const struct option_spec plan_options[] = {
    {0, "Goal", OPTION_HEADING, 0, NULL, NULL},
    GOAL_MEMORY_OPTIONS(struct plan_args),
    GOAL_WINDOW_OPTIONS(struct plan_args),
    {0, "gap", OPTION_POSITIVE, AT(gap), "N",
     "repeats come N new keys later (as memory allows)"},
    {'j', "json", OPTION_SWITCH, AT(json), NULL,
     "print one JSON object per algorithm"},
    {0, "Measuring on a sample", OPTION_HEADING, 0, NULL, NULL},
    {0, "sample", OPTION_FILE, AT(sample), "FILE",
     "measure error rates on the records of FILE"},
    KEY_OPTIONS(struct plan_args, "-key"),
    RECORD_OPTIONS(struct plan_args),
    {0},
};

static int plan_run(int argc, char **argv);

const struct cli_command cmd_plan = {
    .name = "plan",
    .operands = "[OPTION]...",
    .summary = "Compare the error rates of the algorithms",
    .examples =
        "  freshet plan -m 1G               for an endless stream\n"
        "  freshet plan -m 1G --expect 1e9  for a billion distinct keys\n"
        "  freshet plan --gap 1e6 -e 1%     repeats after at most 1e6 new "
        "keys\n"
        "  freshet plan --sample log -k 1   measure on this file\n",
    .options = plan_options,
    .run = plan_run,
};

enum { ROWS = 64, FOUND = 3 };

/* The distances at which these shares of keys are found are printed. */
static const double found_shares[FOUND] = {0.99, 0.9, 0.5};

struct row {
    const freshet_algorithm *algorithm;
    freshet_rates rates;
    double worst;        /* false-pass rate; NaN: unknown */
    double found[FOUND]; /* in new keys; NaN: unknown */
    bool settles;
    struct stability stability; /* if settles is true */
    double by_gaps; /* predicted false passes for the gaps of the sample */
    uint64_t bytes;
    double needs;  /* bytes needed to reach the goal; NaN: unknown */
    bool measured; /* on a sample, with the results that follow */
    struct audit_rate drop, pass;
    struct extrapolation sample;
    struct fault why_not; /* why the algorithm cannot be used, or empty */
    double wanted;        /* the false-drop rate asked for */
    uint64_t window;
    int prefer;
    bool chosen, expect; /* chosen by the planner; --expect was given */
};

/* ---- Ranking ---------------------------------------------------------- */

/* Returns a rate for comparison: an unknown rate counts as the worst, and all
   rates below 1e-9 are equal. */
static double weight(double rate)
{
    return isnan(rate) ? 2 : fmax(rate, 1e-9);
}

/* Remembering more than the window is no advantage. */
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
    double limit = a->wanted * 1.01; /* a planned rate may be rounded up */
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
 * Orders the rows: first those within the wanted rate, then by the fewest false
 * passes.  --prefer compares one kind of error before everything else.
 */
static int compare(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int by = (a->why_not.text[0] != 0) - (b->why_not.text[0] != 0);

    if (!by)
        by = compare_rates(a, b);
    if (!by)
        by = order(reach_of(b), reach_of(a));
    if (!by)
        by = b->chosen - a->chosen;
    return by ? by : strcmp(a->algorithm->name, b->algorithm->name);
}

/* ---- How much memory would do ----------------------------------------- */

#define PASSES_WANTED 1e-3 /* the definition of reach */

struct search {
    freshet_options options;
    const freshet_workload *load;
    struct plan_sample *sample; /* NULL: theory decides */
    double wanted;
};

static bool reached_in_theory(const struct search *g)
{
    freshet_rates r = {.size = sizeof r};

    return freshet_expect_options(&r, &g->options, g->load, NULL) == 0 &&
           r.false_drop <= g->wanted * 1.01 &&
           r.false_pass <= PASSES_WANTED * 1.01;
}

/* False drops may be too rare to be counted: the goal is missed only if too
   many are counted. */
static bool reached_on_sample(const struct search *g)
{
    struct extrapolation x;
    struct fault why;
    struct audit_rate drop, pass;

    if (!plan_sample_rates(g->sample, &g->options, &x, &why))
        return false;
    drop =
        audit_rate_of(error_count_drops(&x.tally), error_count_new(&x.tally));
    pass = audit_rate_of(error_count_passes(&x.tally), x.tally.repeats);
    return drop.low <= g->wanted * 1.01 && !(pass.rate > PASSES_WANTED);
}

static bool is_reached(struct search *g, double memory)
{
    g->options.memory = (uint64_t)memory;
    return g->sample ? reached_on_sample(g) : reached_in_theory(g);
}

/* Returns the least memory to within 3 % (10 % if measured), or NaN if there is
   none. */
static double needs(struct search *g)
{
    double here = (double)g->options.memory, close = g->sample ? 1.1 : 1.03;
    double low = here, high = here;

    if (is_reached(g, here))
        low = fmax(2048, here / 0x1p20);
    else
        high = here * 0x1p20;
    if (high > here && !is_reached(g, high))
        return (double)NAN;
    while (high > low * close) {
        double middle = sqrt(low * high);

        if (is_reached(g, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* ---- Filling rows ----------------------------------------------------- */

/* Returns the predicted false passes for the gaps, or NaN. */
static double passes_by_gaps(const freshet_options *o,
                             const struct gap_counts *gaps)
{
    freshet_workload load = {.size = sizeof load,
                             .gaps = gaps->gap,
                             .gap_count = gaps->n};
    freshet_rates rates = {.size = sizeof rates};

    if (gaps->n == 0 || freshet_expect_options(&rates, o, &load, NULL) < 0)
        return (double)NAN;
    return rates.false_pass;
}

static void fill_measured(struct row *row, struct plan_sample *sample,
                          const freshet_options *o)
{
    struct extrapolation *x = &row->sample;
    struct fault why;

    if (row->settles)
        row->by_gaps = passes_by_gaps(o, &sample->gaps);
    status_line_show("measuring %s", row->algorithm->name);
    if (!plan_sample_rates(sample, o, x, &why)) {
        row->why_not = why;
        return;
    }
    row->measured = true;
    row->drop =
        audit_rate_of(error_count_drops(&x->tally), error_count_new(&x->tally));
    row->pass = audit_rate_of(error_count_passes(&x->tally), x->tally.repeats);
    row->rates.false_pass = row->pass.rate;
    if (row->drop.wrong) /* otherwise the prediction is better */
        row->rates.false_drop = row->drop.rate;
}

static void fill(struct row *row, const freshet_options *options,
                 const freshet_workload *load, struct plan_sample *sample)
{
    struct search goal = {*options, load, sample, row->wanted};
    freshet_planned planned = {.size = sizeof planned};
    freshet_error err;

    goal.options.algorithm = row->algorithm->name;
    row->rates = (freshet_rates){.size = sizeof row->rates};
    row->needs = (double)NAN;
    if (freshet_plan(&planned, &goal.options, &err) < 0 ||
        freshet_expect_options(&row->rates, &goal.options, load, &err) < 0) {
        fault_set(&row->why_not, "%s", err.message);
        return;
    }
    row->bytes = planned.bytes;
    for (int i = 0; i < FOUND; i++)
        row->found[i] = found_until(&goal.options, found_shares[i]);
    row->settles = stability_of_options(&row->stability, &goal.options);
    row->worst = load->distinct ? worst_passes(&goal.options) : (double)NAN;
    if (sample)
        fill_measured(row, sample, &goal.options);
    /* the search takes too long */
    if (row->why_not.text[0] || (sample && !row->chosen))
        return;
    goal.options.memory = planned.bytes;
    goal.options.params = NULL; /* parameters depend on the memory */
    row->needs = needs(&goal);
}

/* ---- Printing --------------------------------------------------------- */

static void print_cell(double value)
{
    if (isnan(value))
        printf(" %12s", "?");
    else
        printf(" %12.2g", value);
}

static void print_found(double gap)
{
    if (isnan(gap))
        printf(" %9s", "?");
    else if (isinf(gap))
        printf(" %9s", "for ever");
    else
        printf(" %9.3g", gap);
}

/* If no error was counted, the rate may still not be zero. */
static void print_counted(const struct audit_rate *rate)
{
    char text[24];

    snprintf(text, sizeof text, "<%.2g", rate->high);
    if (rate->n == 0 || rate->wrong)
        print_cell(rate->rate);
    else
        printf(" %12s", text);
}

static void print_row(const struct row *row)
{
    char size[SIZE_TEXT];

    printf("%-10s", row->algorithm->name);
    if (row->why_not.text[0]) {
        printf(" %s\n", row->why_not.text);
        return;
    }
    if (row->measured) {
        print_counted(&row->drop);
        print_counted(&row->pass);
    } else {
        print_cell(row->rates.false_drop);
        print_cell(row->rates.false_pass);
    }
    if (row->expect)
        print_cell(row->worst);
    for (int i = 0; i < FOUND; i++)
        print_found(row->found[i]);
    printf(" %8s", size_text(size, row->bytes));
    printf(" %8s  %s%s\n",
           isnan(row->needs) ? "-" : size_text(size, (uint64_t)row->needs),
           row->algorithm->title,
           row->measured && !row->sample.steady ? " (still filling)" : "");
}

static void json_row(const struct row *row)
{
    struct json j = {0};

    json_begin(&j, NULL, '{');
    json_text(&j, "algorithm", row->algorithm->name);
    if (row->why_not.text[0]) {
        json_text(&j, "cannot", row->why_not.text);
    } else {
        json_real(&j, "false_drop", row->rates.false_drop);
        json_real(&j, "false_pass", row->rates.false_pass);
        if (row->expect)
            json_real(&j, "false_pass_worst", row->worst);
        json_real(&j, "reach", row->rates.reach);
        json_real(&j, "found_99", row->found[0]);
        json_real(&j, "found_90", row->found[1]);
        json_real(&j, "found_50", row->found[2]);
        json_count(&j, "bytes", row->bytes);
        json_real(&j, "needs", row->needs);
        if (row->settles)
            stability_json(&row->stability, &j);
    }
    if (row->measured) {
        json_real(&j, "false_drop_high", row->drop.high);
        json_real(&j, "false_pass_high", row->pass.high);
        json_count(&j, "measured_new", row->drop.n);
        json_count(&j, "measured_repeats", row->pass.n);
        if (row->settles)
            json_real(&j, "false_pass_by_gaps", row->by_gaps);
        json_count(&j, "scale", row->sample.scale);
        json_bool(&j, "steady", row->sample.steady);
    }
    json_end(&j, '}');
    putchar('\n');
}

static void print_stream(const struct plan_args *args,
                         const freshet_workload *load,
                         const struct plan_sample *sample)
{
    const struct input_keys *r = &sample->recording;

    if (args->sample)
        printf("Rates below are measured on %s, %.3g records with %.3g "
               "repeats, and\nextrapolated to more of the same %s, in filters "
               "of 1/%" PRIu64 " of the\nsize. A rate after < had no error "
               "counted. Repeats of records before the sample\nare not "
               "included.\n",
               args->sample, (double)r->records, (double)r->repeats,
               load->distinct ? "up to all keys expected" : "without end",
               sample->classes.n);
    else if (load->distinct)
        printf("Rates below are for a long stream of %.3g distinct keys, all "
               "equally likely;\nat worst: if all keys come before one "
               "is repeated.\n",
               (double)load->distinct);
    else
        printf("Rates below are for an endless stream with repeats %.3g "
               "new keys later.\n",
               (double)load->gap);
    puts("99 %, 90 %, 50 %: that share of keys is found this many new keys "
         "back.\n");
}

static void print_titles(bool expect)
{
    printf("%-10s %12s %12s", "", "false drops", "false passes");
    if (expect)
        printf(" %12s", "at worst");
    printf(" %9s %9s %9s %8s %8s\n", "99 %", "90 %", "50 %", "memory", "needs");
}

static void print_stability(const struct row *rows, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        if (rows[i].why_not.text[0] || !rows[i].settles)
            continue;
        puts(any ? ""
                 : "\nFilters with a stable state on an endless stream of new "
                   "keys:");
        any = true;
        stability_print(&rows[i].stability, rows[i].algorithm->name);
    }
}

/* ---- The command ------------------------------------------------------ */

/* Without options about the stream, repeats come as far back as the chosen
   filter remembers. */
static int workload(freshet_workload *load, const struct goal *goal,
                    const struct plan_args *args)
{
    freshet_rates rates = {.size = sizeof rates};
    freshet_error err;

    *load = (freshet_workload){.size = sizeof *load,
                               .distinct = args->gap ? 0 : args->goal.expect,
                               .gap = args->gap};
    if (load->distinct || load->gap)
        return CLI_GO;
    if (freshet_expect_options(&rates, &goal->options, load, &err) < 0)
        return cli_fail("%s", err.message);
    load->gap = rates.reach < 0x1p48 ? (uint64_t)rates.reach : 1;
    return CLI_GO;
}

static size_t make_rows(struct row rows[ROWS], const struct goal *goal,
                        const freshet_workload *load, int prefer,
                        struct plan_sample *sample)
{
    freshet_options o = goal->options;
    size_t n = 0;

    for (; n < ROWS && (rows[n].algorithm = freshet_algorithm_at(n)); n++) {
        rows[n].chosen =
            strcmp(rows[n].algorithm->name, goal->options.algorithm) == 0;
        o.params = rows[n].chosen ? goal->params : NULL;
        rows[n].prefer = prefer;
        rows[n].window = o.window;
        rows[n].expect = load->distinct != 0;
        rows[n].wanted = o.false_drop_rate > 0 ? o.false_drop_rate : 1e-6;
        fill(&rows[n], &o, load, sample);
    }
    status_line_clear();
    qsort(rows, n, sizeof *rows, compare);
    return n;
}

static int check_args(const struct plan_args *args, int argc, char **argv)
{
    if (argc)
        return cli_misuse(&cmd_plan,
                          "plan takes options only, not '%s'; --sample FILE "
                          "measures on a file",
                          argv[0]);
    if (args->sample && (args->gap || args->goal.within))
        return cli_misuse(&cmd_plan, "--sample measures how far apart repeats "
                                     "are; leave out --gap and --within");
    return CLI_GO;
}

static int plan(const struct plan_args *args, const struct goal *goal,
                const freshet_workload *load, struct plan_sample *sample)
{
    struct row rows[ROWS] = {0};
    size_t n = make_rows(rows, goal, load, args->goal.prefer,
                         args->sample ? sample : NULL);

    if (!args->json) {
        printf("freshet would use %s: %s.\n", goal->options.algorithm,
               goal->reason);
        print_stream(args, load, sample);
        print_titles(load->distinct != 0);
    }
    for (size_t i = 0; i < n; i++)
        if (args->json)
            json_row(&rows[i]);
        else
            print_row(&rows[i]);
    if (!args->json)
        print_stability(rows, n);
    return cli_finish();
}

/* Gives the gaps of repeats to algorithms that choose parameters by them. */
static void set_gaps(freshet_options *o, const struct plan_args *args,
                     struct gap_counts *gaps)
{
    if (args->gap) {
        gaps->gap[0] = (freshet_gap){.gap = args->gap, .share = 1};
        gaps->n = 1;
    }
    o->gaps = gaps->gap;
    o->gap_count = gaps->n;
}

static int plan_run(int argc, char **argv)
{
    struct plan_args args = {.goal.prefer = PREFER_NONE,
                             .key = KEY_ARGS(&cmd_plan, "-key"),
                             .record = RECORD_ARGS};
    struct plan_sample sample = {0};
    freshet_workload load;
    struct goal goal;
    struct fault why;
    int status = cli_parse(&cmd_plan, &args, &argc, &argv);

    if (status == CLI_GO)
        status = check_args(&args, argc, argv);
    if (status == CLI_GO)
        status = goal_from_args(&goal, &args.goal, &why)
                     ? CLI_GO
                     : cli_fail("%s", why.text);
    if (status == CLI_GO)
        status = workload(&load, &goal, &args);
    if (status == CLI_GO && args.sample) {
        status_line_guard();
        status =
            plan_sample_open(&sample, args.sample, &args.key, &args.record);
    }
    if (status == CLI_GO) {
        set_gaps(&goal.options, &args, &sample.gaps);
        status = plan(&args, &goal, &load, &sample);
    }
    plan_sample_close(&sample);
    return status;
}
