/*
 * key_options.c - the options that say which part of a record is its key
 */
#include "key_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "csv_text.h"
#include "regex_find.h"

static bool skips(const struct key_args *args)
{
    return args->skip_fields || args->skip_chars ||
           args->check_chars != UINT64_MAX;
}

static int take_fields(struct key_spec *key, const struct key_args *args)
{
    const char *wrong = key_fields_read(key, args->fields);

    key->kind = KEY_FIELDS;
    return wrong ? cli_misuse(args->command, "--key wants %s, not '%s'", wrong,
                              args->fields)
                 : CLI_GO;
}

/* "--json: ...", or what the option is called where there is a suffix. */
static int refuse(const struct key_args *args, const char *name,
                  const char *why)
{
    bool is_other = strcmp(name, "csv") != 0 && strcmp(name, "json") != 0;

    return cli_misuse(args->command, "--%s%s: %s", name,
                      is_other ? "" : args->suffix, why);
}

static int take_json(struct key_spec *key, const struct key_args *args,
                     const char *list, enum key_kind kind)
{
    struct fault why;

    key->kind = kind;
    key->json = json_path_create(list, &why);
    return key->json
               ? CLI_GO
               : refuse(args, kind == KEY_JSON ? "json" : "exclude", why.text);
}

/* In one pass with the paths, unless it is among them. */
static void add_time(struct key_spec *key, const char *list, const char *time)
{
    char *both = malloc(strlen(list) + 1 + strlen(time) + 1);
    struct json_path *json = NULL;

    if (both) {
        sprintf(both, "%s,%s", list, time);
        json = json_path_create(both, NULL);
    }
    free(both);
    if (!json)
        return;
    json_path_free(key->json);
    key->json = json;
    key->json_time = true;
}

static int take_csv(struct key_spec *key, const struct key_args *args,
                    const char *list, enum key_kind kind)
{
    char separator = key->separator < 0 ? ',' : (char)key->separator;
    struct fault why;

    if (!csv_is_separator(separator))
        return cli_misuse(args->command, "-t: quotes and line ends cannot "
                                         "separate columns");
    key->kind = kind;
    key->csv = csv_create(list, separator, &why);
    return key->csv
               ? CLI_GO
               : refuse(args, kind == KEY_CSV ? "csv" : "exclude", why.text);
}

/* A path begins with a dot or a bracket; all else is a column. */
static bool is_path(const char *list)
{
    return *list == '.' || *list == '[';
}

static int take_exclude(struct key_spec *key, const struct key_args *args)
{
    const char *list = args->exclude;

    return is_path(list) ? take_json(key, args, list, KEY_JSON_WITHOUT)
                         : take_csv(key, args, list, KEY_CSV_WITHOUT);
}

static int take_regex(struct key_spec *key, const struct key_args *args)
{
    struct fault why;

    key->kind = KEY_REGEX;
    key->regex = regex_create(args->regex, key->fold, &why);
    return key->regex ? CLI_GO : refuse(args, "regex", why.text);
}

/* Each of these is a way to say what is compared, and there is one key. */
static int check_ways(const struct key_args *args)
{
    if (args->fields && skips(args))
        return cli_misuse(args->command,
                          "-k chooses fields, -f, -s and -w skip "
                          "them; use one way");
    if ((args->fields || skips(args)) + !!args->csv + !!args->json +
            !!args->regex + !!args->exclude >
        1)
        return cli_misuse(args->command,
                          "-k, -f, --csv%s, --json%s, --regex and --exclude "
                          "say what is compared; use one",
                          args->suffix, args->suffix);
    if (args->separator >= 0 && !args->fields && !args->csv &&
        (!args->exclude || is_path(args->exclude)))
        return cli_misuse(args->command, "-t needs -k, the fields to compare");
    return CLI_GO;
}

int key_take(struct key_spec *key, const struct key_args *args)
{
    int status = check_ways(args);

    *key = (struct key_spec){.kind = skips(args) ? KEY_SKIP : KEY_RECORD,
                             .crlf = args->crlf,
                             .fold = args->ignore_case,
                             .skip_fields = args->skip_fields,
                             .skip_bytes = args->skip_chars,
                             .most_bytes = args->check_chars,
                             .separator = args->separator};
    if (status != CLI_GO)
        return status;
    if (args->fields)
        return take_fields(key, args);
    if (args->csv)
        return take_csv(key, args, args->csv, KEY_CSV);
    if (args->json)
        status = take_json(key, args, args->json, KEY_JSON);
    if (args->json && args->time && status == CLI_GO)
        add_time(key, args->json, args->time);
    if (args->regex)
        return take_regex(key, args);
    if (args->exclude)
        return take_exclude(key, args);
    return status;
}

int record_take(char *delimiter, const struct record_args *args,
                const struct key_args *key_args, const struct key_spec *key)
{
    if (args->zero && args->delimiter >= 0)
        return cli_misuse(key_args->command,
                          "-z and --delimiter are two delimiters; choose one");
    if (key->csv && (args->zero || args->delimiter >= 0))
        return cli_misuse(key_args->command,
                          "CSV records end at line ends; leave out -z and "
                          "--delimiter");
    *delimiter = args->zero             ? '\0'
                 : args->delimiter >= 0 ? (char)args->delimiter
                                        : '\n';
    return CLI_GO;
}
