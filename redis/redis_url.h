/*
 * redis_url.h - where a shared filter is: redis://HOST:PORT/NAME
 */
#ifndef REDIS_URL_H
#define REDIS_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"

enum redis_kind { REDIS_TCP, REDIS_TLS, REDIS_UNIX };

enum { REDIS_OTHERS = 15 }; /* servers beside the first at most */

struct redis_server {
    char host[256]; /* or the path of a socket */
    unsigned port;
};

struct redis_url {
    enum redis_kind kind;
    struct redis_server server; /* the first one */
    struct redis_server other[REDIS_OTHERS];
    size_t others;
    char user[128], password[256]; /* "" if not given */
    char name[200];                /* of the filter; any bytes but { and } */
};

/*
 * Parse one of
 *
 *     redis://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]].../NAME
 *     rediss://...                   the same over TLS
 *     unix://[USER[:PASSWORD]@]/PATH/OF/SOCKET/NAME
 *
 * where %XX is a byte.  Returns false and sets *why if it is none of them.
 */
bool redis_url_parse(struct redis_url *url, const char *text,
                     struct fault *why);

#endif
