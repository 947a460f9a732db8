/*
 * redis.h - a filter on a server or cluster, shared with others
 *
 * Hashes go there, verdicts come back.  Several questions may be on their way
 * at a time, and are collected in the order in which they were asked.  A
 * question whose answer was lost is sent again with the same number, and the
 * server gives its first answer again: new keys do not become repeats.
 */
#ifndef REDIS_H
#define REDIS_H

#include "decider.h"
#include "goal.h"

enum redis_on_error { REDIS_STOP, REDIS_PASS };

struct redis_args {
    const char *url;
    uint64_t shards;
    int on_error;   /* enum redis_on_error */
    uint64_t retry; /* nanoseconds to try again; 0: the default */
    bool at_least_once;
};

/* Rows of a table whose args have a struct redis_args named remote. */
#define REDIS_AT(type, field)                                                  \
    (offsetof(type, remote) + offsetof(struct redis_args, field))

#define REDIS_OPTIONS(type)                                                    \
    {0,           "remote",                                                    \
     OPTION_TEXT, REDIS_AT(type, url),                                         \
     "URL",       "use a filter on a server: redis://HOST/NAME"},              \
        {0,                                                                    \
         "shards",                                                             \
         OPTION_POSITIVE,                                                      \
         REDIS_AT(type, shards),                                               \
         "N",                                                                  \
         "spread the filter of --remote over N keys (1)"},                     \
    {                                                                          \
        0, "on-error", OPTION_CHOICE, REDIS_AT(type, on_error), "stop|pass",   \
            "what to do when no server answers (stop)"                         \
    }

/*
 * Connect, and make the filter unless it is there.  A filter that contradicts
 * the options is refused.  Returns NULL and sets *why if there is none then.
 *
 * A filter that is lost while the run goes on is made again as it was.  With
 * at_least_once keys are only asked about when they are decided, and
 * remembered when written() says that their records were written.
 *
 * Its info() describes what is in the filter if the server answers at once.
 */
struct decider *decider_redis(const struct redis_args *args,
                              const struct goal_args *goal, struct fault *why);

#endif
