/*
 * resp.h - the protocol of Redis and Valkey, RESP2
 *
 * A reply is parsed in place: nothing is copied or allocated.  Its bytes are
 * not trusted.
 */
#ifndef RESP_H
#define RESP_H

#include <stdbool.h>
#include <stdint.h>

#include "view.h"

/* ---- Replies ---------------------------------------------------------- */

enum resp_type {
    RESP_STATUS,
    RESP_ERROR,
    RESP_COUNT,
    RESP_TEXT,
    RESP_ARRAY, /* its items follow */
    RESP_NULL   /* a text or an array that is not there */
};

struct resp {
    enum resp_type type;
    struct view text; /* of a status, error or text */
    int64_t count;    /* a number, or that of an array's items */
};

enum { RESP_MOST = 1 << 26 }; /* bytes of a reply */

/* Returns the bytes of the reply that begins here; 0 if it is not complete
   yet, -1 if it is no reply or too long. */
long resp_length(struct view bytes);

/* Reads the next item of a complete reply.  Returns false at its end. */
bool resp_next(struct view *rest, struct resp *item);

/* Skips an item with all items inside it. */
void resp_skip(struct view *rest);

/* Returns whether an error or status begins with these words, such as
   "MOVED". */
bool resp_begins_with(const struct resp *item, const char *words);

/* Finds the value of a name in an array of pairs.  Returns false if there is
   none. */
bool resp_find(struct view reply, const char *name, struct resp *value);

/* ---- Requests --------------------------------------------------------- */

/* A request that is being written.  All zero: empty. */
struct words {
    char *at;
    size_t used, size;
    bool failed; /* there was no memory for some of it */
};

/* Empties the request and begins a command of n words. */
void words_begin(struct words *w, size_t n);

/* Empties the request; or appends one more command of n words. */
void words_clear(struct words *w);
void words_next(struct words *w, size_t n);
void words_add(struct words *w, const char *at, size_t len);
void words_text(struct words *w, const char *text);
void words_count(struct words *w, uint64_t count);

/* Writes the length of a word, whose bytes and line end the caller sends. */
void words_promise(struct words *w, size_t len);
void words_end_promised(struct words *w);
void words_free(struct words *w);

#endif
