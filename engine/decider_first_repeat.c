/*
 * decider_first_repeat.c - a decider that distinguishes first repeats from
 * later ones
 */
#include "decider_wrapper.h"
#include "filter_keys.h"

enum { AT_ONCE = 256 };

struct first_repeat {
    struct decider_wrapper wrapper;
    freshet *repeated; /* keys that have been repeated */
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

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    freshet *repeated = ((struct first_repeat *)d)->repeated;
    struct repeats some;

    if (!decider_wrapper_collect(d, b, why))
        return false;
    some.decision = (struct decision){.hash = some.hash,
                                      .time = b->time ? some.time : NULL,
                                      .now = b->now,
                                      .verdict = some.verdict};
    for (size_t i = 0; i < b->n; i++) {
        size_t n = some.decision.n;

        if (b->verdict[i] != VERDICT_REPEAT)
            continue;
        some.hash[n] = b->hash[i];
        if (b->time)
            some.time[n] = b->time[i];
        some.index[n] = i;
        if (++some.decision.n == AT_ONCE)
            offer(repeated, &some, b);
    }
    offer(repeated, &some, b);
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

struct decider *decider_first_repeat(struct decider *inner, freshet *repeated)
{
    struct first_repeat *r = decider_wrap(inner, &first_repeat_type, sizeof *r);

    if (!r)
        return NULL;
    r->repeated = repeated;
    return &r->wrapper.base;
}
