/*
 * goal.h - what a user wants of a filter: memory, errors, windows
 *
 * The options, shared by the commands that make or plan filters, and the way
 * from them to what the library takes.
 */
#ifndef GOAL_H
#define GOAL_H

#include "fault.h"
#include "freshet.h"
#include "option.h"

enum { PREFER_NONE = -1, PREFER_KEEP, PREFER_DROP };

struct goal_args {
    uint64_t memory;
    const char *memory_from; /* why that much, if nobody asked for it */
    double error;
    uint64_t expect;
    int prefer; /* PREFER_NONE to begin with */
    uint64_t last, within;
    bool refresh;
    const char *algorithm;
    struct option_texts params;
    uint64_t seed;
    const char *hash; /* NULL: the default */
};

/* Rows of a table whose args have a struct goal_args named aim. */
#define GOAL_AT(type, field)                                                   \
    (offsetof(type, aim) + offsetof(struct goal_args, field))

#define GOAL_MEMORY_OPTIONS(type)                                              \
    {'m',           "memory",                                                  \
     OPTION_MEMORY, GOAL_AT(type, memory),                                     \
     "SIZE",        "memory of the filter: 64M, or 25% of all (256M)"},        \
        {                                                                      \
            'S',    "buffer-size", OPTION_MEMORY, GOAL_AT(type, memory),       \
            "SIZE", NULL,                                                      \
        },                                                                     \
        {'e',         "error",                                                 \
         OPTION_RATE, GOAL_AT(type, error),                                    \
         "RATE",      "share of new records that may be lost (1e-6)"},         \
        {0,                                                                    \
         "expect",                                                             \
         OPTION_POSITIVE,                                                      \
         GOAL_AT(type, expect),                                                \
         "N",                                                                  \
         "plan for N distinct keys in the whole stream"},                      \
    {                                                                          \
        0, "prefer", OPTION_CHOICE, GOAL_AT(type, prefer), "keep|drop",        \
            "rather keep repeats, or drop new records"                         \
    }

#define GOAL_WINDOW_OPTIONS(type)                                              \
    {0,                                                                        \
     "last",                                                                   \
     OPTION_POSITIVE,                                                          \
     GOAL_AT(type, last),                                                      \
     "N",                                                                      \
     "compare with the last N records only"},                                  \
    {                                                                          \
        0, "within", OPTION_DURATION, GOAL_AT(type, within), "TIME",           \
            "compare with the last 30s, 5m, 24h or 7d only"                    \
    }

/* What the library is asked for; pointers lead inside, so do not copy it. */
struct goal {
    freshet_options options;
    char params[512];
    char reason[256];
    const char *memory_from; /* as in goal_args */
};

/* Decide on everything.  Returns false, with a reason, if options contradict
   each other or no such filter can be made. */
bool goal_take(struct goal *aim, const struct goal_args *args,
               struct fault *why);

#endif
