/*
 * replay_cache.h - the last answer to each client that numbers its requests
 *
 * A client whose connection broke cannot know whether its request was done.
 * It sends the request again with the same number and gets the same answer: a
 * new key does not become a repeat because its request was sent twice.  The
 * number of clients is limited; one that was forgotten gets an error when it
 * sends a request again (cmd_hashes.c).  Answers are part of the filter's
 * value: replicated, saved and moved with it.
 */
#ifndef REPLAY_CACHE_H
#define REPLAY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REPLAY_CACHE_CLIENTS = 64,      /* default of the limit */
    REPLAY_CACHE_MOST = 1 << 12,    /* highest limit that can be set */
    REPLAY_CACHE_NAME = 128,        /* bytes of a client's name at most */
    REPLAY_CACHE_VERDICTS = 1 << 16 /* bytes of one answer at most */
};

/* Most clients that a filter knows: freshet.replay-clients.  The one that
   came least recently is forgotten. */
extern long long replay_cache_limit;

struct answer {
    char *text; /* the client's name, then the verdicts; NULL: no answer */
    size_t name, verdicts;
    uint64_t seq;
    uint64_t request; /* a checksum of what was asked */
};

/* Newest first. */
struct replay_cache {
    size_t n, room;
    struct answer *at;
};

/* Returns the answer kept for a client, or NULL. */
const struct answer *replay_cache_find(const struct replay_cache *a,
                                       const char *name, size_t len);

/*
 * Stores an answer in place of the client's earlier one.  Returns where the
 * verdicts are to be written, or NULL if a length is out of range.
 */
char *replay_cache_keep(struct replay_cache *a, const char *name, size_t len,
                        uint64_t seq, uint64_t request, size_t verdicts);

/* Copies all answers to a cache that is empty. */
void replay_cache_copy(struct replay_cache *to,
                       const struct replay_cache *from);
void replay_cache_free(struct replay_cache *a);

/* Returns the number of bytes allocated. */
size_t replay_cache_bytes(const struct replay_cache *a);

#endif
