/*
 * parse_options.c - options from argv, as the tables of commands have them
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "freshet.h"

struct parse {
    const struct cli_command *command;
    char *args;
    int argc;    /* words left, the one being read included */
    char **argv; /* that word */
};

/* The program answers these two for every command. */
enum { HELP, VERSION };
const struct option_spec cli_common[] = {
    [HELP] = {0, "help", OPTION_SWITCH, 0, NULL, "show this and exit"},
    [VERSION] = {0, "version", OPTION_SWITCH, 0, NULL,
                 "show the version, exit"},
    {0},
};

static const struct option_spec *by_name(const struct option_spec *o,
                                         const char *name, size_t len)
{
    for (; o->name; o++)
        if (o->kind != OPTION_HEADING && strlen(o->name) == len &&
            memcmp(o->name, name, len) == 0)
            return o;
    return NULL;
}

static const struct option_spec *by_letter(const struct option_spec *o,
                                           char letter)
{
    for (; o->name; o++)
        if (o->letter && o->letter == letter)
            return o;
    return NULL;
}

static int answer(const struct parse *p, const struct option_spec *o)
{
    if (o == &cli_common[HELP])
        cli_help(p->command);
    else
        printf("freshet %s\n", freshet_version());
    return cli_finish();
}

/* Give option o its value: text, or else the next word. */
static int take(struct parse *p, const struct option_spec *o, const char *text)
{
    if (!text) {
        if (p->argc < 2)
            return cli_misuse(p->command, "--%s needs a value: %s", o->name,
                              o->operand);
        p->argc--;
        text = *++p->argv;
    }
    if (!option_parse(o, p->args + o->offset, text))
        return cli_misuse(p->command, "--%s wants %s, not '%s'", o->name,
                          option_expected(o), text);
    return CLI_GO;
}

/* An option that can stand without a value; CLI_TROUBLE if it cannot. */
static int take_none(const struct parse *p, const struct option_spec *o)
{
    void *field = p->args + o->offset;

    if (o->kind == OPTION_REFUSED)
        return cli_misuse(p->command, "--%s: %s", o->name, o->help);
    if (o->kind == OPTION_MODE)
        *(int *)field = 1;
    else
        *(bool *)field = true;
    return CLI_GO;
}

static bool stands_alone(const struct option_spec *o)
{
    return o->kind == OPTION_SWITCH || o->kind == OPTION_MODE ||
           o->kind == OPTION_REFUSED;
}

static int read_long(struct parse *p)
{
    const char *word = *p->argv + 2;
    size_t len = strcspn(word, "=");
    const char *text = word[len] ? word + len + 1 : NULL;
    const struct option_spec *o = by_name(cli_common, word, len);

    if (o && !text)
        return answer(p, o);
    if (!o)
        o = by_name(p->command->options, word, len);
    if (!o)
        return cli_misuse(p->command, "there is no option --%.*s", (int)len,
                          word);
    if (!stands_alone(o) || (text && o->kind == OPTION_MODE))
        return take(p, o, text);
    if (text && o->kind == OPTION_SWITCH)
        return cli_misuse(p->command, "--%s takes no value", o->name);
    return take_none(p, o);
}

/* "-jm64M": switches, then perhaps one that takes the rest or the next. */
static int read_letters(struct parse *p)
{
    for (const char *c = *p->argv + 1; *c; c++) {
        const struct option_spec *o = by_letter(p->command->options, *c);
        int status;

        if (!o)
            return cli_misuse(p->command, "there is no option -%c", *c);
        if (!stands_alone(o))
            return take(p, o, c[1] ? c + 1 : NULL);
        status = take_none(p, o);
        if (status != CLI_GO)
            return status;
    }
    return CLI_GO;
}

int cli_parse(const struct cli_command *command, void *args, int *argc,
              char ***argv)
{
    struct parse p = {command, args, *argc, *argv};
    char **operand = *argv;
    bool options = true;
    int status = CLI_GO;

    for (; p.argc > 0 && status == CLI_GO; p.argc--, p.argv++) {
        const char *word = *p.argv;

        if (!options || word[0] != '-' || word[1] == '\0')
            *operand++ = *p.argv;
        else if (strcmp(word, "--") == 0)
            options = false;
        else if (word[1] == '-')
            status = read_long(&p);
        else
            status = read_letters(&p);
    }
    *argc = (int)(operand - *argv);
    return status;
}
