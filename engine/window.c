/*
 * window.c - records on their way: views, keys and verdicts
 */
#include "window.h"

#include <stdlib.h>

#include "splitter.h"

int batch_init(struct batch *b, const struct rules *rules, struct reader *in,
               size_t capacity)
{
    bool timed = event_time_is_set(&rules->time);

    *b = (struct batch){.rules = rules, .in = in, .capacity = capacity};
    b->record = malloc(capacity * sizeof *b->record);
    b->verdict = malloc(capacity);
    b->hash = malloc(capacity * sizeof *b->hash);
    b->time = timed ? malloc(capacity * sizeof *b->time) : NULL;
    b->key_verdict = malloc(capacity);
    b->record_of_key = malloc(capacity * sizeof *b->record_of_key);
    return b->record && b->verdict && b->hash && (b->time || !timed) &&
                   b->key_verdict && b->record_of_key
               ? 0
               : -1;
}

void batch_free(struct batch *b)
{
    free(b->record);
    free(b->verdict);
    free(b->hash);
    free(b->time);
    free(b->key_verdict);
    free(b->record_of_key);
    key_scratch_free(&b->scratch);
    key_scratch_free(&b->time_scratch);
}

void batch_begin(struct batch *b)
{
    if (b->rules->key->type->csv_records)
        csv_splitter_init(&b->splitter, key_csv_separator(b->rules->key));
}

size_t batch_split(struct batch *b)
{
    b->first_data = 0;
    b->broken = NULL;
    b->n =
        b->rules->key->type->csv_records
            ? split_csv(b->in, &b->splitter, b->record, b->capacity)
            : split_records(b->in, b->rules->delimiter, b->record, b->capacity);
    return b->n;
}

/* ---- Keys ------------------------------------------------------------- */

/* The last record of a file, if a quote in it is still open. */
static bool is_open(const struct batch *b, size_t i)
{
    return b->rules->key->type->csv_records && i + 1 == b->n && b->in->eof &&
           b->in->start == b->in->end && csv_open_quote(&b->splitter);
}

/* The key of a record, and its time where that is asked for. */
static enum key_result take_key(struct batch *b, size_t i, struct view *key)
{
    const struct rules *rules = b->rules;
    enum key_result got = key_of(rules->key, b->record[i], &b->scratch, key);
    const char *wrong;

    if (got != KEY_MEMORY && is_open(b, i))
        got = KEY_MALFORMED;
    if (got == KEY_MALFORMED)
        b->why = rules->key->type->malformed;
    if (got == KEY_MISSING && rules->missing != MISSING_KEY)
        return got;
    if (got > KEY_MISSING || !event_time_is_set(&rules->time))
        return got == KEY_MISSING ? KEY_FOUND : got;
    wrong = event_time_of(&rules->time, b->record[i], &b->scratch,
                          &b->time_scratch, b->latest, &b->time[b->decision.n]);
    if (!wrong)
        return KEY_FOUND;
    b->why = wrong;
    return KEY_MALFORMED;
}

/* Returns the verdict on a record that cannot be compared. */
static uint8_t without_key(const struct rules *rules, enum key_result got)
{
    if (got == KEY_MALFORMED)
        return rules->malformed == MALFORMED_DROP ? VERDICT_MALFORMED_DROPPED
                                                  : VERDICT_MALFORMED_PASSED;
    return rules->missing == MISSING_DROP ? VERDICT_MISSING_DROPPED
                                          : VERDICT_MISSING_PASSED;
}

static void add_key(struct batch *b, size_t i, struct view key,
                    const freshet_hasher *hasher)
{
    size_t n = b->decision.n++;

    b->hash[n] = freshet_hash_with(hasher, key.at, key.len);
    b->record_of_key[n] = (uint32_t)i;
}

/* Records are their own keys: the fast way, for nothing can go wrong. */
static bool is_plain(const struct rules *rules)
{
    return key_is_whole_record(rules->key) && !event_time_is_set(&rules->time);
}

static void take_records(struct batch *b, const freshet_hasher *hasher)
{
    for (size_t i = b->first_data; i < b->n; i++)
        b->hash[b->decision.n++] =
            freshet_hash_with(hasher, b->record[i].at, b->record[i].len);
}

/* Where each record has a key, verdicts on keys are those on records. */
static bool all_have_keys(const struct batch *b)
{
    return b->decision.n == b->n - b->first_data;
}

void batch_take_verdicts(struct batch *b)
{
    if (!all_have_keys(b))
        for (size_t i = 0; i < b->decision.n; i++)
            b->verdict[b->record_of_key[i]] = b->key_verdict[i];
}

static void take_keys(struct batch *b, const freshet_hasher *hasher)
{
    bool fail = b->rules->malformed == MALFORMED_FAIL;

    if (event_time_is_set(&b->rules->time))
        b->latest = event_time_latest(b->rules->time.max_skew);
    for (size_t i = b->first_data; i < b->n; i++) {
        struct view key;
        enum key_result got = take_key(b, i, &key);

        if (got == KEY_FOUND) {
            add_key(b, i, key, hasher);
        } else if (got == KEY_MEMORY) {
            b->no_memory = true;
            return;
        } else if (got == KEY_MALFORMED && fail) {
            b->broken = b->record[i].at;
            b->n = i;
        } else {
            b->verdict[i] = without_key(b->rules, got);
        }
    }
}

void batch_take_keys(struct batch *b, const freshet_hasher *hasher)
{
    b->decision = (struct decision){.hash = b->hash, .time = b->time};
    if (is_plain(b->rules))
        take_records(b, hasher);
    else
        take_keys(b, hasher);
    b->decision.verdict =
        all_have_keys(b) ? b->verdict + b->first_data : b->key_verdict;
}
