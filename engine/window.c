/*
 * window.c - records in progress: a chunk of the input, keys and verdicts
 */
#include "window.h"

#include <stdlib.h>
#include <string.h>

#include "splitter.h"

static void free_keys(struct window_keys *k)
{
    free(k->hash);
    free(k->time);
    free(k->verdict);
    free(k->record);
    free(k->decision.sorted);
    free(k->decision.by_part);
    free(k->decision.part_verdict);
}

void window_free(struct window *w)
{
    chunk_free(&w->chunk);
    free(w->verdict);
    free_keys(&w->keys);
    key_scratch_free(&w->scratch);
    key_scratch_free(&w->time_scratch);
    output_block_free(&w->out);
    output_block_free(&w->dup);
    *w = (struct window){0}; /* it may be freed again */
}

static bool init_parts(struct decision *b, size_t records)
{
    b->sorted = malloc(records * sizeof *b->sorted);
    b->by_part = malloc(records * sizeof *b->by_part);
    b->part_verdict = malloc(records);
    return b->sorted && b->by_part && b->part_verdict;
}

bool window_init(struct window *w, size_t size, size_t records, bool timed,
                 bool parted)
{
    struct window_keys *k = &w->keys;

    *w = (struct window){0};
    w->verdict = malloc(records);
    k->hash = malloc(records * sizeof *k->hash);
    k->verdict = malloc(records);
    k->record = malloc(records * sizeof *k->record);
    k->time = timed ? malloc(records * sizeof *k->time) : NULL;
    return chunk_init(&w->chunk, size, records) && w->verdict && k->hash &&
           k->verdict && k->record && (k->time || !timed) &&
           (!parted || init_parts(&k->decision, records)) &&
           output_block_reserve(&w->out, size);
}

void window_begin(struct window *w)
{
    w->n = w->first_data = 0;
    w->is_split = w->has_more = w->is_lost = false;
    w->trouble = WINDOW_FINE;
    w->keys.decision.n = 0;
    memset(&w->counts, 0, sizeof w->counts);
    w->out.bytes = w->dup.bytes = (struct view){0};
}

void window_fail(struct window *w, enum window_trouble trouble)
{
    w->trouble = trouble;
    w->n = w->keys.decision.n = 0;
}

void window_split(struct window *w, const struct framing *framing)
{
    struct chunk *c = &w->chunk;

    if (!c->is_split)
        split_records(c, framing);
    w->n = c->n;
    w->first_data = 0;
    w->is_split = true;
    w->has_more = !c->is_split && !c->is_too_long && c->start < c->end;
    if (c->is_too_long)
        w->trouble = WINDOW_TOO_LONG;
}

/* ---- Keys ------------------------------------------------------------- */

/* Returns whether records are their own keys, so that nothing can fail. */
static bool is_plain(const struct extractor *x)
{
    return key_is_whole_record(x->key) && !event_time_is_set(&x->time);
}

/* Returns whether this is the last record of an input and has an open quote. */
static bool is_open(const struct window *w, size_t i)
{
    return w->chunk.open_quote && w->chunk.last && i + 1 == w->chunk.n;
}

/* Extracts the key of a record, and its time if it is used. */
static enum key_result extract_key(struct window *w, const struct extractor *x,
                                   size_t i, uint64_t latest, struct view *key)
{
    struct view record = w->chunk.record[i];
    enum key_result got = key_of(x->key, record, &w->scratch, key);
    const char *wrong;

    if (got != KEY_MEMORY && is_open(w, i))
        got = KEY_MALFORMED;
    if (got == KEY_MALFORMED)
        w->words = x->key->type->malformed;
    if (got == KEY_MISSING && x->missing != MISSING_KEY)
        return got;
    if (got > KEY_MISSING || !event_time_is_set(&x->time))
        return got == KEY_MISSING ? KEY_FOUND : got;
    wrong = event_time_of(&x->time, record, &w->scratch, &w->time_scratch,
                          latest, &w->keys.time[w->keys.decision.n]);
    if (!wrong)
        return KEY_FOUND;
    w->words = wrong;
    return KEY_MALFORMED;
}

/* Returns the verdict on a record that cannot be compared. */
static uint8_t without_key(const struct extractor *x, enum key_result got)
{
    if (got == KEY_MALFORMED)
        return x->malformed == MALFORMED_DROP ? VERDICT_MALFORMED_DROPPED
                                              : VERDICT_MALFORMED_PASSED;
    return x->missing == MISSING_DROP ? VERDICT_MISSING_DROPPED
                                      : VERDICT_MISSING_PASSED;
}

static void add_key(struct window_keys *k, size_t i, struct view key,
                    const freshet_hasher *hasher)
{
    size_t n = k->decision.n++;

    k->hash[n] = freshet_hash_with(hasher, key.at, key.len);
    k->record[n] = (uint32_t)i;
}

static void take_records(struct window *w, const freshet_hasher *hasher)
{
    const struct view *record = w->chunk.record;

    for (size_t i = w->first_data; i < w->n; i++)
        w->keys.hash[w->keys.decision.n++] =
            freshet_hash_with(hasher, record[i].at, record[i].len);
}

static void take_keys(struct window *w, const struct extractor *x,
                      const freshet_hasher *hasher)
{
    uint64_t latest =
        event_time_is_set(&x->time) ? event_time_latest(x->time.max_skew) : 0;

    for (size_t i = w->first_data; i < w->n; i++) {
        struct view key;
        enum key_result got = extract_key(w, x, i, latest, &key);

        if (got == KEY_FOUND) {
            add_key(&w->keys, i, key, hasher);
        } else if (got == KEY_MEMORY) {
            window_fail(w, WINDOW_NO_MEMORY);
        } else if (got == KEY_MALFORMED && x->malformed == MALFORMED_FAIL) {
            w->trouble = WINDOW_MALFORMED;
            w->n = i;
        } else {
            w->verdict[i] = without_key(x, got);
        }
    }
}

/* Returns whether each record has a key, so that verdicts on keys are those on
   records. */
static bool all_have_keys(const struct window *w)
{
    return w->keys.decision.n == w->n - w->first_data;
}

void window_extract(struct window *w, const struct extractor *x,
                    const freshet_hasher *hasher)
{
    struct window_keys *k = &w->keys;

    k->decision.n = 0;
    k->decision.hash = k->hash;
    k->decision.time = k->time;
    if (is_plain(x))
        take_records(w, hasher);
    else
        take_keys(w, x, hasher);
    k->decision.verdict =
        all_have_keys(w) ? w->verdict + w->first_data : k->verdict;
}

void window_advance_clock(struct window *w, uint64_t *now, uint64_t within)
{
    uint64_t *time = w->keys.time;

    w->counts.late = 0;
    for (size_t i = 0; i < w->keys.decision.n; i++) {
        if (time[i] > *now)
            *now = time[i];
        w->counts.late += *now - time[i] > within;
        time[i] = *now;
    }
}

size_t window_record_of(const struct window *w, size_t key)
{
    return all_have_keys(w) ? w->first_data + key : w->keys.record[key];
}

void window_set_verdicts(struct window *w)
{
    const struct window_keys *k = &w->keys;

    if (!all_have_keys(w))
        for (size_t i = 0; i < k->decision.n; i++)
            w->verdict[k->record[i]] = k->verdict[i];
    counts_add(&w->counts, w->verdict, w->n);
}
