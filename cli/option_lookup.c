/*
 * option_lookup.c - finds an option by its letter, its name or a prefix of it
 */
#include "option_lookup.h"

#include <stdio.h>
#include <string.h>

struct name {
    const char *text;
    size_t length;
};

/* The options whose names begin with what was typed. */
struct matches {
    const struct option_spec *first;
    size_t n;
    char list[200]; /* ", --state, --stats" */
};

static const struct option_spec *letter_in(const struct option_spec *o,
                                           char letter)
{
    for (; o->name; o++)
        if (o->letter && o->letter == letter)
            return o;
    return NULL;
}

const struct option_spec *option_by_letter(const struct cli_command *command,
                                           char letter)
{
    const struct option_spec *o = letter_in(command->options, letter);

    return o ? o : letter_in(cli_common, letter);
}

static const struct option_spec *name_in(const struct option_spec *o,
                                         struct name name)
{
    for (; o->name; o++)
        if (o->kind != OPTION_HEADING && strlen(o->name) == name.length &&
            memcmp(o->name, name.text, name.length) == 0)
            return o;
    return NULL;
}

static void add_match(struct matches *m, const struct option_spec *o)
{
    size_t used = strlen(m->list);

    if (!m->n++)
        m->first = o;
    snprintf(m->list + used, sizeof m->list - used, "%s--%s", used ? ", " : "",
             o->name);
}

static void match_in(struct matches *m, const struct option_spec *o,
                     struct name name)
{
    for (; o->name; o++)
        if (o->kind != OPTION_HEADING &&
            strncmp(o->name, name.text, name.length) == 0)
            add_match(m, o);
}

static void suggest_from(struct suggestion *s, const struct option_spec *o)
{
    for (; o->name; o++)
        if (o->kind != OPTION_HEADING && o->kind != OPTION_REFUSED)
            suggestion_offer(s, o->name, strlen(o->name));
}

static int unknown(const struct cli_command *command, struct name name)
{
    struct suggestion s;
    char text[SUGGESTION_TEXT];

    suggestion_begin(&s, name.text, name.length);
    suggest_from(&s, command->options);
    suggest_from(&s, cli_common);
    return cli_misuse(command, "there is no option --%.*s%s", (int)name.length,
                      name.text, suggestion_text(text, &s, "--"));
}

int option_by_name(const struct option_spec **out,
                   const struct cli_command *command, const char *text,
                   size_t length)
{
    struct name name = {text, length};
    struct matches m = {0};

    *out = name_in(command->options, name);
    if (!*out)
        *out = name_in(cli_common, name);
    if (*out)
        return CLI_GO;
    match_in(&m, command->options, name);
    match_in(&m, cli_common, name);
    if (m.n == 0 || length == 0)
        return unknown(command, name);
    if (m.n > 1)
        return cli_misuse(command, "--%.*s is ambiguous: %s", (int)length, text,
                          m.list);
    *out = m.first;
    return CLI_GO;
}
