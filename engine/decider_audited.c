/*
 * decider_audited.c - a decider whose verdicts are audited
 */
#include "audit.h"
#include "decider_wrapper.h"

struct audited {
    struct decider_wrapper wrapper;
    struct audit *audit;
    uint64_t keys; /* keys decided so far: the clock if there is no time */
};

static struct decider *inner_of(struct audited *a)
{
    return a->wrapper.inner;
}

static bool decide_now(struct audited *a, struct decision *b, struct fault *why)
{
    inner_of(a)->type->submit(inner_of(a), b);
    return inner_of(a)->type->collect(inner_of(a), b, why);
}

static void check(struct audited *a, const struct decision *b)
{
    for (size_t i = 0; i < b->n; i++)
        audit_record(a->audit, b->hash[i], b->verdict[i],
                     b->time  ? b->time[i]
                     : b->now ? b->now
                              : a->keys + i);
    a->keys += b->n;
}

/* ---- With made-up keys in between ------------------------------------- */

static bool is_late(const struct audited *a)
{
    return audit_until_made_up(a->audit) != UINT64_MAX;
}

static bool ask_made_up(struct audited *a, uint64_t now, struct fault *why)
{
    const freshet_hash key = audit_made_up(a->audit);
    const uint8_t query = DECIDER_QUERY;
    uint8_t verdict;
    struct decision one = {.n = 1,
                           .hash = &key,
                           .operation = &query,
                           .now = now,
                           .verdict = &verdict};

    if (!decide_now(a, &one, why))
        return false;
    audit_record_made_up(a->audit, verdict);
    return true;
}

/* Returns up to this many keys of a decision, starting at one, as a decision of
   its own. */
static struct decision piece_of(const struct decision *b, size_t from,
                                uint64_t most)
{
    return (struct decision){
        .n = b->n - from < most ? b->n - from : (size_t)most,
        .hash = b->hash + from,
        .time = b->time ? b->time + from : NULL,
        .operation = b->operation ? b->operation + from : NULL,
        .now = b->now,
        .verdict = b->verdict + from,
    };
}

static bool collect_late(struct audited *a, struct decision *b,
                         struct fault *why)
{
    struct decision piece;

    for (size_t from = 0; from < b->n; from += piece.n) {
        while (audit_until_made_up(a->audit) == 0)
            if (!ask_made_up(a, b->now, why))
                return false;
        piece = piece_of(b, from, audit_until_made_up(a->audit));
        if (!decide_now(a, &piece, why))
            return false;
        check(a, &piece);
    }
    return true;
}

/* ---- The decider ------------------------------------------------------ */

static void submit(struct decider *d, struct decision *b)
{
    if (!is_late((struct audited *)d))
        decider_wrapper_submit(d, b);
}

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    struct audited *a = (struct audited *)d;

    if (is_late(a))
        return collect_late(a, b, why);
    if (!decider_wrapper_collect(d, b, why))
        return false;
    check(a, b);
    return true;
}

static const struct decider_type audited_type = {
    .name = "audited",
    .submit = submit,
    .collect = collect,
    .undo = decider_wrapper_undo,
    .info = decider_wrapper_info,
    .close = decider_wrapper_close,
};

struct decider *decider_audited(struct decider *inner, struct audit *audit)
{
    struct audited *a = decider_wrap(inner, &audited_type, sizeof *a);

    if (!a)
        return NULL;
    a->audit = audit;
    return &a->wrapper.base;
}
