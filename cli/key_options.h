/*
 * key_options.h - the options that choose the key of a record
 */
#ifndef KEY_OPTIONS_H
#define KEY_OPTIONS_H

#include "command.h"
#include "key.h"

struct key_args {
    const struct cli_command *command; /* the command that has these options */
    const char *suffix;                /* suffix of --csv and --json, such as
                                          "-key"; "" if none */
    uint64_t skip_fields, skip_chars;
    uint64_t check_chars; /* UINT64_MAX if not given */
    bool ignore_case, crlf;
    int separator;                                     /* -1 if not given */
    const char *fields, *csv, *json, *regex, *exclude; /* at most one */
    const char *time, *time_format; /* for event_time_create() */
    uint64_t max_skew;              /* nanoseconds; 0: not given */
};

/* How a file is split into records. */
struct record_args {
    bool zero;
    int delimiter;       /* -1 if not given */
    uint64_t max_record; /* UINT64_MAX if not given */
    int decompress;
};

/* The values before options are read. */
#define KEY_ARGS(of, ending)                                                   \
    {                                                                          \
        .command = (of), .suffix = (ending), .check_chars = UINT64_MAX,        \
        .separator = -1                                                        \
    }
#define RECORD_ARGS                                                            \
    {                                                                          \
        .delimiter = -1, .max_record = UINT64_MAX                              \
    }

/*
 * Rows of a table whose args have a struct key_args named key and a struct
 * record_args named record.  In a command where --csv and --json have another
 * meaning, these get a suffix.
 */
#define KEY_AT(type, field)                                                    \
    (offsetof(type, key) + offsetof(struct key_args, field))
#define RECORD_AT(type, field)                                                 \
    (offsetof(type, record) + offsetof(struct record_args, field))

#define KEY_OPTIONS(type, suffix)                                              \
    {'k',         "key",                                                       \
     OPTION_TEXT, KEY_AT(type, fields),                                        \
     "LIST",      "compare only these fields: 2 or 1,3-5,7-"},                 \
        {'t',         "field-separator",                                       \
         OPTION_BYTE, KEY_AT(type, separator),                                 \
         "BYTE",      "fields are separated by BYTE, not by blanks"},          \
        {'f',          "skip-fields",                                          \
         OPTION_COUNT, KEY_AT(type, skip_fields),                              \
         "N",          "ignore the first N fields, as uniq does"},             \
        {'s',          "skip-chars",                                           \
         OPTION_COUNT, KEY_AT(type, skip_chars),                               \
         "N",          "ignore the first N bytes, after those of -f"},         \
        {'w',          "check-chars",                                          \
         OPTION_COUNT, KEY_AT(type, check_chars),                              \
         "N",          "compare no more than N bytes of each record"},         \
        {'i',           "ignore-case",                                         \
         OPTION_SWITCH, KEY_AT(type, ignore_case),                             \
         NULL,          "treat A to Z like a to z"},                           \
        {0,                                                                    \
         "csv" suffix,                                                         \
         OPTION_TEXT,                                                          \
         KEY_AT(type, csv),                                                    \
         "COL[,COL]...",                                                       \
         "compare CSV columns, by name or number"},                            \
        {0,                                                                    \
         "json" suffix,                                                        \
         OPTION_TEXT,                                                          \
         KEY_AT(type, json),                                                   \
         "PATH[,PATH]...",                                                     \
         "compare JSON values, such as .user.id,.tags[0]"},                    \
        {0,           "regex",                                                 \
         OPTION_TEXT, KEY_AT(type, regex),                                     \
         "RE",        "compare the groups of RE, or all that it matches"},     \
    {                                                                          \
        0, "exclude", OPTION_TEXT, KEY_AT(type, exclude), "LIST",              \
            "compare all but these CSV columns or JSON .paths"                 \
    }

/* whose: "record" */
#define TIME_OPTIONS(type, whose)                                              \
    {0,           "time",                                                      \
     OPTION_TEXT, KEY_AT(type, time),                                          \
     "PLACE",     "field, column, .path or RE with a " whose "'s time"},       \
        {0,           "time-format",                                           \
         OPTION_TEXT, KEY_AT(type, time_format),                               \
         "FORMAT",    "how times are written: '%d.%m.%Y %H:%M:%S'"},           \
    {                                                                          \
        0, "max-skew", OPTION_LIMIT, KEY_AT(type, max_skew), "TIME|none",      \
            "accept times this far ahead of the clock (1h)"                    \
    }

#define RECORD_OPTIONS(type)                                                   \
    {'z',           "zero-terminated",                                         \
     OPTION_SWITCH, RECORD_AT(type, zero),                                     \
     NULL,          "records end with NUL instead of newline"},                \
        {'0', "null", OPTION_SWITCH, RECORD_AT(type, zero), NULL, NULL},       \
        {0,           "delimiter",                                             \
         OPTION_BYTE, RECORD_AT(type, delimiter),                              \
         "BYTE",      "records end with BYTE, such as ';' or '\\x1e'"},        \
        {0,                                                                    \
         "crlf",                                                               \
         OPTION_SWITCH,                                                        \
         KEY_AT(type, crlf),                                                   \
         NULL,                                                                 \
         "ignore a carriage return at the end of a record"},                   \
        {0,           "max-record",                                            \
         OPTION_SIZE, RECORD_AT(type, max_record),                             \
         "SIZE",      "stop at longer records (1G, or 16M for CSV)"},          \
    {                                                                          \
        0, "decompress", OPTION_CHOICE, RECORD_AT(type, decompress),           \
            "auto|none", "decompress gzip, zstd, lz4, xz and bzip2 (auto)"     \
    }

/* Compiles the key.  Returns CLI_GO, or the status to exit with, and then *key
   is NULL. */
int key_from_args(struct key **key, const struct key_args *args);

/*
 * Returns the longest record that is accepted: --max-record, or 16 MiB for CSV
 * records, so that a quote that is never closed ends soon, or 1 GiB.
 */
uint64_t record_limit(const struct record_args *args, const struct key *key);

/* Sets the delimiter of records with such keys.  Returns CLI_GO, or the status
   to exit with. */
int record_from_args(char *delimiter, const struct record_args *args,
                     const struct key_args *key_args, const struct key *key);

#endif
