/*
 * bf_args.c - the shape of a filter in the arguments of BF.* commands
 */
#include "bf_args.h"

#include "reply.h"

enum { MAX_CAPACITY = 1 << 30, MAX_EXPANSION = 32768 };

static const double MAX_ERROR = 0.25;

const struct bf_shape bf_default_shape = {.error = 0.01,
                                          .capacity = 100,
                                          .growth = 2,
                                          .scaling = true};

static bool complain(rm_ctx *ctx, const char *text)
{
    reply_error(ctx, "%s", text);
    return false;
}

bool bf_read_error(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                   const struct bf_complaints *c)
{
    if (rm.StringToDouble(text, &shape->error) != RM_OK)
        return complain(ctx, c->error);
    if (!(shape->error > 0 && shape->error < 1))
        return complain(ctx, "ERR error rate must be in the range (0.000000, "
                             "1.000000)");
    if (shape->error > MAX_ERROR) {
        rm.Log(ctx, "warning", "BF: an error rate of %g is taken as %g",
               shape->error, MAX_ERROR);
        shape->error = MAX_ERROR;
    }
    return true;
}

bool bf_read_capacity(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                      const struct bf_complaints *c)
{
    long long capacity;

    if (rm.StringToLongLong(text, &capacity) != RM_OK)
        return complain(ctx, c->capacity);
    if (capacity < 1 || capacity > MAX_CAPACITY)
        return complain(ctx, "ERR capacity must be in the range [1, "
                             "1073741824]");
    shape->capacity = (uint64_t)capacity;
    return true;
}

bool bf_read_expansion(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                       const struct bf_complaints *c)
{
    long long expansion;

    if (rm.StringToLongLong(text, &expansion) != RM_OK)
        return complain(ctx, c->expansion);
    if (expansion < 0 || expansion > MAX_EXPANSION)
        return complain(ctx, "ERR expansion must be in the range [0, 32768]");
    if (expansion > 0)
        shape->growth = (uint32_t)expansion;
    shape->scaling = expansion > 0;
    return true;
}

bool bf_set_nonscaling(rm_ctx *ctx, struct bf_shape *shape, bool nonscaling,
                       bool expansion)
{
    if (nonscaling && expansion)
        return complain(ctx, "ERR Nonscaling filters cannot expand");
    if (nonscaling)
        shape->scaling = false;
    return true;
}
