/*
 * options.c - from options of any version to a filter's layout
 *
 * This is the only place where a user's options are read, completed with
 * defaults and checked.
 */
#include "options.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MEMORY (UINT64_C(1) << 48) /* sums of sizes cannot overflow */

/* Two lines of seven 64-bit fingerprints keep 14 / 2^64, and a header, which
   stores the rate in units of 2^-64, holds 2^-60 exactly. */
#define LEAST_RATE 0x1p-60

int fr_read_struct(void *to, size_t to_size, const void *from, size_t oldest,
                   const char *what, freshet_error *err)
{
    size_t size, shared;
    const char *bytes = from;

    if (!from)
        return fr_fail(err, FRESHET_ERR_ARGUMENT, "%s is NULL", what);
    memcpy(&size, from, sizeof size);
    if (size < oldest)
        return fr_fail(err, FRESHET_ERR_ARGUMENT,
                       "%s.size must be set to sizeof(freshet_%s)", what, what);
    shared = size < to_size ? size : to_size;
    for (size_t i = shared; i < size; i++)
        if (bytes[i] != 0)
            return fr_fail(err, FRESHET_ERR_ARGUMENT,
                           "%s uses a field that freshet %s does not know",
                           what, freshet_version());
    memset(to, 0, to_size);
    memcpy(to, from, shared);
    memcpy(to, &to_size, sizeof to_size); /* the copy may be read again */
    return FRESHET_OK;
}

void fr_write_struct(void *to, const void *from, size_t from_size)
{
    size_t size;

    memcpy(&size, to, sizeof size);
    if (size <= sizeof size)
        return;
    if (size > from_size)
        memset((char *)to + from_size, 0, size - from_size);
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size,
           (size < from_size ? size : from_size) - sizeof size);
}

int fr_check_out(const void *to, const char *what, freshet_error *err)
{
    size_t size;

    memcpy(&size, to, sizeof size);
    if (size > sizeof size)
        return FRESHET_OK;
    return fr_fail(err, FRESHET_ERR_ARGUMENT,
                   "%s.size must be set to sizeof(freshet_%s)", what, what);
}

int fr_check_gaps(const freshet_gap *gaps, uint64_t n, freshet_error *err)
{
    double sum = 0;

    if (n && !gaps)
        return fr_fail(err, FRESHET_ERR_ARGUMENT,
                       "gaps is NULL, and gap_count is not 0");
    for (uint64_t i = 0; i < n; i++) {
        if (!(gaps[i].share >= 0 && isfinite(gaps[i].share)))
            return fr_fail(err, FRESHET_ERR_RANGE,
                           "the share of a gap must be a number from 0 on, not "
                           "%g",
                           gaps[i].share);
        sum += gaps[i].share;
    }
    if (n && !(sum > 0))
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "the shares of the gaps must not all be 0");
    return FRESHET_OK;
}

int fr_read_options(freshet_options *to, const freshet_options *from,
                    freshet_error *err)
{
    return fr_read_struct(to, sizeof *to, from, offsetof(freshet_options, hash),
                          "options", err);
}

struct fr_hash_key fr_hash_key_of(const freshet_options *o)
{
    /* fr_read_options() has set what the caller has not.
       NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
    return (struct fr_hash_key){fr_hash_named(o->hash), o->seed, o->seed_high};
}

const struct fr_algo *fr_algo_named(const char *name)
{
    for (size_t i = 0; fr_algos[i]; i++)
        if (strcmp(fr_algos[i]->about.name, name) == 0)
            return fr_algos[i];
    return NULL;
}

/* Checks what is given, that is not zero, besides algorithm and params. */
static int check_options(const freshet_options *o, freshet_error *err)
{
    struct fr_hash_key key = fr_hash_key_of(o);
    int status;

    if (o->memory > MAX_MEMORY)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "memory must be at most 2^48 bytes");
    if (o->false_drop_rate != 0 &&
        !(o->false_drop_rate >= LEAST_RATE && o->false_drop_rate < 1))
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "the wanted false-drop rate must be at least %.2g, "
                       "which 64-bit fingerprints keep, and below 1, not %g",
                       LEAST_RATE, o->false_drop_rate);
    if (o->goal > FRESHET_GOAL_FEWEST)
        return fr_fail(err, FRESHET_ERR_RANGE, "there is no goal %u", o->goal);
    if (o->reserved)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "options.reserved must be zero, not %u", o->reserved);
    if (o->window && o->within)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "a window counts records or time, not both");
    if (o->expect > MAX_MEMORY || o->window > MAX_MEMORY)
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "expect and window must be at most 2^48 records");
    status = fr_check_gaps(o->gaps, o->gap_count, err);
    return status < 0 ? status : fr_hash_key_check(&key, o->hash, err);
}

