/*
 * cmd_list.c - freshet list: the algorithms and their parameters
 */
#include <stdio.h>
#include <string.h>

#include "algorithm_text.h"
#include "command.h"
#include "freshet.h"
#include "json_writer.h"

struct list_args {
    bool json;
};

static const struct option_spec list_options[] = {
    {'j', "json", OPTION_SWITCH, offsetof(struct list_args, json), NULL,
     "print one JSON object per algorithm"},
    {0},
};

static int list_run(int argc, char **argv);

const struct cli_command cmd_list = {
    .name = "list",
    .operands = "[OPTION]... [ALGORITHM]",
    .summary = "List all algorithms, or the parameters of one",
    .examples = "  freshet list                 all algorithms\n"
                "  freshet list sbf             one, with its parameters\n"
                "  freshet list --json          the same, for programs\n",
    .options = list_options,
    .run = list_run,
};

/* ---- Text ------------------------------------------------------------- */

static void print_parameter(const freshet_parameter *p)
{
    char range[ALGORITHM_RANGE], fallback[ALGORITHM_VALUE];

    printf("  %-10s %-12s %s (%s)\n", p->name, algorithm_range(range, p),
           p->help, algorithm_value(fallback, p, p->fallback));
}

static void print_one(const freshet_algorithm *a)
{
    const freshet_parameter *p;

    printf("%s - %s\n%s\n", a->name, a->title, a->paper);
    if (a->can)
        puts("\nAbilities:");
    for (const struct ability *b = abilities; b->bit; b++)
        if (a->can & b->bit)
            printf("  %-10s %s\n", b->word, b->help);
    if (freshet_parameter_at(a, 0))
        puts("\nParameters, with their range and (default):");
    for (size_t i = 0; (p = freshet_parameter_at(a, i)); i++)
        print_parameter(p);
}

/* ---- JSON ------------------------------------------------------------- */

static void json_parameter(struct json *j, const freshet_parameter *p)
{
    char fallback[ALGORITHM_VALUE];

    json_begin(j, NULL, '{');
    json_text(j, "name", p->name);
    if (p->words) {
        json_text(j, "words", p->words);
        json_text(j, "default", algorithm_value(fallback, p, p->fallback));
    } else {
        json_real(j, "min", p->min);
        json_real(j, "max", p->max);
        json_bool(j, "whole", p->whole);
        json_real(j, "default", p->fallback);
    }
    json_text(j, "help", p->help);
    json_end(j, '}');
}

static void json_one(const freshet_algorithm *a)
{
    const freshet_parameter *p;
    struct json j = {0};

    json_begin(&j, NULL, '{');
    json_text(&j, "algorithm", a->name);
    json_text(&j, "title", a->title);
    json_text(&j, "paper", a->paper);
    json_begin(&j, "can", '[');
    for (const struct ability *b = abilities; b->bit; b++)
        if (a->can & b->bit)
            json_text(&j, NULL, b->word);
    json_end(&j, ']');
    json_begin(&j, "parameters", '[');
    for (size_t i = 0; (p = freshet_parameter_at(a, i)); i++)
        json_parameter(&j, p);
    json_end(&j, ']');
    json_end(&j, '}');
    putchar('\n');
}

/* ---- The command ------------------------------------------------------ */

static int list_run(int argc, char **argv)
{
    struct list_args args = {0};
    const freshet_algorithm *a;
    bool found = false;
    int status = cli_parse(&cmd_list, &args, &argc, &argv);

    if (status != CLI_GO)
        return status;
    if (argc > 1)
        return cli_misuse(&cmd_list, "give at most one ALGORITHM");
    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++) {
        if (argc && strcmp(argv[0], a->name) != 0)
            continue;
        found = true;
        if (args.json)
            json_one(a);
        else if (argc)
            print_one(a);
        else
            printf("%-10s %s\n", a->name, a->title);
    }
    if (!found && argc)
        return cli_fail("there is no algorithm named '%s'; "
                        "'freshet list' shows all",
                        argv[0]);
    return cli_finish();
}
