/*
 * window.c - records on their way: views, keys and verdicts
 */
#include "window.h"

#include <stdlib.h>

#include "splitter.h"

int batch_init(struct batch *b, const struct rules *rules, struct reader *in,
               size_t most)
{
    bool timed = event_time_is_set(&rules->time);

    *b = (struct batch){.rules = rules, .in = in, .most = most};
    b->record = malloc(most * sizeof *b->record);
    b->verdict = malloc(most);
    b->hash = malloc(most * sizeof *b->hash);
    b->time = timed ? malloc(most * sizeof *b->time) : NULL;
    b->seen = malloc(most);
    b->of = malloc(most * sizeof *b->of);
    return b->record && b->verdict && b->hash && (b->time || !timed) &&
                   b->seen && b->of
               ? 0
               : -1;
}

void batch_free(struct batch *b)
{
    free(b->record);
    free(b->verdict);
    free(b->hash);
    free(b->time);
    free(b->seen);
    free(b->of);
    key_scratch_free(&b->scratch);
}

void batch_begin(struct batch *b)
{
    if (b->rules->key.csv)
        csv_splitter_init(&b->splitter, b->rules->key.csv->separator);
}

size_t batch_split(struct batch *b)
{
    b->first = 0;
    b->broken = NULL;
    b->n = b->rules->key.csv
               ? split_csv(b->in, &b->splitter, b->record, b->most)
               : split_records(b->in, b->rules->delimiter, b->record, b->most);
    return b->n;
}

/* ---- Keys ------------------------------------------------------------- */

/* The last record of a file, if a quote in it is still open. */
static bool is_open(const struct batch *b, size_t i)
{
    return b->rules->key.csv && i + 1 == b->n && b->in->eof &&
           b->in->start == b->in->end && csv_in_quotes(&b->splitter);
}

/* The key of a record, and its time where that is asked for. */
static enum key_result take_key(struct batch *b, size_t i, struct view *key)
{
    const struct rules *rules = b->rules;
    enum key_result got = key_of(&rules->key, b->record[i], &b->scratch, key);

    if (got != KEY_MEMORY && is_open(b, i))
        got = KEY_MALFORMED;
    if (got == KEY_MALFORMED)
        b->why = key_trouble(&rules->key);
    if (got == KEY_MISSING && rules->missing != MISSING_KEY)
        return got;
    if (got > KEY_MISSING || !event_time_is_set(&rules->time))
        return got == KEY_MISSING ? KEY_FOUND : got;
    if (event_time_of(&rules->time, b->record[i], &b->scratch,
                      &b->time[b->keys]))
        return KEY_FOUND;
    b->why = "does not say when it happened";
    return KEY_MALFORMED;
}

/* The verdict on a record that cannot be compared. */
static uint8_t without_key(struct batch *b, enum key_result got)
{
    bool malformed = got == KEY_MALFORMED;
    bool drop = malformed ? b->rules->malformed == MALFORMED_DROP
                          : b->rules->missing == MISSING_DROP;

    b->malformed += malformed;
    b->dropped += drop;
    b->passed += !drop;
    return drop ? VERDICT_DROPPED : VERDICT_PASSED;
}

static void add_key(struct batch *b, size_t i, struct view key,
                    const freshet *filter)
{
    b->hash[b->keys] = freshet_hash_key(filter, key.at, key.len);
    b->of[b->keys++] = (uint32_t)i;
}

/* Records are their own keys: the fast way, for nothing can go wrong. */
static bool is_plain(const struct rules *rules)
{
    return rules->key.kind == KEY_RECORD && !rules->key.crlf &&
           !rules->key.fold && !event_time_is_set(&rules->time);
}

static void take_records(struct batch *b, const freshet *filter)
{
    for (size_t i = b->first; i < b->n; i++)
        add_key(b, i, b->record[i], filter);
}

void batch_take_keys(struct batch *b, const freshet *filter)
{
    bool fail = b->rules->malformed == MALFORMED_FAIL;

    b->keys = 0;
    b->passed = b->dropped = b->malformed = 0;
    if (is_plain(b->rules)) {
        take_records(b, filter);
        return;
    }
    for (size_t i = b->first; i < b->n; i++) {
        struct view key;
        enum key_result got = take_key(b, i, &key);

        if (got == KEY_FOUND) {
            add_key(b, i, key, filter);
        } else if (got == KEY_MEMORY) {
            b->no_memory = true;
            return;
        } else if (got == KEY_MALFORMED && fail) {
            b->broken = b->record[i].at;
            b->n = i;
        } else {
            b->verdict[i] = without_key(b, got);
        }
    }
}
