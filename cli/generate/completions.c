/*
 * completions.c - completions for three shells out of the option tables
 */
#include "generate.h"

#include <stdio.h>
#include <string.h>

#include "command.h"

static bool is_option(const struct option_spec *o)
{
    return o->kind != OPTION_HEADING && o->kind != OPTION_REFUSED;
}

/* The tables of a command: its own, then those of its subcommands; NULL after
   the last. */
static const struct option_spec *table_of(const struct cli_command *c, size_t i)
{
    if (i == 0)
        return c->options;
    return c->commands && c->commands[i - 1] ? c->commands[i - 1]->options
                                             : NULL;
}

/* Subcommands may share an option's name, and shells want it once. */
static bool stood_before(const struct cli_command *c,
                         const struct option_spec *option)
{
    const struct option_spec *o;

    for (size_t i = 0; (o = table_of(c, i)); i++)
        for (; o->name; o++)
            if (o == option)
                return false;
            else if (is_option(o) && strcmp(o->name, option->name) == 0)
                return true;
    return false;
}

static bool takes_file(const struct option_spec *o)
{
    return o->operand && strcmp(o->operand, "FILE") == 0;
}

/* The words of a choice, apart by blanks; nothing for other kinds. */
static void put_words(const struct option_spec *o)
{
    if (o->kind == OPTION_CHOICE)
        for (const char *c = o->operand; *c; c++)
            putchar(*c == '|' ? ' ' : *c);
}

/* Names apart by blanks. */
static void put_names(const struct cli_command *const *c)
{
    for (size_t i = 0; c[i]; i++)
        printf("%s%s", i ? " " : "", cli_own_name(c[i]));
}

/* Inside single quotes, with a backslash before each of special. */
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

/* ---- bash ------------------------------------------------------------- */

static void bash_options(const struct cli_command *c,
                         const struct option_spec *o)
{
    for (; o->name; o++)
        if (is_option(o) && !stood_before(c, o))
            printf(" --%s%s", o->name,
                   o->operand && o->kind != OPTION_MODE ? "=" : "");
}

static void bash_case(const struct cli_command *c)
{
    printf("    %s)\n        options='", c->name ? c->name : "*");
    for (size_t i = 0; table_of(c, i); i++)
        bash_options(c, table_of(c, i));
    bash_options(c, cli_common);
    puts("'");
    if (c->commands) {
        fputs("        commands='", stdout);
        put_names(c->commands);
        puts("'");
    }
    puts("        ;;");
}

static void bash_values(const struct option_spec *o)
{
    for (; o->name; o++)
        if (o->kind == OPTION_CHOICE) {
            printf("    --%s) words='", o->name);
            put_words(o);
            puts("' ;;");
        }
}

void generate_bash(void)
{
    puts("# bash completion for freshet, by freshet --generate bash\n"
         "# shellcheck shell=bash\n"
         "_freshet()\n{\n"
         "    local cur prev options words= commands=\n"
         "    _get_comp_words_by_ref -n = cur prev 2>/dev/null || {\n"
         "        cur=${COMP_WORDS[COMP_CWORD]}\n"
         "        prev=${COMP_WORDS[COMP_CWORD - 1]}\n    }\n"
         "    case $cur in\n"
         "    --*=*)\n"
         "        prev=${cur%%=*}\n"
         "        cur=${cur#*=}\n"
         "        ;;\n    esac\n"
         "    case $prev in");
    bash_values(cmd_filter.options);
    puts("    --algorithm) words=$(freshet list 2>/dev/null | "
         "cut -d ' ' -f 1) ;;\n"
         "    esac\n"
         "    if [ -n \"$words\" ]; then\n"
         "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
         "        return\n    fi\n"
         "    case ${COMP_WORDS[1]} in");
    for (size_t i = 0; cli_commands[i]; i++)
        bash_case(cli_commands[i]);
    bash_case(&cmd_filter);
    puts("    esac\n    words=\n"
         "    if [[ $cur == -* ]]; then\n"
         "        words=$options\n"
         "    elif [ \"$COMP_CWORD\" -eq 1 ]; then");
    printf("        words='");
    put_names(cli_commands);
    puts("'\n"
         "    elif [ \"$COMP_CWORD\" -eq 2 ]; then\n"
         "        words=$commands\n    fi\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
         "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
         "}\n"
         "complete -o bashdefault -o default -F _freshet freshet");
}

