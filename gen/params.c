/*
 * params.c - what can be said about a stream, and reading it
 */
#include "params.h"

#include <math.h>
#include <string.h>

#define FIELD(name)  offsetof(struct gen_args, params.name)
#define SWITCH(name) offsetof(struct gen_args, name)

const struct cli_option gen_options[] = {
    {0, "Every kind", CLI_HEADING, 0, NULL, NULL},
    {'n', "records", CLI_POSITIVE, FIELD(records), "N",
     "how many records (no end)"},
    {0, "seed", CLI_COUNT, FIELD(seed), "N", "other records (1)"},
    {0, "uniform", CLI_HEADING, 0, NULL, NULL},
    {0, "universe", CLI_COUNT, FIELD(universe), "N", "keys there are"},
    {0, "distinct", CLI_RATE, FIELD(distinct), "P",
     "as many keys as make P of the records new"},
    {0, "Output", CLI_HEADING, 0, NULL, NULL},
    {0, "binary", CLI_SWITCH, SWITCH(binary), NULL,
     "64-bit little-endian keys, not text"},
    {0, "truth", CLI_SWITCH, SWITCH(truth), NULL,
     "before each record: 0 if it is new, 1 if a repeat"},
    {0, "list", CLI_SWITCH, SWITCH(list), NULL,
     "list the kinds and what they take"},
    {0},
};

/* A value that no text gives: all ones, which for a double is a NaN. */
const struct gen_params gen_unset = {
    .records = UINT64_MAX,
    .seed = UINT64_MAX,
    .universe = UINT64_MAX,
    .distinct = (double)NAN,
};

static const struct gen_params defaults = {
    .records = 0,
    .seed = 1,
    .universe = UINT64_MAX,
    .distinct = (double)NAN,
};

static bool is_parameter(const struct cli_option *row)
{
    return row->kind != CLI_HEADING && row->kind != CLI_SWITCH;
}

/* Counts and reals are of 8 bytes, choices are not. */
static size_t size_of(const struct cli_option *row)
{
    return row->kind == CLI_CHOICE ? sizeof(int) : sizeof(uint64_t);
}

static void *field_of(struct gen_params *params, const struct cli_option *row)
{
    return (char *)params + (row->offset - offsetof(struct gen_args, params));
}

static const void *value_of(const struct gen_params *params,
                            const struct cli_option *row)
{
    return (const char *)params +
           (row->offset - offsetof(struct gen_args, params));
}

bool gen_is_set(const struct gen_params *params, const struct cli_option *row)
{
    return memcmp(value_of(params, row), value_of(&gen_unset, row),
                  size_of(row)) != 0;
}

static const struct cli_option *row_named(const char *name, size_t len)
{
    for (const struct cli_option *o = gen_options; o->name; o++)
        if (is_parameter(o) &&
            ((strlen(o->name) == len && memcmp(o->name, name, len) == 0) ||
             (len == 1 && o->letter == *name)))
            return o;
    return NULL;
}

/* Names and values are the user's: of any length, so cut in a complaint. */
static int cut(size_t len)
{
    return len < 40 ? (int)len : 40;
}

static int read_one(struct gen_params *params, const char *text, size_t len,
                    struct fault *why)
{
    size_t name = strcspn(text, "=,");
    const struct cli_option *row = row_named(text, name);
    char value[64];

    if (!row) {
        fault_set(why, "there is no parameter named '%.*s'", cut(name), text);
        return -1;
    }
    if (name >= len) {
        fault_set(why, "%s needs a value: %s=...", row->name, row->name);
        return -1;
    }
    text += name + 1;
    len -= name + 1;
    if (len < sizeof value) {
        memcpy(value, text, len);
        value[len] = '\0';
        if (cli_value(row, field_of(params, row), value))
            return 0;
    }
    fault_set(why, "%s wants %s, not '%.*s'", row->name, cli_wanted(row),
              cut(len), text);
    return -1;
}

int gen_params_read(struct gen_params *params, const char *text,
                    struct fault *why)
{
    while (*text) {
        size_t len = strcspn(text, ",");

        if (read_one(params, text, len, why) < 0)
            return -1;
        text += len + (text[len] == ',');
    }
    return 0;
}

/* Is a word among the words of a text, which are apart by blanks? */
static bool is_among(const char *words, const char *word)
{
    size_t len = strlen(word);

    while (*words) {
        size_t n = strcspn(words, " ");

        if (n == len && memcmp(words, word, n) == 0)
            return true;
        words += n + (words[n] == ' ');
    }
    return false;
}

int gen_params_settle(struct gen_params *params, const char *kind,
                      const char *takes, struct fault *why)
{
    for (const struct cli_option *o = gen_options; o->name; o++) {
        if (!is_parameter(o))
            continue;
        if (!gen_is_set(params, o)) {
            memcpy(field_of(params, o), value_of(&defaults, o), size_of(o));
        } else if (!is_among("records seed", o->name) &&
                   !is_among(takes, o->name)) {
            fault_set(why,
                      "%s has no parameter named %s; it takes records "
                      "seed %s",
                      kind, o->name, takes);
            return -1;
        }
    }
    return 0;
}
