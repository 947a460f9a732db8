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
};

/* Rows of a table whose args have a struct goal_args named aim. */
#define GOAL_AT(type, field)                                                   \
    (offsetof(type, aim) + offsetof(struct goal_args, field))

#define GOAL_MEMORY_OPTIONS(type)                                              \
    {'m',           "memory",                                                  \
     OPTION_MEMORY, GOAL_AT(type, memory),                                     \
     "SIZE",        "use so much, 64M or 25% (256M)"},                         \
        {                                                                      \
            'S',    "buffer-size", OPTION_MEMORY, GOAL_AT(type, memory),       \
            "SIZE", NULL,                                                      \
        },                                                                     \
        {'e',         "error",                                                 \
         OPTION_RATE, GOAL_AT(type, error),                                    \
         "RATE",      "false drops allowed: 1e-6, 0.1%, 1/1000 (1e-6)"},       \
        {0,                                                                    \
         "expect",                                                             \
         OPTION_POSITIVE,                                                      \
         GOAL_AT(type, expect),                                                \
         "N",                                                                  \
         "distinct keys to expect in all"},                                    \
    {                                                                          \
        0, "prefer", OPTION_CHOICE, GOAL_AT(type, prefer), "keep|drop",        \
            "rather keep repeats, or lose new records"                         \
    }

#define GOAL_WINDOW_OPTIONS(type)                                              \
    {0,                                                                        \
     "last",                                                                   \
     OPTION_POSITIVE,                                                          \
     GOAL_AT(type, last),                                                      \
     "N",                                                                      \
     "repeats are those of the last N records"},                               \
    {                                                                          \
        0, "within", OPTION_DURATION, GOAL_AT(type, within), "TIME",           \
            "repeats are those within 30s, 5m, 24h, 7d"                        \
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
