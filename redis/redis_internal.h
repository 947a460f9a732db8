/*
 * redis_internal.h - what making a shared filter and asking it have in common
 */
#ifndef REDIS_INTERNAL_H
#define REDIS_INTERNAL_H

#include "cluster.h"
#include "redis.h"
#include "resp.h"

/*
 * Questions on their way.  Each has an id of its own among the 64 whose last
 * answers a filter keeps (doc/redis.md), so that any of them can be repeated.
 */
enum { REDIS_DEPTH = 4, REDIS_MOST = 1 << 16 /* hashes of a question */ };

/* A key that holds a part of the filter; or one that must not. */
struct shard {
    char key[256];
    unsigned slot;
    struct node *node; /* where it is, as far as we know */
    size_t late;       /* its requests that are to be sent, or sent again */
};

struct question;

/* A request on its way. */
struct request {
    struct shard *shard;
    struct question *question; /* about so many hashes of it, from one on */
    size_t from, n;
    const struct words *words; /* or, without a question, these words */
    struct node *node;         /* who owes an answer; NULL: nobody */
    struct node *ask_at;       /* who is to be asked, but only this once */
    bool late, answered;
};

struct question {
    uint64_t number;
    size_t n;
    const freshet_hash *hash; /* shard after shard */
    freshet_hash *sorted;     /* room for that, if there are several */
    uint32_t *of;             /* which hash each was */
    uint8_t *verdict;         /* in the order of hash */
    struct request *request;  /* one for each shard */
};

struct redis {
    struct decider base;
    struct cluster nodes;
    char id[17];   /* of this run */
    size_t shards; /* that hold the filter; probes stand behind them */
    size_t probes;
    struct shard *shard;
    struct question question[REDIS_DEPTH];
    uint64_t asked, heard; /* numbers of questions */
    struct words head, tail;

    enum redis_on_error on_error;
    uint64_t retry;
    uint64_t trouble_since; /* by clock_now(); 0: all is well */
    unsigned tries;         /* since then */
    uint64_t away_until;    /* nobody is asked before; 0: they are there */
    struct fault why;       /* the last trouble */
    bool fatal;             /* asking again would not help */

    struct view reply; /* to words, in memory of our own */
    char *reply_bytes;
    freshet_info info;
    char algorithm[32];
};

/* ---- Requests: redis_request.c --------------------------------------- */

/* Send it to whoever has its shard, if that can be done now. */
void request_send(struct redis *r, struct request *q);

/* Until it is answered, sent again where need be.  False: r->why. */
bool request_pursue(struct redis *r, struct request *q);

/* Its answer is not wanted any more. */
void request_give_up(struct request *q);

/* No connection is of use any more; what they owe is late. */
void requests_drop(struct redis *r);

/* Who has the shards now, as the cluster says. */
void redis_find_shards(struct redis *r);

/* Any command about a shard's key, to whoever has it: its reply, which may be
   an error, is in r->reply.  False: r->why. */
bool redis_call(struct redis *r, struct shard *shard,
                const struct words *words);

/* ---- FR.INFO: redis_info.c -------------------------------------------- */

/* What it says about a shard. */
struct found {
    bool there;
    char algorithm[32], hash[32];
    freshet_info info;
};

/* Is there a filter, and which?  Returns false and why if nobody knows. */
bool redis_look(struct redis *r, struct shard *shard, struct found *f,
                struct fault *why);

/* Returns false, and r->why with the key in front. */
bool redis_trouble(const struct redis *r, const char *key, struct fault *why);

/* One of the shards is this: r->info knows all of them in the end. */
void redis_know(struct redis *r, const struct found *f);

/* The decider's info(). */
void redis_info(struct decider *d, freshet_info *out);

/* A number in a reply of pairs, or text that is one; 0 if there is none. */
uint64_t redis_count(struct view reply, const char *name);

/* ---- FR.RESERVE: redis_reserve.c -------------------------------------- */

/* Connect, find the filter or make it.  Returns false and why if it fails. */
bool redis_reserve(struct redis *r, const struct redis_args *args,
                   const struct goal_args *aim, struct fault *why);

/* ---- Questions: decider_redis.c --------------------------------------- */

/* When shards are known.  False: no memory. */
bool redis_make_questions(struct redis *r);

#endif