/* ---- zsh -------------------------------------------------------------- */

static void zsh_option(const struct option_spec *o, const char *help)
{
    const char *equals = !o->operand ? "" : o->kind == OPTION_MODE ? "=-" : "=";

    if (o->letter)
        printf("    {-%c%s,--%s%s}'[", o->letter, o->operand ? "+" : "",
               o->name, equals);
    else
        printf("    '--%s%s[", o->name, equals);
    put_quoted(help, "[]\\");
    putchar(']');
    if (o->kind == OPTION_MODE) {
        fputs("::how:(text json)", stdout);
    } else if (o->operand) {
        putchar(':');
        put_quoted(o->operand, ":[]\\");
        putchar(':');
        if (takes_file(o))
            fputs("_files", stdout);
        else if (o->kind == OPTION_CHOICE)
            putchar('(');
        put_words(o);
        if (o->kind == OPTION_CHOICE)
            putchar(')');
    }
    puts("' \\");
}

static void zsh_options(const struct cli_command *c,
                        const struct option_spec *o)
{
    const char *help = "";

    for (; o->name; o++) {
        if (o->help)
            help = o->help;
        if (is_option(o) && !stood_before(c, o))
            zsh_option(o, help);
    }
}

static void zsh_case(const struct cli_command *c)
{
    printf("(%s)\n    _arguments -s -S \\\n", c->name ? c->name : "*");
    for (size_t i = 0; table_of(c, i); i++)
        zsh_options(c, table_of(c, i));
    zsh_options(c, cli_common);
    if (c->commands) {
        fputs("    '2:command:(", stdout);
        put_names(c->commands);
        puts(")' \\");
    }
    puts("    '*:file:_files'\n    ;;");
}

void generate_zsh(void)
{
    puts("#compdef freshet\n"
         "# zsh completion for freshet, by freshet --generate zsh\n"
         "case ${words[2]} in");
    for (size_t i = 0; cli_commands[i]; i++)
        zsh_case(cli_commands[i]);
    zsh_case(&cmd_filter);
    puts("esac\n"
         "if (( CURRENT == 2 )); then\n"
         "    local -a commands\n    commands=(");
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("        '%s:", cli_commands[i]->name);
        put_quoted(cli_commands[i]->summary, ":");
        puts("'");
    }
    puts("    )\n    _describe command commands\nfi");
}

/* ---- fish ------------------------------------------------------------- */

static void fish_options(const struct cli_command *c,
                         const struct option_spec *o, const char *condition)
{
    const char *help = "";

    for (; o->name; o++) {
        if (o->help)
            help = o->help;
        if (!is_option(o) || stood_before(c, o))
            continue;
        printf("complete -c freshet -n '%s' -l %s", condition, o->name);
        if (o->letter)
            printf(" -s %c", o->letter);
        if (o->operand && o->kind != OPTION_MODE)
            fputs(takes_file(o) ? " -r" : " -x", stdout);
        if (o->kind == OPTION_CHOICE) {
            fputs(" -a '", stdout);
            put_words(o);
            putchar('\'');
        }
        fputs(" -d '", stdout);
        for (const char *h = help; *h; h++) { /* fish quotes by backslash */
            if (*h == '\'' || *h == '\\')
                putchar('\\');
            putchar(*h);
        }
        puts("'");
    }
}

void generate_fish(void)
{
    char condition[200] = "not __fish_seen_subcommand_from";

    puts("# fish completion for freshet, by freshet --generate fish");
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];
        size_t used = strlen(condition);
        char own[64];

        printf("complete -c freshet -n __fish_use_subcommand -a %s -d '%s'\n",
               c->name, strchr(c->summary, '\'') ? "" : c->summary);
        snprintf(own, sizeof own, "__fish_seen_subcommand_from %s", c->name);
        fish_options(c, c->options, own);
        for (size_t j = 0; c->commands && c->commands[j]; j++) {
            printf("complete -c freshet -n '%s' -a %s -d '%s'\n", own,
                   cli_own_name(c->commands[j]), c->commands[j]->summary);
            fish_options(c, c->commands[j]->options, own);
        }
        snprintf(condition + used, sizeof condition - used, " %s", c->name);
    }
    fish_options(&cmd_filter, cmd_filter.options, condition);
    fish_options(&cmd_filter, cli_common, "true");
}
