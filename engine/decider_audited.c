/*
 * decider_audited.c - verdicts that are checked against a sample's truth
 */
#include "audit.h"
#include "decider_wrapper.h"

struct audited {
    struct decider_wrapper wrapper;
    struct audit *audit;
    uint64_t keys; /* decided so far: the clock where there is no time */
};

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    struct audited *a = (struct audited *)d;

    if (!decider_wrapper_collect(d, b, why))
        return false;
    for (size_t i = 0; i < b->n; i++)
        audit_record(a->audit, b->hash[i], b->verdict[i],
                     b->time  ? b->time[i]
                     : b->now ? b->now
                              : a->keys + i);
    a->keys += b->n;
    return true;
}

static const struct decider_type audited_type = {
    .name = "audited",
    .submit = decider_wrapper_submit,
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
