/*
 * goal.h - from a user's options to options of the library: memory, errors,
 * windows
 *
 * The commands that make or plan filters share these options.
 */
#ifndef GOAL_H
#define GOAL_H

#include "fault.h"
#include "freshet.h"
#include "option.h"

enum { PREFER_NONE = -1, PREFER_KEEP, PREFER_DROP };

struct goal_args {
    uint64_t memory;
    const char *memory_from; /* reason for that memory, if it was not given */
    double error;
    uint64_t expect;
    int prefer; /* initially PREFER_NONE */
    uint64_t last, within;
    bool refresh;
    const char *algorithm;
    struct option_texts params;
    uint64_t seed;
    const char *hash; /* NULL: the default */
};

/* Rows of a table whose args have a struct goal_args named goal. */
#define GOAL_AT(type, field)                                                   \
    (offsetof(type, goal) + offsetof(struct goal_args, field))

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

#define GOAL_ALGORITHM_OPTIONS(type)                                           \
    {0,                                                                        \
     "refresh",                                                                \
     OPTION_SWITCH,                                                            \
     GOAL_AT(type, refresh),                                                   \
     NULL,                                                                     \
     "count the window from a key's latest repeat"},                           \
        {0,           "algorithm",                                             \
         OPTION_TEXT, GOAL_AT(type, algorithm),                                \
         "ALGORITHM", "use this algorithm; see 'freshet list' (auto)"},        \
        {0,                                                                    \
         "param",                                                              \
         OPTION_TEXTS,                                                         \
         GOAL_AT(type, params),                                                \
         "NAME=VALUE",                                                         \
         "set a parameter of the algorithm"},                                  \
        {0,                                                                    \
         "seed",                                                               \
         OPTION_POSITIVE,                                                      \
         GOAL_AT(type, seed),                                                  \
         "N",                                                                  \
         "seed of the hash, for repeatable runs (random)"},                    \
    {                                                                          \
        0, "hash", OPTION_TEXT, GOAL_AT(type, hash), "xxh3-128|siphash",       \
            "hash keys by this; siphash resists attackers"                     \
    }

/* The options for the library; it contains pointers into itself: do not copy
   it. */
struct goal {
    freshet_options options;
    char params[512];
    char reason[256];
    const char *memory_from; /* as in goal_args */
};

/* Completes the options.  Returns false and sets *why if options contradict
   each other or no such filter can be made. */
bool goal_from_args(struct goal *goal, const struct goal_args *args,
                    struct fault *why);

#endif
