/*
 * params.c - the parameters of a stream and their parser
 */
#include "params.h"

#include <math.h>
#include <string.h>

#define FIELD(name)  offsetof(struct gen_args, params.name)
#define SWITCH(name) offsetof(struct gen_args, name)

const struct option_spec gen_options[] = {
    {0, "Every kind", OPTION_HEADING, 0, NULL, NULL},
    {'n', "records", OPTION_POSITIVE, FIELD(records), "N",
     "stop after N records (no limit)"},
    {0, "seed", OPTION_POSITIVE, FIELD(seed), "N",
     "random seed; equal seeds give equal streams (1)"},
    {0, "Keys drawn at random (uniform, shuffled, zipf, drift)", OPTION_HEADING,
     0, NULL, NULL},
    {0, "universe", OPTION_POSITIVE, FIELD(universe), "N",
     "draw from N different keys"},
    {0, "distinct", OPTION_SHARE, FIELD(distinct), "P",
     "uniform, shuffled: share of records that are new"},
    {'s', "exponent", OPTION_REAL, FIELD(exponent), "S",
     "zipf, drift: key k has the weight 1/k^S (1)"},
    {0, "step", OPTION_POSITIVE, FIELD(step), "N",
     "drift: popularity moves on every N records (100)"},
    {0, "Frequent keys among new ones (poisson, bmodel)", OPTION_HEADING, 0,
     NULL, NULL},
    {0, "lambda", OPTION_SHARE, FIELD(lambda), "P",
     "poisson: share of frequent keys (50%)"},
    {'v', "volume", OPTION_SHARE, FIELD(volume), "P",
     "bmodel: share of frequent keys (10%)"},
    {'b', "bias", OPTION_REAL, FIELD(bias), "B",
     "bmodel: share in one half of an interval (0.7)"},
    {'l', "level", OPTION_POSITIVE, FIELD(level), "N",
     "bmodel: how often intervals are halved (6)"},
    {0, "order", OPTION_CHOICE, FIELD(order), "first|random",
     "bmodel: which half gets the larger share (first)"},
    {'u', "mean", OPTION_REAL, FIELD(mean), "U",
     "mean of the distribution of frequent keys (1000)"},
    {0, "Planted repeats (endless, attack, log, csv, jsonl)", OPTION_HEADING, 0,
     NULL, NULL},
    {'r', "repeats", OPTION_SHARE, FIELD(repeats), "P",
     "share of records that are repeats (50%)"},
    {'g', "gap", OPTION_POSITIVE, FIELD(gap), "N",
     "longest, or mean, distance of a repeat (1e5)"},
    {0, "shape", OPTION_CHOICE, FIELD(shape),
     "fixed|uniform|loguniform|exponential",
     "distribution of distances (uniform)"},
    {0, "least", OPTION_POSITIVE, FIELD(least), "N",
     "uniform, loguniform: shortest distance (1)"},
    {0, "Retry storms (burst)", OPTION_HEADING, 0, NULL, NULL},
    {0, "calm", OPTION_POSITIVE, FIELD(calm), "N",
     "mean number of new records between storms (1e5)"},
    {0, "clients", OPTION_POSITIVE, FIELD(clients), "N",
     "records that are sent again in a storm (1000)"},
    {0, "retries", OPTION_POSITIVE, FIELD(retries), "N",
     "how often each record is sent again (5)"},
    {0, "Crafted keys (attack)", OPTION_HEADING, 0, NULL, NULL},
    {0, "against", OPTION_POSITIVE, FIELD(against), "N",
     "the filter's seed, which the attacker knows"},
    {0, "bits", OPTION_POSITIVE, FIELD(bits), "N",
     "put all keys into 1/2^N of the filter (8)"},
    {0, "Output", OPTION_HEADING, 0, NULL, NULL},
    {0, "binary", OPTION_SWITCH, SWITCH(binary), NULL,
     "write keys as 64-bit little-endian numbers"},
    {0, "truth", OPTION_SWITCH, SWITCH(truth), NULL,
     "write 0 (new) or 1 (repeat) before each record"},
    {0, "list", OPTION_SWITCH, SWITCH(list), NULL,
     "list the kinds of streams and their parameters"},
    {0},
};

/* Values that no text gives.  An unset count is 0, which is never valid. */
#define UNSET_REAL ((double)NAN)
#define UNSET_WORD (-1)

const struct gen_params gen_unset = {
    .distinct = UNSET_REAL,
    .exponent = UNSET_REAL,
    .lambda = UNSET_REAL,
    .mean = UNSET_REAL,
    .bias = UNSET_REAL,
    .volume = UNSET_REAL,
    .order = UNSET_WORD,
    .repeats = UNSET_REAL,
    .shape = UNSET_WORD,
};

/* The defaults of the table; a parameter without a default stays unset. */
static const struct gen_params defaults = {
    .seed = 1,
    .step = 100,
    .distinct = UNSET_REAL,
    .exponent = 1,
    .lambda = 0.5,
    .mean = 1000,
    .bias = 0.7,
    .volume = 0.1,
    .level = 6,
    .order = GEN_FIRST,
    .repeats = 0.5,
    .shape = GEN_UNIFORM,
    .gap = 100000,
    .least = 1,
    .calm = 100000,
    .clients = 1000,
    .retries = 5,
    .bits = 8,
};

static bool is_parameter(const struct option_spec *row)
{
    return row->kind != OPTION_HEADING && row->kind != OPTION_SWITCH;
}

/* Counts and reals have 8 bytes, choices have sizeof(int). */
static size_t size_of(const struct option_spec *row)
{
    return row->kind == OPTION_CHOICE ? sizeof(int) : sizeof(uint64_t);
}

static void *field_of(struct gen_params *params, const struct option_spec *row)
{
    return (char *)params + (row->offset - offsetof(struct gen_args, params));
}

static const void *value_of(const struct gen_params *params,
                            const struct option_spec *row)
{
    return (const char *)params +
           (row->offset - offsetof(struct gen_args, params));
}

bool gen_is_set(const struct gen_params *params, const struct option_spec *row)
{
    return memcmp(value_of(params, row), value_of(&gen_unset, row),
                  size_of(row)) != 0;
}

static const struct option_spec *row_named(const char *name, size_t len)
{
    for (const struct option_spec *o = gen_options; o->name; o++)
        if (is_parameter(o) &&
            ((strlen(o->name) == len && memcmp(o->name, name, len) == 0) ||
             (len == 1 && o->letter == *name)))
            return o;
    return NULL;
}

int gen_quotable(const char *text, size_t len)
{
    int n = 0;

    while (n < 40 && (size_t)n < len && text[n] >= ' ' && text[n] <= '~')
        n++;
    return n;
}

static int read_one(struct gen_params *params, const char *text, size_t len,
                    struct fault *why)
{
    size_t name = strcspn(text, "=,");
    const struct option_spec *row = row_named(text, name);
    char value[64];

    if (!row) {
        fault_set(why, "there is no parameter named '%.*s'",
                  gen_quotable(text, name), text);
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
        if (option_parse(row, field_of(params, row), value))
            return 0;
    }
    fault_set(why, "%s needs %s, not '%.*s'", row->name, option_expected(row),
              gen_quotable(text, len), text);
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

/* Returns whether a word is in a list that is separated by blanks. */
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

int gen_params_complete(struct gen_params *params, const char *kind,
                        const char *takes, struct fault *why)
{
    for (const struct option_spec *o = gen_options; o->name; o++) {
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
