/*
 * man_options.c - the tables of freshet(1): synopsis, options, commands,
 * figures and examples, in mdoc
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "generate.h"
#include "kafka_figures.h"
#include "stats.h"

void man_text(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
}

static void put_option(const struct option_spec *o)
{
    fputs(".It", stdout);
    for (const struct option_spec *a = o; a == o || (a->name && !a->help); a++)
        if (a->letter)
            printf(" Fl %c ,", a->letter);
    printf(" Fl Fl %s", o->name);
    if (o->kind == OPTION_MODE)
        printf(" Ns Op = Ns Cm text | json");
    else if (o->operand)
        printf(" Ar %s", o->operand);
    putchar('\n');
    man_text(o->help);
    putchar('\n');
}

static void put_options(const struct option_spec *o)
{
    bool open = false;

    for (; o->name; o++) {
        if (o->kind == OPTION_HEADING && open)
            puts(".El");
        if (o->kind == OPTION_HEADING)
            printf(".Ss %s\n", o->name);
        if (o->kind == OPTION_HEADING || !open)
            puts(".Bl -tag -width Ds");
        open = true;
        if (o->kind != OPTION_HEADING && o->kind != OPTION_REFUSED && o->help)
            put_option(o);
    }
    if (open)
        puts(".El");
}

static void put_command(const struct cli_command *c)
{
    printf(".Ss freshet %s %s\n%s.\n", c->name, c->operands, c->summary);
    if (c == &cmd_kafka) /* has a page of its own */
        puts("See\n.Xr freshet-kafka 1 .");
    else
        put_options(c->options);
    for (size_t i = 0; c->commands && c->commands[i]; i++)
        put_command(c->commands[i]);
}

static void put_figure(const struct stats_row *row)
{
    char metric[STATS_NAME];

    printf(".It %s (%s%s)\n", row->name, stats_metric(metric, row),
           row->kind == STATS_RATE ? "_wrong, _of, _rate, _low95, _high95"
                                   : "");
    man_text(row->help);
    putchar('\n');
}

void man_figures(void)
{
    for (const struct stats_row *row = stats_rows; row->name; row++)
        put_figure(row);
}

void man_kafka(void)
{
    put_options(cmd_kafka.options);
}

void man_kafka_figures(void)
{
    for (const struct kafka_row *row = kafka_rows; row->name; row++) {
        printf(".It %s (freshet_kafka_%s%s)\n", row->name, row->name,
               row->is_counter ? "_total" : "");
        man_text(row->help);
        putchar('\n');
    }
}

void man_options(void)
{
    put_options(cmd_filter.options);
}

void man_commands(void)
{
    for (size_t i = 0; cli_commands[i]; i++)
        put_command(cli_commands[i]);
}

void man_examples(void)
{
    man_text(cmd_filter.examples);
}

/* Prints "FILE", "[FILE]" or "[FILE]..." in mdoc. */
static void put_operand(const char *word, int length)
{
    const char *more = "";

    if (length > 3 && memcmp(word + length - 3, "...", 3) == 0) {
        more = " ...";
        length -= 3;
    }
    if (*word == '[')
        printf(".Op Ar %.*s%s\n", length - 2, word + 1, more);
    else
        printf(".Ar %.*s%s\n", length, word, more);
}

static void put_usage(const struct cli_command *c)
{
    puts(".Nm");
    if (c->name)
        printf(".Cm %s\n", c->name);
    for (const char *word = c->operands; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");

        put_operand(word, (int)length);
        word += length;
    }
}

void man_synopsis(void)
{
    put_usage(&cmd_filter);
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->commands)
            for (size_t j = 0; cli_commands[i]->commands[j]; j++)
                put_usage(cli_commands[i]->commands[j]);
        else
            put_usage(cli_commands[i]);
}
