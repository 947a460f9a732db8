/*
 * redis_internal.h - what the files of a shared filter have in common
 *
 *     redis_open.c      connecting, and finding or making the filter
 *     redis_reserve.c   FR.RESERVE: making a shard, and making it again
 *     redis_info.c      FR.INFO
 *     decider_redis.c   decisions become questions, and answers verdicts
 *     redis_remember.c  --at-least-once: remembering what was written
 *     redis_request.c   requests, and what servers answer
 *     redis_retry.c     sending again, waiting, finding the shards
 */
#ifndef REDIS_INTERNAL_H
#define REDIS_INTERNAL_H

#include <pthread.h>

#include "cluster.h"
#include "pending_keys.h"
#include "redis.h"
#include "resp.h"

/*
 * Questions that are on their way at a time.  Each slot has a client id of its
 * own among those whose last answers a filter keeps (doc/redis.md), so that
 * any of them can be sent again.
 */
enum { REDIS_DEPTH = 4, REDIS_MOST = 1 << 16 /* hashes of a question */ };

/* A key that holds a part of the filter; or one that must not be there. */
struct shard {
    char key[256];
    unsigned slot;
    struct node *node;    /* the node that has it, as far as we know */
    size_t late;          /* number of its late requests */
    struct words reserve; /* the request that makes it as it was found */
    uint64_t losses;      /* how often it was made again */
};

struct question;

/* A request to one shard. */
struct request {
    struct shard *shard;
    struct question *question; /* the request has n of its hashes */
    size_t from, n;
    const struct words *words; /* or, without a question, these words */
    struct node *node;         /* that owes the answer; NULL: none does */
    struct node *ask_at;       /* to be asked instead, only this once */
    bool late, answered;

    unsigned unknown; /* how often it was sent without learning whether it was
                         done */
    bool doubtful;    /* it may have been done before: a key that was seen may
                         have been seen in this very request */
};

enum question_kind { QUESTION_OFFER, QUESTION_QUERY, QUESTION_REMEMBER };

/* Hashes in the order of the stream: one request to each shard. */
struct question {
    enum question_kind kind;
    unsigned slot;    /* names the client id of numbered requests */
    uint64_t number;  /* of its requests; grows */
    unsigned version; /* of the hasher of its hashes */
    size_t n;
    const freshet_hash *hash; /* shard after shard */
    freshet_hash *sorted;     /* memory for that, if there are several */
    uint32_t *index;          /* of each in the decision */
    uint8_t *verdict;         /* in the order of hash */
    struct request *request;  /* one for each shard */
};

/* --at-least-once: keys that this run passed and the filter does not know. */
struct passed_key {
    freshet_hash hash;
    uint64_t position; /* among all keys of the stream */
};

struct remembered; /* keys that a question may still find new */

struct remembering {
    bool on;
    struct pending_keys pending; /* all that count as seen here */
    struct passed_key *passed;   /* to be remembered when they are written */
    size_t first, n, room;
    uint64_t collected, written; /* keys of the stream */
    struct question question;    /* keys that are being remembered */
    freshet_hash *hash;          /* of the question */
    struct remembered *oldest, *newest;
    bool failed; /* and the run shall stop */
};

/* The hash of the filter as it is now. */
struct filter_hash {
    freshet_hasher hasher;
    char name[32];
    uint64_t seed_high; /* the half of its key that info.seed is not */
    unsigned version;   /* how often it has changed */
};

/* Servers that do not answer. */
struct outage {
    uint64_t since;      /* by clock_now(); 0: they answer */
    unsigned tries;      /* attempts since then */
    uint64_t away_until; /* no server is asked before this time; 0: they are
                            there */
};

struct redis {
    struct decider base;
    pthread_mutex_t lock; /* of all below: submit(), collect() and written()
                             may be called by different threads */
    struct cluster nodes;
    char id[17];   /* of this run */
    size_t shards; /* that hold the filter; probes stand behind them */
    size_t probes;
    struct shard *shard;
    struct question question[REDIS_DEPTH];
    uint64_t submitted, collected; /* questions */
    uint64_t numbers;              /* given to questions */
    struct words head, tail;       /* words before and after the hashes */
    struct remembering remembering;

    struct filter_hash hash;
    uint64_t compared; /* keys that a server has answered */
    uint64_t losses;   /* how often the filter was made again */

    enum redis_on_error on_error;
    uint64_t retry; /* nanoseconds to try again */
    struct outage outage;
    struct fault why; /* the last trouble */
    bool fatal;       /* asking again would not help */

    struct view reply; /* to words, in memory of our own */
    char *reply_bytes;
    freshet_info info;
    char algorithm[32];
};

/* ---- redis_request.c -------------------------------------------------- */

/* What a reply means for its request. */
enum reply_kind {
    REPLY_ANSWER,
    REPLY_MOVED,     /* another node has the shard */
    REPLY_FORGOTTEN, /* the filter does not know the client id */
    REPLY_NO_FILTER, /* the key is not there */
    REPLY_REPLACED,  /* there is another filter, with another seed */
    REPLY_TRY_LATER, /* the server cannot do it now */
    REPLY_LOST,      /* the connection broke: there is no reply */
    REPLY_REFUSED    /* the server will never do it */
};

