/*
 * key_options.c - the options that choose the key of a record
 */
#include "key_options.h"

#include <stddef.h>
#include <string.h>

#include "command.h"
#include "csv_text.h"
#include "event_time.h"

static bool skips(const struct key_args *args)
{
    return args->skip_fields || args->skip_chars ||
           args->check_chars != UINT64_MAX;
}

/* The options that choose a key by a text. */
struct key_option {
    const char *name; /* "json", a kind of key */
    size_t text;      /* offset in struct key_args */
    bool suffixed;    /* its name is --csv-key if --csv has another meaning */
};

static const struct key_option key_options[] = {
    {"key", offsetof(struct key_args, fields), false},
    {"csv", offsetof(struct key_args, csv), true},
    {"json", offsetof(struct key_args, json), true},
    {"regex", offsetof(struct key_args, regex), false},
    {"exclude", offsetof(struct key_args, exclude), false},
};

/* Returns the text that was given for an option, or NULL. */
static const char *text_of(const struct key_option *option,
                           const struct key_args *args)
{
    const char *text;

    memcpy(&text, (const char *)args + option->text, sizeof text);
    return text;
}

/* Finds the option that was given; NULL if none was.  Returns CLI_GO, or the
   status if several were given. */
static int choose_option(const struct key_option **chosen,
                         const struct key_args *args)
{
    int given = skips(args);

    *chosen = NULL;
    for (size_t i = 0; i < sizeof key_options / sizeof *key_options; i++)
        if (text_of(&key_options[i], args)) {
            *chosen = &key_options[i];
            given++;
        }
    if (args->fields && skips(args))
        return cli_misuse(args->command, "-k chooses fields, -f, -s and -w "
                                         "skip some; use one or the other");
    if (given > 1)
        return cli_misuse(args->command,
                          "give only one of -k, -f, --csv%s, --json%s, --regex "
                          "and --exclude",
                          args->suffix, args->suffix);
    return CLI_GO;
}

static int check_separator(const struct key *key, const struct key_args *args)
{
    bool time = args->time && event_time_is_fields(args->time);

    if (args->separator < 0)
        return CLI_GO;
    if (args->skip_fields)
        return cli_misuse(args->command, "-f skips fields between blanks; to "
                                         "compare fields that -t separates, "
                                         "use -k");
    if (!key->type->separated && !time)
        return cli_misuse(args->command,
                          "-t needs -k or --csv%s, whose fields or columns it "
                          "separates",
                          args->suffix);
    if (key->type->csv_records && !csv_is_separator((char)args->separator))
        return cli_misuse(args->command, "-t: quotes and line ends cannot "
                                         "separate columns");
    return CLI_GO;
}

int key_from_args(struct key **key, const struct key_args *args)
{
    struct key_settings settings = {.crlf = args->crlf,
                                    .fold = args->ignore_case,
                                    .separator = args->separator,
                                    .skip_fields = args->skip_fields,
                                    .skip_bytes = args->skip_chars,
                                    .most_bytes = args->check_chars,
                                    .time = args->time};
    const struct key_option *option;
    struct fault why;
    int status = choose_option(&option, args);

    *key = NULL;
    if (status != CLI_GO)
        return status;
    *key = key_create(option ? option->name : NULL,
                      option ? text_of(option, args) : NULL, &settings, &why);
    if (!*key && !option)
        return cli_fail("%s", why.text);
    if (!*key)
        return cli_misuse(args->command, "--%s%s: %s", option->name,
                          option->suffixed ? args->suffix : "", why.text);
    status = check_separator(*key, args);
    if (status != CLI_GO) {
        key_free(*key);
        *key = NULL;
    }
    return status;
}

uint64_t record_limit(const struct record_args *args, const struct key *key)
{
    if (args->max_record != UINT64_MAX)
        return args->max_record;
    return key->type->csv_records ? UINT64_C(16) << 20 : UINT64_C(1) << 30;
}

int record_from_args(char *delimiter, const struct record_args *args,
                     const struct key_args *key_args, const struct key *key)
{
    if (args->zero && args->delimiter >= 0)
        return cli_misuse(key_args->command,
                          "give only one of -z and --delimiter");
    if (key->type->csv_records && (args->zero || args->delimiter >= 0))
        return cli_misuse(key_args->command,
                          "CSV records end at line ends; leave out -z and "
                          "--delimiter");
    *delimiter = args->zero             ? '\0'
                 : args->delimiter >= 0 ? (char)args->delimiter
                                        : '\n';
    return CLI_GO;
}
