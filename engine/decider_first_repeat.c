/*
 * decider_first_repeat.c - a decider that distinguishes first repeats from
 * later ones
 *
 * The filter of repeated keys is offered repeats only.  A window of records
 * counts all records, so for this filter it is a window of time, whose clock is
 * the number of records.
 */
#include <stddef.h>
#include <string.h>

#include "decider_wrapper.h"
#include "filter_keys.h"

enum { AT_ONCE = 256 };

struct first_repeat {
    struct decider_wrapper wrapper;
    freshet *repeated; /* keys that have been repeated */
    bool has_window;   /* the inner filter has a window of records */
    uint64_t records;  /* records before the next decision */
};

/* Some repeats of a decision, copied together. */
struct repeats {
    struct decision decision;
    freshet_hash hash[AT_ONCE];
    uint64_t time[AT_ONCE];
    uint8_t verdict[AT_ONCE];
    size_t index[AT_ONCE];
};

static void offer(freshet *repeated, struct repeats *some,
                  const struct decision *b)
{
    filter_keys(repeated, DECIDER_OFFER, &some->decision);
    for (size_t i = 0; i < some->decision.n; i++)
        if (some->verdict[i] == VERDICT_NEW)
            b->verdict[some->index[i]] = VERDICT_FIRST_REPEAT;
    some->decision.n = 0;
}

/* Adds key i of a decision. */
static void add(struct repeats *some, const struct first_repeat *r,
                const struct decision *b, size_t i)
{
    size_t n = some->decision.n++;

    some->hash[n] = b->hash[i];
    if (some->decision.time)
        some->time[n] = b->time ? b->time[i] : r->records + i + 1;
    some->index[n] = i;
}

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    struct first_repeat *r = (struct first_repeat *)d;
    bool has_times = b->time || r->has_window;
    struct repeats some;

    if (!decider_wrapper_collect(d, b, why))
        return false;
    some.decision = (struct decision){.hash = some.hash,
                                      .time = has_times ? some.time : NULL,
                                      .now = b->now,
                                      .verdict = some.verdict};
    for (size_t i = 0; i < b->n; i++) {
        if (b->verdict[i] == VERDICT_REPEAT)
            add(&some, r, b, i);
        if (some.decision.n == AT_ONCE)
            offer(r->repeated, &some, b);
    }
    offer(r->repeated, &some, b);
    r->records += b->n;
    return true;
}

static bool undo(struct decider *d, freshet_hash key, enum verdict verdict)
{
    if (verdict != VERDICT_FIRST_REPEAT)
        return decider_wrapper_undo(d, key, verdict);
    return freshet_forget_batch(((struct first_repeat *)d)->repeated, &key,
                                1) >= 0;
}

static const struct decider_type first_repeat_type = {
    .name = "first repeat",
    .submit = decider_wrapper_submit,
    .collect = collect,
    .undo = undo,
    .info = decider_wrapper_info,
    .close = decider_wrapper_close,
};

static bool has_window_of_time(const char *algorithm)
{
    const freshet_algorithm *a;

    for (size_t i = 0; (a = freshet_algorithm_at(i)); i++)
        if (strcmp(a->name, algorithm) == 0)
            return a->can & FRESHET_CAN_WITHIN;
    return false;
}

void first_repeat_options(freshet_options *options)
{
    if (!options->window)
        return;
    options->within = options->window;
    options->window = 0;
    if (!options->algorithm || has_window_of_time(options->algorithm))
        return;
    options->algorithm = "pocket";
    options->params = "refresh=0";
}

struct decider *decider_first_repeat(struct decider *inner, freshet *repeated)
{
    struct first_repeat *r = decider_wrap(inner, &first_repeat_type, sizeof *r);
    freshet_info info = {.size = offsetof(freshet_info, slots)};

    if (!r)
        return NULL;
    r->repeated = repeated;
    inner->type->info(inner, &info);
    r->has_window = info.window;
    r->records = info.offered;
    return &r->wrapper.base;
}
