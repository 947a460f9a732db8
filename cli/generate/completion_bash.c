/*
 * completion_bash.c - completions for bash, without the package bash-completion
 */
#include <stdio.h>

#include "candidates.h"
#include "generate.h"

static const char opening[] =
    "# bash completion for freshet, by freshet --generate bash\n"
    "# shellcheck shell=bash\n"
    "_freshet()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - "
    "1]}\n"
    "    local command='' options='' operands='' words=- equals='' "
    "fallback=''\n"
    "\n"
    "    COMPREPLY=()\n"
    "    # Bash makes words of their own of \"=\" and \":\".\n"
    "    if [ \"$cur\" = = ]; then\n"
    "        cur='' equals=yes\n"
    "    elif [ \"$prev\" = = ]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]} equals=yes\n"
    "    elif [ \"$cur\" = : ] || [ \"$prev\" = : ]; then\n"
    "        return\n"
    "    fi\n";

static const char closing[] =
    "    esac\n"
    "    if [ \"$words\" = - ]; then\n"
    "        case $cur in\n"
    "        -*) words=$options ;;\n"
    "        *) words=$operands ;;\n"
    "        esac\n"
    "    fi\n"
    "    if [ \"$words\" != FILES ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
    "    fi\n"
    "    # No candidates, then files.\n"
    "    if [ \"$words\" = FILES ] || [ -n \"$fallback\" ]; then\n"
    "        compopt -o default\n"
    "    fi\n"
    "}\n"
    "complete -F _freshet freshet";

/* Finds the command among the words before the one that is completed. */
static void put_command(const char *level, const char *before,
                        const struct cli_command *const *commands)
{
    printf("    if [ \"$COMP_CWORD\" -gt %s ]; then\n"
           "        case \"$command${COMP_WORDS[%s]}\" in\n        ",
           level, level);
    for (size_t i = 0; commands[i]; i++)
        printf("%s'%s%s'", i ? " | " : "", before, cli_own_name(commands[i]));
    printf(")\n            command+=\"${COMP_WORDS[%s]} \" ;;\n"
           "        esac\n    fi\n",
           level);
}

static void put_pattern(const struct option_spec *o)
{
    fputs("        ", stdout);
    if (o->letter)
        printf("-%c | ", o->letter);
    printf("--%s) ", o->name);
}

static void put_value(const struct option_spec *o)
{
    struct candidates c;

    candidates_of_option(&c, o);
    put_pattern(o);
    if (o->kind == OPTION_MODE)
        fputs("[ -z \"$equals\" ] || ", stdout);
    printf("words='%s' ;;\n", c.kind == OFFER_FILES ? "FILES" : c.words);
}

static void put_options(const struct option_spec *o)
{
    for (; o->name; o++)
        if (candidates_is_option(o))
            printf(" --%s", o->name);
}

static void put_case(const struct cli_command *command)
{
    struct candidates c;

    candidates_of_operands(&c, command);
    printf("    '%s%s')\n        options='", command->name ? command->name : "",
           command->name ? " " : "");
    put_options(command->options);
    put_options(cli_common);
    printf("'\n        operands='%s'\n        case $prev in\n",
           c.kind == OFFER_FILES ? "FILES" : c.words);
    for (const struct option_spec *o = command->options; o->name; o++)
        if (o->operand)
            put_value(o);
    puts("        esac\n        ;;");
}

void generate_bash(void)
{
    fputs(opening, stdout);
    put_command("1", "", cli_commands);
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->commands) {
            char before[40];

            snprintf(before, sizeof before, "%s ", cli_commands[i]->name);
            put_command("2", before, cli_commands[i]->commands);
        }
    puts("    case $command in");
    candidates_each(put_case);
    puts("    esac\n    case $COMP_CWORD:$cur in\n    1:-*) ;;\n    1:*)\n"
         "        fallback=yes");
    fputs("        operands='", stdout);
    candidates_put_names(cli_commands);
    puts("'\n        ;;");
    puts(closing);
}
