/*
 * command_args.c - options of commands, read and written by tables
 */
#include "command_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "reply.h"

/* ---- Reading ---------------------------------------------------------- */

/* Returns the text of a word, or NULL if it contains a zero byte. */
static const char *text_of(const rm_string *word)
{
    size_t len;
    const char *text = rm.StringPtrLen(word, &len);

    return strlen(text) == len ? text : NULL;
}

bool args_is(rm_string *word, const char *name)
{
    const char *text = text_of(word);

    return text && strcasecmp(text, name) == 0;
}

static const struct option_spec *option_named(const struct option_spec *table,
                                              rm_string *word)
{
    for (; table->name; table++)
        if (args_is(word, table->name))
            return table;
    return NULL;
}

static bool complain(rm_ctx *ctx, const struct option_spec *option,
                     const char *text)
{
    reply_error(ctx, "ERR %s %s takes %s, not '%.60s'", option->name,
                option->operand, option_expected(option), text ? text : "?");
    return false;
}

/* Appends "name=value".  Returns false if there is no room for it. */
static bool add_param(struct args_params *params, const char *name,
                      const char *value)
{
    size_t used = strlen(params->text), room = sizeof params->text - used;
    int n = snprintf(params->text + used, room, "%s%s=%s", used ? "," : "",
                     name, value);

    return n >= 0 && (size_t)n < room && !strpbrk(name, "=,") &&
           !strpbrk(value, "=,");
}

static bool read_param(rm_ctx *ctx, struct args_params *params,
                       rm_string **words)
{
    const char *name = text_of(words[0]), *value = text_of(words[1]);

    if (name && value && add_param(params, name, value))
        return true;
    reply_error(ctx, "ERR PARAM takes the name of a parameter and its value; "
                     "FR.LIST shows them");
    return false;
}

bool args_read(rm_ctx *ctx, const struct option_spec *table, void *args,
               rm_string **argv, int argc, int *at)
{
    const struct option_spec *o;

    for (; *at < argc && (o = option_named(table, argv[*at])); ++*at) {
        char *field = (char *)args + o->offset;
        int takes = o->kind == OPTION_SWITCH  ? 0
                    : o->kind == OPTION_TEXTS ? 2
                                              : 1;
        const char *text;

        if (argc - *at - 1 < takes) {
            reply_error(ctx, "ERR %s takes %s", o->name, o->operand);
            return false;
        }
        if (takes == 0)
            *(bool *)field = true;
        else if (takes == 2) {
            if (!read_param(ctx, (void *)field, argv + *at + 1))
                return false;
        } else {
            text = text_of(argv[*at + 1]);
            if (!text || !option_parse(o, field, text))
                return complain(ctx, o, text);
        }
        *at += takes;
    }
    return true;
}

/* ---- Writing ---------------------------------------------------------- */

struct word_list {
    rm_ctx *ctx;
    rm_string **word;
    size_t n;
};

static void put(struct word_list *w, const char *text, size_t len)
{
    if (w->n < ARGS_WORDS)
        w->word[w->n++] = rm.CreateString(w->ctx, text, len);
}

static void put_text(struct word_list *w, const char *name, const char *text)
{
    put(w, name, strlen(name));
    if (text)
        put(w, text, strlen(text));
}

static void put_params(struct word_list *w, const char *name, const char *text)
{
    while (*text) {
        size_t key = strcspn(text, "="), all = strcspn(text, ",");

        put_text(w, name, NULL);
        put(w, text, key);
        put(w, text + key + 1, all - key - 1);
        text += all + (text[all] == ',');
    }
}

static void put_option(struct word_list *w, const struct option_spec *o,
                       const void *field)
{
    char text[40];
    const char *string = NULL;

    if (o->kind == OPTION_SWITCH) {
        if (*(const bool *)field)
            put_text(w, o->name, NULL);
        return;
    }
    if (o->kind == OPTION_TEXTS) {
        put_params(w, o->name, ((const struct args_params *)field)->text);
        return;
    }
    if (o->kind == OPTION_TEXT) {
        string = *(const char *const *)field;
    } else if (o->kind == OPTION_RATE && *(const double *)field > 0) {
        snprintf(text, sizeof text, "%.17g", *(const double *)field);
        string = text;
    } else if (o->kind != OPTION_RATE && *(const uint64_t *)field) {
        snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)field);
        string = text;
    }
    if (string)
        put_text(w, o->name, string);
}

size_t args_write(rm_ctx *ctx, const struct option_spec *table,
                  const void *args, rm_string *words[ARGS_WORDS])
{
    struct word_list w = {.ctx = ctx, .word = words};

    for (; table->name; table++)
        put_option(&w, table, (const char *)args + table->offset);
    return w.n;
}
