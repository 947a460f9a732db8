/*
 * generate.c - --generate: completions, and man pages from their templates
 */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static const struct table {
    const char *marker;
    void (*print)(void);
} tables[] = {
    {"@SYNOPSIS@\n", man_synopsis},           {"@OPTIONS@\n", man_options},
    {"@COMMANDS@\n", man_commands},           {"@FIGURES@\n", man_figures},
    {"@EXAMPLES@\n", man_examples},           {"@ABILITIES@\n", man_abilities},
    {"@ALGORITHMS@\n", man_algorithms},       {"@KAFKA OPTIONS@\n", man_kafka},
    {"@KAFKA FIGURES@\n", man_kafka_figures},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* Prints a line of a template, or the table that it names.  Returns false if
   there is no such table. */
static bool put_line(const char *line)
{
    for (size_t i = 0; i < TABLES; i++)
        if (strcmp(line, tables[i].marker) == 0) {
            tables[i].print();
            return true;
        }
    if (*line == '@')
        return false;
    fputs(line, stdout);
    return true;
}

static int generate_man(void)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    int status = CLI_GO;

    while (status == CLI_GO && (length = getline(&line, &size, stdin)) >= 0)
        if (!put_line(line))
            status = cli_fail("there is no table %.*s", (int)length - 1, line);
    free(line);
    return status;
}

int generate(int which)
{
    static void (*const shells[])(void) = {generate_bash, generate_zsh,
                                           generate_fish};
    int status = CLI_GO;

    if (which == 0)
        status = generate_man();
    else
        shells[which - 1]();
    return status == CLI_GO ? cli_finish() : status;
}
