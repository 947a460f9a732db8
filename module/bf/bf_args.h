/*
 * bf_args.h - the shape of a filter in the arguments of BF.* commands
 *
 * Arguments and error messages are those of RedisBloom, but each message begins
 * with ERR.  All functions return false after answering with an error.
 */
#ifndef BF_ARGS_H
#define BF_ARGS_H

#include "api.h"
#include "bf_chain.h"

/* The shape of a filter that is made without BF.RESERVE: RedisBloom's
   defaults, or the settings freshet.bf-error-rate and so on. */
extern struct bf_shape bf_default_shape;

/*
 * Sets a default by its name among RedisBloom's settings, bf-error-rate,
 * bf-initial-size or bf-expansion-factor, or arguments, ERROR_RATE,
 * INITIAL_SIZE or EXPANSION.  Returns NULL, or what the name takes.
 */
const char *bf_set_default(const char *name, const char *text);

/* Error messages, which programs search for: those of RESERVE and INSERT differ
   in a capital letter. */
struct bf_complaints {
    const char *error, *capacity, *expansion;
};

bool bf_read_error(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                   const struct bf_complaints *c);
bool bf_read_capacity(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                      const struct bf_complaints *c);

/* Reads an expansion; 0 means that the filter does not scale. */
bool bf_read_expansion(rm_ctx *ctx, struct bf_shape *shape, rm_string *text,
                       const struct bf_complaints *c);

#endif
