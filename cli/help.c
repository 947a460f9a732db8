/*
 * help.c - prints --help of every command, from its table
 */
#include <stdio.h>
#include <string.h>

#include "command.h"

enum { COLUMN = 28 }; /* column in which texts begin */

/* Prints a text beside what it describes, or below it if that is too wide. */
static void help_line(const char *left, const char *text)
{
    if (strlen(left) > COLUMN)
        printf("  %s\n  %-*s %s\n", left, COLUMN, "", text);
    else
        printf("  %-*s %s\n", COLUMN, left, text);
}

/* Prints "-m, -S, --memory SIZE": an option's letters, its name, its value. */
static void help_option(const struct option_spec *o)
{
    char left[64];
    size_t n = 0;

    for (const struct option_spec *a = o; a == o || (a->name && !a->help); a++)
        if (a->letter)
            n += (size_t)sprintf(left + n, "-%c, ", a->letter);
    if (!n)
        n = (size_t)sprintf(left, "    ");
    snprintf(left + n, sizeof left - n, "--%s%s%s", o->name,
             o->operand && o->kind != OPTION_MODE ? " " : "",
             o->operand ? o->operand : "");
    help_line(left, o->help);
}

static void help_options(const struct option_spec *o)
{
    for (; o->name; o++)
        if (o->kind == OPTION_HEADING)
            printf("%s:\n", o->name);
        else if (o->kind != OPTION_REFUSED && o->help)
            help_option(o);
}

static void help_commands(const struct cli_command *const *c)
{
    puts("\nCommands, each with its own --help:");
    for (; *c; c++)
        help_line((*c)->name, (*c)->summary);
}

void cli_help(const struct cli_command *command)
{
    static char buffer[1 << 14];

    /* One write, so that cli_finish() finds the errno of a failure. */
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("Usage: freshet %s%s%s\n%s.\n", command->name ? command->name : "",
           command->name ? " " : "", command->operands, command->summary);
    printf("\nExamples:\n%s", command->examples);
    if (!command->name)
        help_commands(cli_commands);
    else if (command->commands)
        help_commands(command->commands);
    puts(command->options->kind == OPTION_HEADING ? "" : "\nOptions:");
    help_options(command->options);
    help_options(cli_common);
}
