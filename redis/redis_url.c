/*
 * redis_url.c - where a shared filter is: redis://HOST:PORT/NAME
 */
#define _GNU_SOURCE /* strchrnul */
#include "redis_url.h"

#include <stdlib.h>
#include <string.h>

#include "system.h"
#include "view.h"

enum { REDIS_PORT = 6379 };

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c | ('A' <= c && c <= 'F') << 5) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* Writes a part with its %XX decoded, and a zero.  Returns false if it is too
   long, contains a zero, or has a % without two digits. */
static bool decode(char *out, size_t size, struct view part)
{
    size_t n = 0;

    for (size_t i = 0; i < part.len; i++) {
        char c = part.at[i];

        if (c == '%') {
            int high = i + 2 < part.len ? digit_of(part.at[i + 1]) : -1;
            int low = high < 0 ? -1 : digit_of(part.at[i + 2]);

            if (low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (c == '\0' || n + 1 >= size)
            return false;
        out[n++] = c;
    }
    out[n] = '\0';
    return true;
}

/* Returns the text before the first c, and moves *rest past c.  Without a c it
   returns all of the text if otherwise is true, else an empty one. */
static struct view cut(struct view *rest, char c, bool otherwise)
{
    const char *at = rest->len ? memchr(rest->at, c, rest->len) : NULL;
    struct view before = {rest->at, at ? (size_t)(at - rest->at) : rest->len};

    if (!at && !otherwise)
        return (struct view){rest->at, 0};
    rest->at += before.len + (at != NULL);
    rest->len -= before.len + (at != NULL);
    return before;
}

static bool parse_scheme(struct redis_url *url, struct view *rest,
                         struct fault *why)
{
    static const char *const schemes[] = {[REDIS_TCP] = "redis://",
                                          [REDIS_TLS] = "rediss://",
                                          [REDIS_UNIX] = "unix://"};

    for (int i = 0; i < 3; i++) {
        size_t len = strlen(schemes[i]);

        if (rest->len >= len && memcmp(rest->at, schemes[i], len) == 0) {
            url->kind = (enum redis_kind)i;
            rest->at += len;
            rest->len -= len;
            return true;
        }
    }
    fault_set(why, "begins with redis://, rediss:// or unix://");
    return false;
}

static bool parse_user(struct redis_url *url, struct view *rest,
                       struct fault *why)
{
    size_t slash = (size_t)(strchrnul(rest->at, '/') - rest->at);
    struct view authority = {rest->at, slash}, user;

    if (!memchr(authority.at, '@', authority.len))
        return true;
    authority = cut(rest, '@', false);
    user = cut(&authority, ':', true);
    if (decode(url->user, sizeof url->user, user) &&
        decode(url->password, sizeof url->password, authority))
        return true;
    fault_set(why, "user or password is too long, or has a %% that is not "
                   "followed by two digits");
    return false;
}

static bool parse_port(struct redis_server *server, struct view digits)
{
    if (digits.len == 0 || digits.len > 5)
        return false;
    server->port = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.at[i] < '0' || digits.at[i] > '9')
            return false;
        server->port = server->port * 10 + (unsigned)(digits.at[i] - '0');
    }
    return server->port > 0 && server->port < 65536;
}

/* Parses 1:2::3][:PORT] up to PORT, if there is one. */
static bool parse_bracketed(struct view *place, struct view *host, bool *port)
{
    const char *end = place->at + place->len;

    *host = cut(place, ']', true);
    if (host->at + host->len == end || (place->len && place->at[0] != ':'))
        return false;
    *port = place->len != 0;
    place->at += *port;
    place->len -= *port;
    return true;
}

/* Parses HOST[:PORT], or [1:2::3][:PORT]. */
static bool parse_server(struct redis_server *server, struct view place)
{
    const char *end = place.at + place.len;
    bool good = true, port;
    struct view host;

    if (place.len && place.at[0] == '[') {
        place.at++;
        place.len--;
        good = parse_bracketed(&place, &host, &port);
    } else {
        host = cut(&place, ':', true);
        port = host.at + host.len < end;
    }
    server->port = REDIS_PORT;
    return good && host.len &&
           decode(server->host, sizeof server->host, host) &&
           (!port || parse_port(server, place));
}

/* Parses one server, or several with commas between them. */
static bool parse_servers(struct redis_url *url, struct view *rest,
                          struct fault *why)
{
    struct view list = cut(rest, '/', true);
    struct redis_server *server = &url->server;
    bool more = true;

    while (more) {
        struct view one = cut(&list, ',', true);

        more = one.at + one.len < list.at;
        if (!parse_server(server, one))
            return fault_set(why, "needs a host, and a port up to 65535 if "
                                  "any");
        if (more && url->others == REDIS_OTHERS)
            return fault_set(why, "names at most %d servers", REDIS_OTHERS + 1);
        if (more)
            server = &url->other[url->others++];
    }
    return true;
}

/* Parses PATH/NAME: the socket is all but the last part. */
static bool parse_path(struct redis_url *url, struct view *rest,
                       struct fault *why)
{
    const char *slash = system_last_byte(rest->at, '/', rest->len);
    size_t len = slash ? (size_t)(slash - rest->at) : 0;

    if (len == 0 || rest->at[0] != '/' ||
        !decode(url->server.host, sizeof url->server.host,
                (struct view){rest->at, len})) {
        fault_set(why, "needs the whole path of a socket, then /NAME");
        return false;
    }
    rest->at += len + 1;
    rest->len -= len + 1;
    return true;
}

bool redis_url_parse(struct redis_url *url, const char *text, struct fault *why)
{
    struct view rest = {text, strlen(text)};

    *url = (struct redis_url){0};
    if (!parse_scheme(url, &rest, why) || !parse_user(url, &rest, why) ||
        !(url->kind == REDIS_UNIX ? parse_path(url, &rest, why)
                                  : parse_servers(url, &rest, why)))
        return false;
    if (rest.len && decode(url->name, sizeof url->name, rest) &&
        !strpbrk(url->name, "{}"))
        return true;
    fault_set(why,
              "ends with /NAME, the name of a filter, at most %zu bytes "
              "without { and }",
              sizeof url->name - 1);
    return false;
}
