/*
 * cmd_plan.c - freshet plan: compares what algorithms achieve with given memory
 */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "freshet.h"
#include "goal.h"
#include "plan_print.h"
#include "plan_rows.h"
#include "plan_sample.h"
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
    struct plan_row rows[PLAN_ROWS] = {0};
    size_t n = plan_rows_make(rows, goal, load, args->goal.prefer,
                              args->sample ? sample : NULL);

    if (!args->json) {
        printf("freshet would use %s: %s.\n", goal->options.algorithm,
               goal->reason);
        print_stream(args, load, sample);
        plan_print_titles(load->distinct != 0);
    }
    for (size_t i = 0; i < n; i++)
        if (args->json)
            plan_print_json(&rows[i]);
        else
            plan_print_row(&rows[i]);
    if (!args->json)
        plan_print_stability(rows, n);
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
