/*
 * decider_wrapper.c - common parts of deciders that contain another one
 */
#include "decider_wrapper.h"

#include <stdlib.h>

static struct decider *inner_of(struct decider *d)
{
    return ((struct decider_wrapper *)d)->inner;
}

void *decider_wrap(struct decider *inner, const struct decider_type *type,
                   size_t size)
{
    struct decider_wrapper *w = inner ? calloc(1, size) : NULL;

    if (!w) {
        decider_close(inner);
        return NULL;
    }
    w->base = *inner;
    w->base.type = type;
    w->inner = inner;
    return w;
}

void decider_wrapper_submit(struct decider *d, struct decision *b)
{
    inner_of(d)->type->submit(inner_of(d), b);
}

bool decider_wrapper_collect(struct decider *d, struct decision *b,
                             struct fault *why)
{
    return inner_of(d)->type->collect(inner_of(d), b, why);
}

bool decider_wrapper_undo(struct decider *d, freshet_hash key,
                          enum verdict verdict)
{
    const struct decider_type *type = inner_of(d)->type;

    return type->undo && type->undo(inner_of(d), key, verdict);
}

void decider_wrapper_info(struct decider *d, freshet_info *out)
{
    inner_of(d)->type->info(inner_of(d), out);
}

void decider_wrapper_close(struct decider *d)
{
    decider_close(inner_of(d));
    free(d);
}
