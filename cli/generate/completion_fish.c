/*
 * completion_fish.c - completions for fish
 */
#include <stdio.h>

#include "candidates.h"
#include "generate.h"

/* Prints text inside single quotes, where fish has two escapes. */
static void put_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void put_words(const struct candidates *c)
{
    if (c->kind == OFFER_WORDS)
        printf(" -a '%s'", c->words);
}

static void put_start(const struct cli_command *command)
{
    printf("complete -c freshet -n '__freshet_in %s'",
           command->name ? command->name : "filter");
}

static void put_option(const struct cli_command *command,
                       const struct option_spec *o, const char *help)
{
    struct candidates c;

    candidates_of_option(&c, o);
    put_start(command);
    printf(" -l %s", o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (o->operand)
        fputs(o->kind == OPTION_MODE  ? " -f"
              : c.kind == OFFER_FILES ? " -r -F"
                                      : " -x",
              stdout);
    put_words(&c);
    fputs(" -d ", stdout);
    put_quoted(help);
    putchar('\n');
}

static void put_options(const struct cli_command *command,
                        const struct option_spec *table)
{
    for (const struct option_spec *o = table; o->name; o++)
        if (candidates_is_option(o))
            put_option(command, o, candidates_help(table, o));
}

static void put_subcommands(const struct cli_command *command,
                            const struct cli_command *const *own)
{
    for (; *own; own++) {
        put_start(command);
        printf(" -f -a %s -d ", cli_own_name(*own));
        put_quoted((*own)->summary);
        putchar('\n');
    }
}

static void put_command(const struct cli_command *command)
{
    struct candidates c;

    candidates_of_operands(&c, command);
    put_options(command, command->options);
    put_options(command, cli_common);
    if (command->commands) {
        put_subcommands(command, command->commands);
    } else if (c.kind != OFFER_FILES) {
        put_start(command);
        fputs(" -f", stdout);
        put_words(&c);
        putchar('\n');
    }
}

/* Prints the function that finds the command among the words before the
   cursor. */
static void put_function(void)
{
    puts("function __freshet_in\n"
         "    set -l words (commandline -opc)\n"
         "    set -l command filter");
    fputs("    if contains -- \"$words[2]\" ", stdout);
    candidates_put_names(cli_commands);
    puts("\n        set command $words[2]\n    end");
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->commands) {
            printf("    if test \"$command\" = %s; and contains -- "
                   "\"$words[3]\" ",
                   cli_commands[i]->name);
            candidates_put_names(cli_commands[i]->commands);
            puts("\n        set command \"$command $words[3]\"\n    end");
        }
    puts("    test \"$command\" = \"$argv\"\nend\n"
         "function __freshet_first\n"
         "    test (count (commandline -opc)) -eq 1\nend");
}

void generate_fish(void)
{
    puts("# fish completion for freshet, by freshet --generate fish");
    put_function();
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("complete -c freshet -n __freshet_first -a %s -d ",
               cli_commands[i]->name);
        put_quoted(cli_commands[i]->summary);
        putchar('\n');
    }
    candidates_each(put_command);
}
