/*
 * redis_url.h - where a shared filter is: redis://HOST:PORT/NAME
 */
#ifndef REDIS_URL_H
#define REDIS_URL_H

#include <stdbool.h>

#include "fault.h"

enum redis_kind { REDIS_TCP, REDIS_TLS, REDIS_UNIX };

struct redis_url {
    enum redis_kind kind;
    char host[256]; /* or the path of a socket */
    unsigned port;
    char user[128], password[256]; /* "" if not given */
    char name[200];                /* of the filter; any bytes but { and } */
};

/*
 * One of
 *
 *     redis://[USER[:PASSWORD]@]HOST[:PORT]/NAME
 *     rediss://...                   the same over TLS
 *     unix://[USER[:PASSWORD]@]/PATH/OF/SOCKET/NAME
 *
 * where %XX is a byte.  False: why not.
 */
bool redis_url_parse(struct redis_url *url, const char *text,
                     struct fault *why);

#endif