/* Sends a request.  Returns false and sets r->why if that fails: the request
   is late then. */
bool request_send_now(struct redis *r, struct request *q);

/* Waits for the next reply of a node and handles it.  *replied is the
   request that was replied to, or NULL. */
enum reply_kind request_receive(struct redis *r, struct node *node,
                                const struct request **replied);

/* Makes the filter know the client id of a numbered request, by a request
   without hashes.  Returns false and sets r->why if no server answers. */
bool request_introduce(struct redis *r, const struct request *q);

/* Mark a request as one that is to be sent or sent again; or as one that is
   not. */
void request_set_late(struct request *q);
void request_clear_late(struct request *q);

/* Closes the connection to a node.  Requests that it did not answer are
   late. */
void request_drop_node(struct node *node);

/* ---- redis_retry.c ---------------------------------------------------- */

/* Sends a request to the node that has its shard, if that is possible now. */
void request_send(struct redis *r, struct request *q);

/* Waits until the request is answered, or the filter has another seed than its
   hashes; sends it again if necessary.  Returns false and sets r->why if that
   is given up. */
bool request_complete(struct redis *r, struct request *q);

/* Makes the answer to a request be ignored. */
void request_give_up(struct request *q);

/* Closes all connections.  Requests that were not answered are late. */
void requests_drop(struct redis *r);

/* Waits before the next attempt.  Returns false if r->retry is over or a
   signal came. */
bool redis_wait(struct redis *r);

/* Finds the nodes that have the shards now. */
void redis_find_shards(struct redis *r);

/* Sends any command about a shard's key to the node that has it, and sets
   r->reply, which may be an error.  Returns false and sets r->why if there is
   no reply. */
bool redis_call(struct redis *r, struct shard *shard,
                const struct words *words);

/* ---- redis_info.c ----------------------------------------------------- */

/* The answer of FR.INFO about a shard. */
struct shard_info {
    bool there; /* the key holds a filter */
    char algorithm[32], hash[32];
    uint64_t seed_high;
    freshet_info info;
};

/* Asks which filter a shard's key holds, if any.  Returns false and sets *why
   if no server answers. */
bool redis_inspect_shard(struct redis *r, struct shard *shard,
                         struct shard_info *f, struct fault *why);

/* Returns false, and sets *why to r->why with server and key in front. */
bool redis_trouble(const struct redis *r, const char *key, struct fault *why);

/* Adds a shard to r->info, which describes all of them in the end. */
void redis_add_shard_info(struct redis *r, const struct shard_info *f);

/* The decider's info(). */
void redis_info(struct decider *d, freshet_info *out);

/* Returns a number in a reply of pairs, or text that is one; 0 if there is
   none. */
uint64_t redis_count(struct view reply, const char *name);

/* ---- redis_reserve.c -------------------------------------------------- */

/* Makes a shard unless it exists.  seed receives both halves of the key that
   it has. */
bool redis_reserve(struct redis *r, struct shard *shard,
                   const struct goal *goal, uint64_t seed[2],
                   struct fault *why);

/* Keeps the options of a shard, to make it again if it is lost.  Returns
   false if there is no memory. */
bool redis_note_shard(struct shard *shard, const struct shard_info *f);

/* Makes a shard that was lost again, with the same options.  If another client
   was faster, the hasher may be another one then.  Returns false and sets
   r->why if it cannot be made. */
bool redis_make_again(struct redis *r, struct shard *shard);

/*
 * To be called if another client has made the shard again with another seed:
 * uses that seed from now on.  Returns false and sets r->why if no server
 * answers.
 */
bool redis_use_new_seed(struct redis *r, struct shard *shard);

/* ---- redis_open.c ----------------------------------------------------- */

/* Connects, and finds the filter or makes it.  Returns false and sets *why if
   that fails. */
bool redis_open(struct redis *r, const struct redis_args *args,
                const struct goal_args *goal, struct fault *why);

/* ---- decider_redis.c -------------------------------------------------- */

/* To be called when the shards are known.  Returns false if there is no
   memory. */
bool redis_make_questions(struct redis *r);

/* Sets the hasher by the hash and the seed of the filter.  Returns false and
   sets *why if the library refuses them. */
bool redis_set_hasher(struct redis *r, struct fault *why);

/* Reports a text that is no fault. */
void redis_notice(const struct redis *r, const struct fault *text);

bool question_make(const struct redis *r, struct question *q);
void question_free(struct question *q);

/* Numbers the question and divides its hashes among the shards. */
void question_begin(struct redis *r, struct question *q,
                    const freshet_hash *hashes, size_t n);
void question_send(struct redis *r, struct question *q);

/* Makes the answers to a question be ignored. */
void question_give_up(struct redis *r, struct question *q);

/* ---- redis_remember.c ------------------------------------------------- */

bool remember_make(struct redis *r);
void remember_free(struct redis *r);

/* Changes the verdicts on the next keys of the stream: a key that this run has
   passed before is a repeat, and a new one will be remembered.  Returns false
   if there is no memory. */
bool remember_collected(struct redis *r, const struct decision *b);

/* To be called when the records of the next n keys have been written. */
void remember_written(struct redis *r, uint64_t n);

/* Waits until all that was written is remembered.  Returns false and sets
   r->why if it is not. */
bool remember_finish(struct redis *r);

#endif
