/*
 * redis.h - a filter on a server or cluster, shared with others
 *
 * Hashes go there, verdicts come back.  Several questions may be on their way
 * at a time, and are heard in the order in which they were asked.  A question
 * whose answer was lost is asked again by the same number, and the server
 * gives its first answer again: what was new does not become a repeat.
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
};

/*
 * Connect, and make the filter if nobody has.  What is there and contradicts
 * the options is refused.  Returns NULL and why if there is no such filter.
 *
 * Its info() tells what is in the filter if the server answers at once and
 * each shard has at most 64 MiB, which it counts unasked.
 */
struct decider *decider_redis(const struct redis_args *args,
                              const struct goal_args *aim, struct fault *why);

#endif