static void set_defaults(freshet_options *o)
{
    if (o->memory == 0)
        o->memory = UINT64_C(256) << 20;
    if (o->false_drop_rate == 0)
        o->false_drop_rate = 1e-6;
    if (o->seed == 0)
        o->seed = 1; /* a layout does not depend on the seed */
}

/* Returns the index of a word in a list such as "a|b|c", or -1. */
static int word_index(const char *words, const char *word, size_t len)
{
    for (int i = 0; *words; i++) {
        size_t n = strcspn(words, "|");

        if (n == len && memcmp(words, word, len) == 0)
            return i;
        words += n + (words[n] == '|');
    }
    return -1;
}

/* Numbers are read and written in the C locale, whatever the locale of the
   process is. */
static locale_t enter_c_locale(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void leave_c_locale(locale_t before)
{
    freelocale(uselocale(before));
}

/* Returns the value of a decimal number, or NaN.  Unlike strtod() it refuses
   hexadecimal numbers, infinities and leading space. */
static double parse_number(const char *text, size_t len)
{
    char copy[32], *end;
    locale_t before;
    double value;

    if (len == 0 || len >= sizeof copy || strspn(text, "0123456789.+-eE") < len)
        return (double)NAN;
    memcpy(copy, text, len);
    copy[len] = '\0';
    before = enter_c_locale();
    value = strtod(copy, &end);
    leave_c_locale(before);
    return *end ? (double)NAN : value;
}

static int parse_value(double *value, const freshet_parameter *p,
                       const char *text, size_t len, freshet_error *err)
{
    if (p->words) {
        int i = word_index(p->words, text, len);

        if (i < 0)
            return fr_fail(err, FRESHET_ERR_RANGE,
                           "%s must be one of %s, not %.*s", p->name, p->words,
                           len > 40 ? 40 : (int)len, text);
        *value = i;
        return FRESHET_OK;
    }
    *value = parse_number(text, len);
    if (!(*value >= p->min && *value <= p->max) ||
        (p->whole && *value != floor(*value)))
        return fr_fail(err, FRESHET_ERR_RANGE,
                       "%s must be a %snumber within %g..%g, not %.*s", p->name,
                       p->whole ? "whole " : "", p->min, p->max,
                       len > 40 ? 40 : (int)len, text);
    return FRESHET_OK;
}

/* Returns the index of the parameter with that name, or of the end. */
static size_t param_index(const freshet_parameter *p, const char *name,
                          size_t len)
{
    size_t i = 0;

    while (p[i].name &&
           (strlen(p[i].name) != len || memcmp(p[i].name, name, len) != 0))
        i++;
    return i;
}

/* Parses "name=value,name=value", with names from the algorithm's table. */
static int parse_params(double *value, const struct fr_algo *algo,
                        const char *text, freshet_error *err)
{
    const freshet_parameter *p = algo->params;

    for (size_t i = 0; p[i].name; i++)
        value[i] = p[i].fallback;
    while (text && *text) {
        size_t len = strcspn(text, ","), name = strcspn(text, "=,");
        size_t i = param_index(p, text, name);
        int status;

        if (!p[i].name)
            return fr_fail(err, FRESHET_ERR_PARAMETER,
                           "%s has no parameter named %.*s", algo->about.name,
                           name > 40 ? 40 : (int)name, text);
        if (name == len)
            return fr_fail(err, FRESHET_ERR_RANGE, "%s needs a value: %s=...",
                           p[i].name, p[i].name);
        status =
            parse_value(&value[i], &p[i], text + name + 1, len - name - 1, err);
        if (status < 0)
            return status;
        text += len + (text[len] == ',');
    }
    return FRESHET_OK;
}

/* Returns the smallest number of digits, at least 6, from which the same value
   is read back. */
static int digits_of(double value)
{
    char text[32];
    int digits = 6;

    do
        snprintf(text, sizeof text, "%.*g", digits, value);
    while (strtod(text, NULL) != value && ++digits < 17);
    return digits;
}

void fr_params_format(char *out, size_t size, const freshet_parameter *params,
                      const double *value)
{
    locale_t before = enter_c_locale();
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; params[i].name && used < size; i++) {
        const char *comma = i ? "," : "", *word = params[i].words;
        int n;

        for (int w = 0; word && w < (int)value[i]; w++)
            word += strcspn(word, "|") + 1;
        if (word)
            n = snprintf(out + used, size - used, "%s%s=%.*s", comma,
                         params[i].name, (int)strcspn(word, "|"), word);
        else if (params[i].whole)
            n = snprintf(out + used, size - used, "%s%s=%.0f", comma,
                         params[i].name, value[i]);
        else
            n = snprintf(out + used, size - used, "%s%s=%.*g", comma,
                         params[i].name, digits_of(value[i]), value[i]);
        used += (size_t)n;
    }
    leave_c_locale(before);
}

