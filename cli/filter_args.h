/*
 * filter_args.h - the values of the filter's options
 */
#ifndef FILTER_ARGS_H
#define FILTER_ARGS_H

#include "key_options.h"
#include "redis.h"
#include "report_options.h"

struct filter_args {
    struct key_args key;
    int missing, malformed;
    struct record_args record;
    bool header;
    const char *files0_from;
    uint64_t threads;
    /* output */
    bool repeats, repeated, annotate, check, line_buffered;
    const char *dup_output, *output;
    struct goal_args goal;
    /* state */
    const char *state;
    uint64_t checkpoint;
    bool read_only;
    struct redis_args remote;
    /* diagnostics */
    bool explain, audit;
    uint64_t audit_memory;
    struct report_args report;
    int generate; /* -1 if nothing */
};

#endif
