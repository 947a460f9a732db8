/*
 * key_options.c - the options that say which part of a record is its key
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

/* The options that each choose a key by a text. */
struct way {
    const char *option; /* of a kind of key */
    size_t text;        /* where it stands in struct key_args */
    bool suffixed;      /* --csv-key where --csv is something else */
};

static const struct way ways[] = {
    {"key", offsetof(struct key_args, fields), false},
    {"csv", offsetof(struct key_args, csv), true},
    {"json", offsetof(struct key_args, json), true},
    {"regex", offsetof(struct key_args, regex), false},
    {"exclude", offsetof(struct key_args, exclude), false},
};

/* Returns the text that was given for a way, or NULL. */
static const char *text_of(const struct way *way, const struct key_args *args)
{
    const char *text;

    memcpy(&text, (const char *)args + way->text, sizeof text);
    return text;
}

/* Finds the way that is given; NULL if none is.  Returns CLI_GO, or the status
   if several are given. */
static int choose_way(const struct way **chosen, const struct key_args *args)
{
    int given = skips(args);

    *chosen = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (text_of(&ways[i], args)) {
            *chosen = &ways[i];
            given++;
        }
    if (args->fields && skips(args))
        return cli_misuse(args->command,
                          "-k chooses fields and -f, -s and -w skip "
                          "some; use one of both ways");
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
                          "-t separates the fields of -k or "
                          "columns of --csv%s, and none are "
                          "given",
                          args->suffix);
    if (key->type->csv_records && !csv_is_separator((char)args->separator))
        return cli_misuse(args->command, "-t: quotes and line ends cannot "
                                         "separate columns");
    return CLI_GO;
}

int key_take(struct key **key, const struct key_args *args)
{
    struct key_settings settings = {.crlf = args->crlf,
                                    .fold = args->ignore_case,
                                    .separator = args->separator,
                                    .skip_fields = args->skip_fields,
                                    .skip_bytes = args->skip_chars,
                                    .most_bytes = args->check_chars,
                                    .time = args->time};
    const struct way *way;
    struct fault why;
    int status = choose_way(&way, args);

    *key = NULL;
    if (status != CLI_GO)
        return status;
    *key = key_create(way ? way->option : NULL, way ? text_of(way, args) : NULL,
                      &settings, &why);
    if (!*key && !way)
        return cli_fail("%s", why.text);
    if (!*key)
        return cli_misuse(args->command, "--%s%s: %s", way->option,
                          way->suffixed ? args->suffix : "", why.text);
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

int record_take(char *delimiter, const struct record_args *args,
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
