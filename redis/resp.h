/*
 * resp.h - the protocol of Redis and Valkey, RESP2
 *
 * A reply is looked at where it stands: nothing is copied or allocated.  Its
 * bytes come from outside and are not trusted.
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
    RESP_ARRAY, /* so many items follow */
    RESP_NULL   /* a text or an array that is not there */
};

struct resp {
    enum resp_type type;
    struct view text; /* of a status, error or text */
    int64_t count;    /* a number, or that of an array's items */
};

enum { RESP_MOST = 1 << 26 }; /* bytes of a reply */

/* Bytes of the whole reply that begins there; 0: it is not all there yet;
   -1: it is none, or too long. */
long resp_length(struct view bytes);

/* The next item of a whole reply; false at its end. */
bool resp_next(struct view *rest, struct resp *item);

/* Pass over an item with all that is in it. */
void resp_skip(struct view *rest);

/* Does it begin with these words?  "MOVED" */
bool resp_says(const struct resp *item, const char *words);

/* The value of a name in an array of pairs; false if there is none. */
bool resp_find(struct view reply, const char *name, struct resp *value);

/* ---- Requests --------------------------------------------------------- */

/* A request that is being written.  All zero: empty. */
struct words {
    char *at;
    size_t used, size;
    bool failed; /* there was no memory for some of it */
};

/* Begin anew, with a command of so many words. */
void words_begin(struct words *w, size_t n);

/* Begin anew, with nothing; or append one more command. */
void words_clear(struct words *w);
void words_next(struct words *w, size_t n);
void words_add(struct words *w, const char *at, size_t len);
void words_text(struct words *w, const char *text);
void words_count(struct words *w, uint64_t count);

/* The length of a word, whose bytes and line end the caller sends. */
void words_promise(struct words *w, size_t len);
void words_end_promised(struct words *w);
void words_free(struct words *w);

#endif
