/*
 * command_docs.c - describes a command for COMMAND INFO and COMMAND DOCS
 */
#include "command_docs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "reserve.h"

#define VERSION "0.1.0" /* the first one that has the commands */

/*
 * The server copies the description, so only one command's arguments are kept
 * here at a time.  A list is a sequence of arguments and a zero.
 */
enum { LISTS = 24, LIST = 16, TEXT = 1024 };

struct parser {
    const char *at; /* what is left of the syntax */
    struct rm_argument lists[LISTS][LIST];
    size_t n;        /* lists in use */
    char text[TEXT]; /* names and tokens */
    size_t used;
    bool failed; /* the syntax is wrong, or too long */
};

/* ---- Words ------------------------------------------------------------ */

/* Returns a copy that lives as long as the parser. */
static char *keep(struct parser *p, const char *at, size_t len)
{
    char *copy = p->text + p->used;

    if (p->used + len + 1 > TEXT) {
        p->failed = true;
        return p->text;
    }
    memcpy(copy, at, len);
    copy[len] = '\0';
    p->used += len + 1;
    return copy;
}

static char *keep_lower(struct parser *p, const char *text)
{
    /* Callers have looked whether there is a token.
       NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
    char *copy = keep(p, text, strlen(text));

    for (char *c = copy; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

static void skip_spaces(struct parser *p)
{
    p->at += strspn(p->at, " ");
}

/* Returns the next word: letters, digits, - and _. */
static char *next_word(struct parser *p)
{
    size_t len = 0;

    while (isalnum((unsigned char)p->at[len]) || p->at[len] == '-' ||
           p->at[len] == '_')
        len++;
    p->failed |= len == 0;
    p->at += len;
    return keep(p, p->at - len, len);
}

static struct rm_argument *next_list(struct parser *p)
{
    if (p->n == LISTS) {
        p->failed = true;
        return p->lists[0];
    }
    return p->lists[p->n++];
}

/* ---- Arguments -------------------------------------------------------- */

static int type_of(const char *name)
{
    static const struct {
        const char *name;
        int type;
    } types[] = {
        {"key", RM_ARG_KEY},          {"source", RM_ARG_KEY},
        {"n", RM_ARG_INTEGER},        {"ms", RM_ARG_INTEGER},
        {"offset", RM_ARG_INTEGER},   {"total", RM_ARG_INTEGER},
        {"seq", RM_ARG_INTEGER},      {"capacity", RM_ARG_INTEGER},
        {"iterator", RM_ARG_INTEGER}, {"rate", RM_ARG_DOUBLE},
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0)
            return types[i].type;
    return RM_ARG_STRING;
}

static struct rm_argument parse_value(struct parser *p, const char *token)
{
    char *name = next_word(p);
    int type = type_of(name);

    return (struct rm_argument){.name = name,
                                .type = type,
                                .key_spec = type != RM_ARG_KEY         ? -1
                                            : strcmp(name, "key") == 0 ? 0
                                                                       : 1,
                                .token = token};
}

static struct rm_argument pure_token(struct parser *p, const char *token)
{
    return (struct rm_argument){.name = keep_lower(p, token),
                                .type = RM_ARG_TOKEN,
                                .key_spec = -1,
                                .token = token};
}

/* Parses the rest of A|B|C, after A. */
static struct rm_argument parse_choice(struct parser *p, const char *token)
{
    struct rm_argument *list = next_list(p);
    size_t n = 0;

    list[n++] = pure_token(p, token);
    while (*p->at == '|' && n + 1 < LIST) {
        p->at++;
        list[n++] = pure_token(p, next_word(p));
    }
    return (struct rm_argument){.name = list->name,
                                .type = RM_ARG_ONE_OF,
                                .key_spec = -1,
                                .inner = list};
}

static struct rm_argument parse_word(struct parser *p)
{
    const char *token;

    if (islower((unsigned char)*p->at))
        return parse_value(p, NULL);
    token = next_word(p);
    if (*p->at == '|')
        return parse_choice(p, token);
    if (*p->at == ' ' && islower((unsigned char)p->at[1])) {
        skip_spaces(p);
        return parse_value(p, token);
    }
    return pure_token(p, token);
}

static const struct rm_argument *parse_list(struct parser *p);

static struct rm_argument parse_optional(struct parser *p)
{
    const struct rm_argument *inner;
    struct rm_argument argument;

    p->at++;
    inner = parse_list(p);
    p->failed |= *p->at != ']' || !inner->name;
    p->at += *p->at == ']';
    argument = *inner;
    if (inner[1].name)
        argument =
            (struct rm_argument){.name =
                                     keep_lower(p, inner->token ? inner->token
                                                                : inner->name),
                                 .type = RM_ARG_BLOCK,
                                 .key_spec = -1,
                                 .inner = inner};
    argument.flags |= RM_ARG_OPTIONAL;
    return argument;
}

/* ---- Lists ------------------------------------------------------------ */

/* Returns whether an argument of the list has this token. */
static bool has_token(const struct rm_argument *list, const char *token)
{
    for (; list->name; list++)
        if (list->token && strcmp(list->token, token) == 0)
            return true;
    return false;
}

/* Appends the options of FR.RESERVE.  Returns the length of the list then. */
static size_t add_options(struct parser *p, struct rm_argument *list, size_t n)
{
    const char *rest = p->at;
    char text[64];

    for (const struct option_spec *o = reserve_options; o->name; o++) {
        const char *dots = o->kind == OPTION_TEXTS ? "..." : "";

        if (has_token(list, o->name) || n + 1 == LIST)
            continue;
        snprintf(text, sizeof text, "[%s%s%s]%s", o->name,
                 o->kind == OPTION_SWITCH ? "" : " ",
                 o->kind == OPTION_SWITCH ? "" : o->operand, dots);
        p->at = text;
        list[n] = parse_optional(p);
        list[n++].flags |= *dots ? RM_ARG_MULTIPLE : 0;
    }
    p->at = rest;
    return n;
}

static struct rm_argument parse_one(struct parser *p)
{
    struct rm_argument one = *p->at == '[' ? parse_optional(p) : parse_word(p);

    if (strncmp(p->at, "...", 3) == 0) {
        one.flags |= RM_ARG_MULTIPLE;
        p->at += 3;
    }
    return one;
}

/* Parses up to a closing bracket or the end.  Returns the list. */
static const struct rm_argument *parse_list(struct parser *p)
{
    static const char options[] = "options";
    struct rm_argument *list = next_list(p);
    size_t n = 0;

    for (skip_spaces(p); *p->at && *p->at != ']' && !p->failed;
         skip_spaces(p)) {
        if (strncmp(p->at, options, sizeof options - 1) == 0) {
            p->at += sizeof options - 1;
            n = add_options(p, list, n);
        } else if (n + 1 < LIST) {
            list[n++] = parse_one(p);
        } else {
            p->failed = true;
        }
    }
    return list;
}

/* ---- The description -------------------------------------------------- */

static struct rm_key_spec key_spec(const struct command *c, int first, int last)
{
    static const uint64_t flags[] = {
        [KEY_READ] = RM_KEY_RO | RM_KEY_ACCESS,
        [KEY_WRITE] = RM_KEY_RW | RM_KEY_UPDATE,
        [KEY_BOTH] = RM_KEY_RW | RM_KEY_ACCESS | RM_KEY_UPDATE,
        [KEY_AND_SOURCES] = RM_KEY_RW | RM_KEY_ACCESS | RM_KEY_UPDATE,
    };

    return (struct rm_key_spec){.flags = flags[c->key],
                                .begin = RM_KEY_BY_INDEX,
                                .index.position = first,
                                .find = RM_KEY_RANGE,
                                .range = {.last = last, .step = 1}};
}

int command_docs_set(rm_command *command, const struct command *c)
{
    static const struct rm_command_version version =
        {.version = 1,
         .history = sizeof(struct rm_history),
         .key_spec = sizeof(struct rm_key_spec),
         .argument = sizeof(struct rm_argument)};
    struct rm_key_spec keys[3] = {{0}};
    struct rm_history history[2] = {{0}};
    struct parser parser = {.at = c->syntax};
    struct rm_command_info info = {.version = &version,
                                   .summary = c->summary,
                                   .complexity = c->complexity,
                                   .since = VERSION,
                                   .arity = c->arity};

    info.arguments = parse_list(&parser);
    if (parser.failed || *parser.at)
        return RM_ERR;
    if (!info.arguments->name)
        info.arguments = NULL;
    if (c->key != KEY_NONE)
        keys[0] = key_spec(c, 1, 0);
    if (c->key == KEY_AND_SOURCES) {
        keys[1] = key_spec(c, 2, -1);
        keys[1].flags = RM_KEY_RO | RM_KEY_ACCESS;
    }
    if (c->key != KEY_NONE)
        info.key_specs = keys;
    if (c->changed) {
        history[0] = (struct rm_history){"0.2.0", c->changed};
        info.history = history;
    }
    return rm.SetCommandInfo(command, &info);
}
