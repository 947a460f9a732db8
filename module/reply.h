/*
 * reply.h - answers in the shapes that clients expect
 */
#ifndef REPLY_H
#define REPLY_H

#include "api.h"

/*
 * Answers with an error.  The first word, in capitals, is its kind: "ERR",
 * "OOM".  The message may quote what users sent: bytes that are no text become
 * '?'.
 */
int reply_error(rm_ctx *ctx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

int reply_ok(rm_ctx *ctx);

/* An answer of names and values: a map in RESP3, a flat array in RESP2. */
struct reply_map {
    rm_ctx *ctx;
    long n;
};
struct reply_map reply_map(rm_ctx *ctx);
void reply_text(struct reply_map *map, const char *name, const char *text);
void reply_count(struct reply_map *map, const char *name, uint64_t count);
void reply_real(struct reply_map *map, const char *name, double real);
void reply_map_end(struct reply_map *map);

#endif
