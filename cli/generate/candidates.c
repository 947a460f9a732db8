/*
 * candidates.c - finds what a shell offers as the value of an option or an
 * operand
 *
 * The name of an operand decides: FILE, ALGORITHM, KIND, COMMAND.
 */
#include "candidates.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "freshet.h"
#include "gen.h"

bool candidates_is_option(const struct option_spec *o)
{
    return o->kind != OPTION_HEADING && o->kind != OPTION_REFUSED;
}

const char *candidates_help(const struct option_spec *table,
                            const struct option_spec *o)
{
    while (!o->help && o > table)
        o--;
    return o->help;
}

static void add_word(struct candidates *c, const char *word, size_t length)
{
    size_t used = strlen(c->words);

    c->kind = OFFER_WORDS;
    snprintf(c->words + used, sizeof c->words - used, "%s%.*s", used ? " " : "",
             (int)length, word);
}

/* Adds the words of "pass|drop|key" or "[=text|json]". */
static void add_choices(struct candidates *c, const char *operand)
{
    operand += strspn(operand, "[=");
    while (*operand && *operand != ']') {
        size_t n = strcspn(operand, "|]");

        add_word(c, operand, n);
        operand += n + (operand[n] == '|');
    }
}

static void add_algorithms(struct candidates *c)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        add_word(c, a->name, strlen(a->name));
}

static void add_kinds(struct candidates *c)
{
    for (size_t i = 0; gen_kind_name(i); i++)
        add_word(c, gen_kind_name(i), strlen(gen_kind_name(i)));
}

static void add_commands(struct candidates *c,
                         const struct cli_command *const *commands)
{
    for (; *commands; commands++)
        add_word(c, cli_own_name(*commands), strlen(cli_own_name(*commands)));
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static void by_name(struct candidates *c, const char *name,
                    const struct cli_command *const *commands)
{
    if (begins(name, "FILE"))
        c->kind = OFFER_FILES;
    else if (begins(name, "ALGORITHM"))
        add_algorithms(c);
    else if (begins(name, "KIND"))
        add_kinds(c);
    else if (begins(name, "COMMAND"))
        add_commands(c, commands);
}

/*
 * Returns whether the operand is a list of words such as "drops|fewest", also
 * if the command reads the value as text.  Such words are in small letters,
 * unlike "TIME|none".
 */
static bool is_choice(const struct option_spec *o)
{
    return islower((unsigned char)*o->operand) && strchr(o->operand, '|');
}

void candidates_of_option(struct candidates *c, const struct option_spec *o)
{
    *c = (struct candidates){.kind = OFFER_NOTHING};
    if (!o->operand)
        return;
    if (o->kind == OPTION_MODE || is_choice(o))
        add_choices(c, o->operand);
    if (begins(o->operand, "ALGORITHM"))
        add_word(c, "auto", 4);
    by_name(c, o->operand, cli_commands);
}

void candidates_of_operands(struct candidates *c,
                            const struct cli_command *command)
{
    *c = (struct candidates){.kind = OFFER_NOTHING};
    for (const char *word = command->operands; word; word = strchr(word, ' ')) {
        word += strspn(word, " [");
        by_name(c, word, command->commands ? command->commands : cli_commands);
    }
}

void candidates_each(void (*visit)(const struct cli_command *command))
{
    visit(&cmd_filter);
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *const *own = cli_commands[i]->commands;

        visit(cli_commands[i]);
        for (; own && *own; own++)
            visit(*own);
    }
}

void candidates_put_names(const struct cli_command *const *commands)
{
    struct candidates c = {.kind = OFFER_NOTHING};

    add_commands(&c, commands);
    fputs(c.words, stdout);
}
