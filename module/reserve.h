/*
 * reserve.h - making a filter at a key
 */
#ifndef RESERVE_H
#define RESERVE_H

#include "command_args.h"
#include "server_command.h"

struct reserve_args {
    uint64_t memory; /* 0: the configured default */
    double error;
    uint64_t expect, last;
    uint64_t within; /* milliseconds */
    bool refresh;
    const char *algorithm;
    struct args_params params;
    uint64_t seed, seed_high;
    const char *hash;
};

extern const struct option_spec reserve_options[];

/* Bytes of a filter that is made without a size: freshet.default-memory. */
extern long long reserve_default_memory;

/*
 * Returns whether a filter of this size may be made, which is always true for
 * commands that were replicated or are loaded.  Answers with an error if not.
 */
bool reserve_fits(rm_ctx *ctx, uint64_t bytes);

/*
 * Makes a filter, sets the key to it, and replicates a command that names the
 * seed and all that was planned.  Returns false after answering with an error.
 * Writes into reason, if it is given, why these options were chosen.
 */
bool reserve(struct place *p, struct reserve_args *args, char reason[256]);

#endif
