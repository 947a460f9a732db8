/*
 * replay_cache.h - the last answer to each client that numbers its requests
 *
 * A client whose connection broke cannot know whether its request was done.
 * It asks again with the same number and gets the same answer: what was new
 * does not become a repeat by being asked about twice.  Answers are part of
 * the filter's value: replicated, saved and moved with it.
 */
#ifndef REPLAY_CACHE_H
#define REPLAY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REPLAY_CACHE_CLIENTS = 64,      /* who came least recently gives way */
    REPLAY_CACHE_NAME = 128,        /* bytes of a client's name at most */
    REPLAY_CACHE_VERDICTS = 1 << 16 /* bytes of one answer at most */
};

struct answer {
    char *text; /* the client's name, then the verdicts; NULL: no answer */
    size_t name, verdicts;
    uint64_t seq;
    uint64_t request; /* a checksum of what was asked */
};

/* Newest first. */
struct replay_cache {
    size_t n;
    struct answer *at; /* room for REPLAY_CACHE_CLIENTS, once there is one */
};

/* The answer kept for a client, or NULL. */
const struct answer *replay_cache_find(const struct replay_cache *a,
                                       const char *name, size_t len);

/*
 * Keep an answer, instead of the client's earlier one.  Where the verdicts
 * are to be written is returned; NULL if a length is out of range.
 */
char *replay_cache_keep(struct replay_cache *a, const char *name, size_t len,
                        uint64_t seq, uint64_t request, size_t verdicts);

/* "to" is empty before. */
void replay_cache_copy(struct replay_cache *to,
                       const struct replay_cache *from);
void replay_cache_free(struct replay_cache *a);

/* Bytes allocated. */
size_t replay_cache_bytes(const struct replay_cache *a);

#endif
