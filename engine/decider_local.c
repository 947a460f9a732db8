/*
 * decider_local.c - a decider with a filter of this process
 */
#include "filter_keys.h"

#include <stdlib.h>

struct local {
    struct decider base;
    freshet *filter;
    enum decider_operation operation;
};

static void submit(struct decider *d, struct decision *b)
{
    struct local *l = (struct local *)d;

    filter_keys(l->filter, l->operation, b);
}

static bool collect(struct decider *d, struct decision *b, struct fault *why)
{
    (void)d, (void)b, (void)why;
    return true;
}

/* Repeats changed nothing that could be undone. */
static bool undo(struct decider *d, freshet_hash key, enum verdict verdict)
{
    struct local *l = (struct local *)d;

    return verdict != VERDICT_NEW ||
           freshet_forget_batch(l->filter, &key, 1) >= 0;
}

static void info(struct decider *d, freshet_info *out)
{
    freshet_get_info(((struct local *)d)->filter, out);
}

static void close_local(struct decider *d)
{
    free(d);
}

static const struct decider_type local_type = {
    .name = "local",
    .submit = submit,
    .collect = collect,
    .undo = undo,
    .info = info,
    .close = close_local,
};

struct decider *decider_local(freshet *filter, enum decider_operation operation)
{
    struct local *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->base = (struct decider){.type = &local_type,
                               .hasher.size = sizeof l->base.hasher};
    freshet_hasher_of(filter, &l->base.hasher);
    l->filter = filter;
    l->operation = operation;
    return &l->base;
}
