/*
 * fuzz_url.c - a URL is refused with a reason, or is the same when it is
 * written again
 */
#include "fuzz.h"
#include "redis_url.h"

/* Writes each byte as %XX. */
static char *escape(char *to, const char *text)
{
    for (; *text; text++)
        to += sprintf(to, "%%%02x", (unsigned char)*text);
    return to;
}

static char *spell_server(char *to, const struct redis_server *s)
{
    MUST(*s->host && s->port > 0 && s->port < 65536);
    return to + sprintf(escape(to, s->host), ":%u", s->port) +
           3 * strlen(s->host);
}

/* Writes the URL in its plainest form. */
static void spell(char *to, const struct redis_url *url)
{
    static const char *const schemes[] = {"redis", "rediss", "unix"};

    to += sprintf(to, "%s://", schemes[url->kind]);
    if (*url->user || *url->password) {
        to = escape(to, url->user);
        *to++ = ':';
        to = escape(to, url->password);
        *to++ = '@';
    }
    if (url->kind == REDIS_UNIX) {
        *to++ = '/';
        to = escape(to, url->server.host + 1);
    } else {
        to = spell_server(to, &url->server);
        for (size_t i = 0; i < url->others; i++) {
            *to++ = ',';
            to = spell_server(to, &url->other[i]);
        }
    }
    *to++ = '/';
    *escape(to, url->name) = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char plain[1 << 15];
    char *text = malloc(size + 1);
    struct redis_url url, again;
    struct fault why = {""};

    MUST(text);
    memcpy(text, data, size);
    text[size] = '\0';
    if (!redis_url_parse(&url, text, &why)) {
        must_be_line(why.text);
    } else {
        MUST(*url.name && !strpbrk(url.name, "{}"));
        spell(plain, &url);
        MUST(redis_url_parse(&again, plain, &why));
        MUST(memcmp(&url, &again, sizeof url) == 0);
    }
    free(text);
    return 0;
}