static int check_abilities(const struct fr_algo *algo, const freshet_options *o,
                           freshet_error *err)
{
    if (o->window && !(algo->about.can & FRESHET_CAN_WINDOW))
        return fr_fail(err, FRESHET_ERR_UNSUPPORTED,
                       "%s has no window of records; use pocket",
                       algo->about.name);
    if (o->within && !(algo->about.can & FRESHET_CAN_WITHIN))
        return fr_fail(err, FRESHET_ERR_UNSUPPORTED,
                       "%s has no window of time; use pocket",
                       algo->about.name);
    return FRESHET_OK;
}

/* Returns the memory that a filter can use: 1 KiB for each record of a window
   is more than enough, and a small table is cleared quickly. */
static uint64_t usable(const freshet_options *o)
{
    uint64_t enough = (UINT64_C(1) << 16) + o->window * 1024;

    return o->window && enough < o->memory ? enough : o->memory;
}

/* Writes what each of the given parameters is, as far as there is room. */
static void explain_params(char *out, size_t size, const struct fr_algo *algo,
                           const char *params)
{
    size_t used = 0;

    out[0] = '\0';
    while (params && *params && used < size) {
        size_t len = strcspn(params, ",");
        size_t i = param_index(algo->params, params, strcspn(params, "=,"));

        used += (size_t)snprintf(out + used, size - used, "; %s is %s",
                                 algo->params[i].name, algo->params[i].help);
        params += len + (params[len] == ',');
    }
}

/* Reports values that are each within their range but together make no
   filter. */
static int refuse_params(const struct fr_algo *algo, const freshet_options *o,
                         freshet_error *err)
{
    char explained[sizeof err->message];

    explain_params(explained, sizeof explained, algo, o->params);
    return fr_fail(err, FRESHET_ERR_RANGE,
                   "%s cannot work with %.60s%sa false-drop rate of %g in this "
                   "memory%s",
                   algo->about.name, o->params ? o->params : "",
                   o->params && *o->params ? " at " : "", o->false_drop_rate,
                   explained);
}

/* Runs the algorithm's plan and checks the result. */
static int lay_out(struct fr_layout *l, const freshet_options *o,
                   freshet_error *err)
{
    const char *name = l->algo->about.name;
    size_t least = sizeof(struct fr_header) + l->algo->base + 64;
    size_t bytes;

    if (o->memory < least)
        return fr_fail(err, FRESHET_ERR_BUDGET,
                       "%s needs at least %zu bytes, not %llu", name, least,
                       (unsigned long long)o->memory);
    l->goal.bytes = usable(o) - sizeof(struct fr_header);
    l->goal.false_drop = o->false_drop_rate;
    l->goal.expect = o->expect;
    l->goal.window = o->window;
    l->goal.within = o->within;
    l->goal.seed = o->seed;
    l->goal.gaps = o->gaps;
    l->goal.gap_count = o->gap_count;
    l->goal.param = l->param;
    memset(l->state, 0, sizeof l->state);
    bytes = l->algo->plan(l->state, &l->goal);
    if (bytes > l->goal.bytes)
        return fr_fail(err, FRESHET_ERR_BUDGET,
                       "%s needs at least %zu bytes for this, not %llu", name,
                       bytes + sizeof(struct fr_header),
                       (unsigned long long)o->memory);
    if (!l->algo->check(l->state, bytes))
        return refuse_params(l->algo, o, err);
    l->bytes = bytes + sizeof(struct fr_header);
    return FRESHET_OK;
}

int fr_layout_make(struct fr_layout *l, const freshet_options *options,
                   freshet_error *err)
{
    freshet_options o;
    char params[FR_PLANNED_PARAMS];
    int status = fr_read_options(&o, options, err);

    if (status < 0)
        return status;
    status = check_options(&o, err);
    if (status < 0)
        return status;
    set_defaults(&o);
    snprintf(l->reason, sizeof l->reason, "as asked for");
    if (!o.algorithm || strcmp(o.algorithm, "auto") == 0) {
        status = fr_choose(&o, params, l->reason, err);
        if (status < 0)
            return status;
    }
    l->algo = fr_algo_named(o.algorithm);
    if (!l->algo)
        return fr_fail(err, FRESHET_ERR_ALGORITHM,
                       "there is no algorithm named %.60s", o.algorithm);
    status = check_abilities(l->algo, &o, err);
    if (status < 0)
        return status;
    status = parse_params(l->param, l->algo, o.params, err);
    if (status < 0)
        return status;
    return lay_out(l, &o, err);
}
