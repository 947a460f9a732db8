/*
 * completion_zsh.c - completions for zsh
 */
#include <stdio.h>
#include <string.h>

#include "candidates.h"
#include "generate.h"

/* Prints text inside single quotes, with a backslash before each special
   character. */
static void put_quoted(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
}

/* Prints the action of a spec: files, words, or only a message. */
static void put_action(const struct candidates *c)
{
    if (c->kind == OFFER_FILES)
        fputs("_files", stdout);
    else if (c->kind == OFFER_WORDS)
        printf("(%s)", c->words);
}

static void put_option(const struct option_spec *o, const char *help)
{
    const char *equals = !o->operand ? "" : o->kind == OPTION_MODE ? "=-" : "=";
    struct candidates c;

    candidates_of_option(&c, o);
    if (o->letter)
        printf("    {-%c%s,--%s%s}'[", o->letter, o->operand ? "+" : "",
               o->name, equals);
    else
        printf("    '--%s%s[", o->name, equals);
    put_quoted(help, "[]\\");
    putchar(']');
    if (o->operand) {
        fputs(o->kind == OPTION_MODE ? "::" : ":", stdout);
        put_quoted(o->operand, ":[]\\");
        putchar(':');
        put_action(&c);
    }
    puts("' \\");
}

static void put_options(const struct option_spec *table)
{
    for (const struct option_spec *o = table; o->name; o++)
        if (candidates_is_option(o))
            put_option(o, candidates_help(table, o));
}

static void put_case(const struct cli_command *command)
{
    struct candidates c;

    candidates_of_operands(&c, command);
    printf("('%s')\n    _arguments -s -S \\\n",
           command->name ? command->name : "");
    put_options(command->options);
    put_options(cli_common);
    if (!command->name)
        puts("    '1: :_freshet_first' \\");
    if (c.kind != OFFER_NOTHING) {
        fputs("    '*: :", stdout);
        put_action(&c);
        puts("' \\");
    }
    puts("    ;;");
}

/* Prints the step to a command that a word before the completed one names. */
static void put_shift(const char *condition,
                      const struct cli_command *const *commands)
{
    printf("if %s; then\n    case ${words[2]} in\n    (", condition);
    for (size_t i = 0; commands[i]; i++)
        printf("%s%s", i ? "|" : "", cli_own_name(commands[i]));
    puts(")\n        command+=${command:+ }${words[2]}\n"
         "        shift words\n        (( CURRENT-- ))\n        ;;\n"
         "    esac\nfi");
}

static void put_commands(void)
{
    puts("commands=(");
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("    '%s:", cli_commands[i]->name);
        put_quoted(cli_commands[i]->summary, ":");
        puts("'");
    }
    puts(")");
}

void generate_zsh(void)
{
    puts("#compdef freshet\n"
         "# zsh completion for freshet, by freshet --generate zsh\n"
         "local command=\n"
         "local -a commands");
    put_commands();
    puts("_freshet_first()\n{\n"
         "    _describe command commands\n    _files\n}");
    put_shift("(( CURRENT > 2 ))", cli_commands);
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->commands) {
            char condition[80];

            snprintf(condition, sizeof condition,
                     "[[ $command == %s ]] && (( CURRENT > 2 ))",
                     cli_commands[i]->name);
            put_shift(condition, cli_commands[i]->commands);
        }
    puts("case $command in");
    candidates_each(put_case);
    puts("esac");
}
