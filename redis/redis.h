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

#include "fault.h"
#include "freshet.h"
#include "goal.h"

/*
 * Questions on their way.  Each has an id of its own among the 64 whose last
 * answers a filter keeps (doc/redis.md), so that any of them can be repeated.
 */
enum { REDIS_DEPTH = 4, REDIS_MOST = 1 << 16 /* hashes of a question */ };

enum redis_on_error { REDIS_STOP, REDIS_PASS };

struct redis_args {
    const char *url;
    uint64_t shards;
    int on_error;   /* enum redis_on_error */
    uint64_t retry; /* nanoseconds to try again; 0: the default */
};

struct redis;

/*
 * Connect, and make the filter if nobody has.  What is there and contradicts
 * the options is refused.  CLI_GO, or the status to exit with.
 */
int redis_open(struct redis **out, const struct redis_args *args,
               const struct goal_args *aim);
void redis_close(struct redis *r);

uint64_t redis_seed(const struct redis *r);

/*
 * What the filter is, and what is in it now: that is known if the server
 * answers at once and each shard has at most 64 MiB, which it counts unasked.
 * When all questions are heard.
 */
const freshet_info *redis_info(struct redis *r);

/* At most REDIS_DEPTH questions may be unheard; hashes stay until then. */
unsigned redis_unheard(const struct redis *r);
void redis_ask(struct redis *r, const freshet_hash *hashes, size_t n);

/*
 * The verdicts on the oldest question.  Where nobody could be asked they are
 * REDIS_UNKNOWN, or else it is false: why.
 */
enum { REDIS_UNKNOWN = 2 }; /* beside FRESHET_NEW and FRESHET_SEEN */
bool redis_hear(struct redis *r, uint8_t *seen, struct fault *why);

#endif
