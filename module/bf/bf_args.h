/*
 * bf_args.h - the shape of a filter in the arguments of BF.* commands
 *
 * In RedisBloom's words, complaints included, but each begins with ERR.  All
 * functions are false after having answered.
 */
#ifndef BF_ARGS_H
#define BF_ARGS_H

#include "api.h"
#include "bf_chain.h"

/* What a filter gets that nobody reserved: RedisBloom's defaults. */
extern const struct bf_shape bf_default_shape;

/* Programs look for these words: RESERVE and INSERT differ in a capital. */
struct bf_complaints {
    const char *error, *capacity, *expansion;
};

bool bf_read_error(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                   const struct bf_complaints *c);
bool bf_read_capacity(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                      const struct bf_complaints *c);

/* An expansion of 0 means that it does not scale. */
bool bf_read_expansion(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                       const struct bf_complaints *c);

/* Once all options are read: it does not scale if asked so, or complain. */
bool bf_set_nonscaling(rm_ctx *ctx, struct bf_shape *shape, bool nonscaling,
                       bool expansion);

#endif
