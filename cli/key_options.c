/*
 * key_options.c - the options that say which part of a record is its key
 */
#include "key_options.h"

#include "command.h"
#include "csv_text.h"
#include "event_time.h"

static bool skips(const struct key_args *args)
{
    return args->skip_fields || args->skip_chars ||
           args->check_chars != UINT64_MAX;
}

/* One of the options that each choose a key by a text. */
struct way {
    const char *option; /* of a kind of key */
    const char *text;   /* NULL: not given */
    bool suffixed;      /* --csv-key where --csv is something else */
};
enum { WAYS = 5 };

static void list_ways(struct way way[WAYS], const struct key_args *args)
{
    way[0] = (struct way){"key", args->fields, false};
    way[1] = (struct way){"csv", args->csv, true};
    way[2] = (struct way){"json", args->json, true};
    way[3] = (struct way){"regex", args->regex, false};
    way[4] = (struct way){"exclude", args->exclude, false};
}

/* Finds the one that is given, if any.  CLI_GO, or the status if there are
   several. */
static int choose_way(struct way *chosen, const struct key_args *args)
{
    struct way way[WAYS];
    int given = skips(args);

    *chosen = (struct way){NULL, NULL, false};
    list_ways(way, args);
    for (size_t i = 0; i < WAYS; i++)
        if (way[i].text) {
            *chosen = way[i];
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
    struct way way;
    struct fault why;
    int status = choose_way(&way, args);

    *key = NULL;
    if (status != CLI_GO)
        return status;
    *key = key_create(way.option, way.text, &settings, &why);
    if (!*key && !way.option)
        return cli_fail("%s", why.text);
    if (!*key)
        return cli_misuse(args->command, "--%s%s: %s", way.option,
                          way.suffixed ? args->suffix : "", why.text);
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
