/*
 * parse_options.c - sets options from argv, by the tables of the commands
 */
#include <stdio.h>
#include <string.h>

#include "freshet.h"
#include "option_lookup.h"

struct parse {
    const struct cli_command *command;
    char *args;
    int argc;    /* words left, including the current one */
    char **argv; /* the current word */
};

/* Every command has these two options. */
enum { HELP, VERSION };
const struct option_spec cli_common[] = {
    [HELP] = {'h', "help", OPTION_SWITCH, 0, NULL, "show this help and exit"},
    [VERSION] = {'V', "version", OPTION_SWITCH, 0, NULL,
                 "show the version and exit"},
    {0},
};

static int answer(const struct parse *p, const struct option_spec *o)
{
    if (o == &cli_common[HELP])
        cli_help(p->command);
    else
        printf("freshet %s\n", freshet_version());
    return cli_finish();
}

static int refuse(const struct parse *p, const struct option_spec *o,
                  const char *text)
{
    char meant[SUGGESTION_TEXT];
    struct suggestion s;

    suggestion_begin(&s, text, strlen(text));
    if (o->kind == OPTION_CHOICE)
        suggestion_offer_words(&s, o->operand);
    return cli_misuse(p->command, "--%s needs %s, not '%s'%s", o->name,
                      option_expected(o), text, suggestion_text(meant, &s, ""));
}

/* Sets option o to its value: text, or the next word if text is NULL. */
static int set_option(struct parse *p, const struct option_spec *o,
                      const char *text)
{
    if (!text) {
        if (p->argc < 2)
            return cli_misuse(p->command, "--%s needs a value: %s", o->name,
                              o->operand);
        p->argc--;
        text = *++p->argv;
    }
    if (!option_parse(o, p->args + o->offset, text))
        return refuse(p, o, text);
    return CLI_GO;
}

/* Sets an option without a value.  Returns CLI_GO, or the status to exit
   with. */
static int set_flag(const struct parse *p, const struct option_spec *o)
{
    void *field;

    if (o == &cli_common[HELP] || o == &cli_common[VERSION])
        return answer(p, o);
    if (o->kind == OPTION_REFUSED)
        return cli_misuse(p->command, "--%s: %s", o->name, o->help);
    field = p->args + o->offset;
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
    const struct option_spec *o;
    int status = option_by_name(&o, p->command, word, len);

    if (status != CLI_GO)
        return status;
    if (!stands_alone(o) || (text && o->kind == OPTION_MODE))
        return set_option(p, o, text);
    if (text && o->kind == OPTION_SWITCH)
        return cli_misuse(p->command, "--%s takes no value", o->name);
    return set_flag(p, o);
}

/* Parses "-jm64M": flags, then perhaps an option whose value is the rest or the
   next word. */
static int read_letters(struct parse *p)
{
    for (const char *c = *p->argv + 1; *c; c++) {
        const struct option_spec *o = option_by_letter(p->command, *c);
        int status;

        if (!o)
            return cli_misuse(p->command, "there is no option -%c", *c);
        if (!stands_alone(o))
            return set_option(p, o, c[1] ? c + 1 : NULL);
        status = set_flag(p, o);
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

        if (!*word)
            status = cli_misuse(command, "an argument is empty; leave it out, "
                                         "or give a name");
        else if (!options || word[0] != '-' || word[1] == '\0')
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
