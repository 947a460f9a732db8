/*
 * decompress.c - reads files that may be compressed
 */
#include "decompress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec.h"
#include "initialised.h"

enum { BUFFER = 128 << 10, EXACT = 16 };

struct decompress {
    int fd;
    bool decided, ended;       /* the format is known; fd is at its end */
    bool pending;              /* more decoded bytes are waiting for room */
    const struct codec *codec; /* NULL: plain */
    void *state;
    struct inflate_team *team; /* NULL: none */
    bool is_cut;               /* the damage is that fd ended too early */
    struct fault damage; /* if not empty, all further calls fail with it */
    size_t at, len;      /* the unread bytes of the buffer */
    unsigned char buffer[BUFFER];
};

/*
 * The first bytes of each format.  Zstandard's skippable frames have 16 magic
 * numbers; LZ4 shares them, but only pzstd is known to put them first.  "BZh"
 * and a digit may begin a text, so the magic of a block or of the end of the
 * stream must follow.
 */
static const struct magic {
    const struct codec *codec;
    const char *bytes;
    size_t len;
    size_t loose; /* index of a byte of which only the upper half is compared */
} magics[] = {
    {&codec_gzip, "\x1f\x8b\x08", 3, EXACT},
    {&codec_zstd, "\x28\xb5\x2f\xfd", 4, EXACT},
    {&codec_zstd, "\x50\x2a\x4d\x18", 4, 0},
    {&codec_lz4, "\x04\x22\x4d\x18", 4, EXACT},
    {&codec_xz, "\xfd\x37\x7a\x58\x5a\x00", 6, EXACT},
    {&codec_bzip2, "BZh01AY&SY", 10, 3},
    {&codec_bzip2, "BZh0\x17rE8P\x90", 10, 3},
};

struct decompress *decompress_create(int fd, bool detect)
{
    struct decompress *d = malloc(sizeof *d);

    if (!d)
        return NULL;
    memset(d, 0, offsetof(struct decompress, buffer));
    d->fd = fd;
    d->decided = !detect;
    return d;
}

void decompress_use_team(struct decompress *d, struct inflate_team *team)
{
    d->team = team;
}

void decompress_free(struct decompress *d)
{
    if (!d)
        return;
    if (d->state)
        d->codec->free(d->state);
    free(d);
}

static int fail(struct decompress *d, struct fault *why)
{
    fault_set(why, "%s", d->damage.text);
    errno = 0;
    return -1;
}

/* Reads more into the free end of the buffer.  Returns 0 at the end of fd,
   too. */
static int fill(struct decompress *d, struct fault *why)
{
    ssize_t got;

    if (d->at == d->len)
        d->at = d->len = 0;
    got = read(d->fd, d->buffer + d->len, BUFFER - d->len);
    if (got < 0) {
        int error = errno;

        fault_set(why, "cannot read: %s", strerror(error));
        errno = error;
        return -1;
    }
    d->len += (size_t)got;
    d->ended = got == 0;
    return 0;
}

/* Returns whether the first bytes, even if they are few, match a format. */
static bool begins(const unsigned char *first, size_t len,
                   const struct magic *m)
{
    for (size_t i = 0; i < len && i < m->len; i++)
        if ((first[i] ^ (unsigned char)m->bytes[i]) &
            (i == m->loose ? 0xf0 : 0xff))
            return false;
    return true;
}

bool decompress_begins(const unsigned char *first, size_t len)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (begins(first, len, &magics[i]))
            return true;
    return false;
}

/* Finds the format by the first bytes.  It stays undecided if more bytes may
   decide. */
static void detect(struct decompress *d)
{
    bool open = false;

    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const struct magic *m = &magics[i];

        if (!begins(d->buffer, d->len, m))
            continue;
        open = open || d->len < m->len;
        if (d->len >= m->len)
            d->codec = m->codec;
    }
    d->decided = d->codec || !open || d->ended;
}

static int decide(struct decompress *d, struct fault *why)
{
    while (!d->decided) {
        if (fill(d, why) < 0)
            return -1;
        detect(d);
    }
    if (!d->codec || d->state)
        return 0;
    if (!d->codec->create) {
        fault_set(&d->damage,
                  "this is %s data, and this freshet was built without %s",
                  d->codec->name, d->codec->library);
        return fail(d, why);
    }
    d->state = d->codec->create(&d->damage);
    if (d->state && d->team && d->codec->use_team)
        d->codec->use_team(d->state, d->team);
    return d->state ? 0 : fail(d, why);
}

static ssize_t read_plain(struct decompress *d, void *out, size_t n,
                          struct fault *why)
{
    size_t left = d->len - d->at;
    ssize_t got;

    if (left) {
        n = n < left ? n : left;
        memcpy(out, d->buffer + d->at, n);
        d->at += n;
        return (ssize_t)n;
    }
    if (d->ended) /* a terminal would wait for more input */
        return 0;
    got = read(d->fd, out, n);
    if (got < 0) {
        int error = errno;

        fault_set(why, "cannot read: %s", strerror(error));
        errno = error;
    }
    d->ended = got == 0;
    return got;
}

/* Decodes the available input.  Returns the number of bytes written, or -1. */
static ssize_t decode(struct decompress *d, void *out, size_t n,
                      struct fault *why)
{
    struct codec_io io = {d->buffer + d->at, d->len - d->at, out, n};

    if (d->codec->step(d->state, &io, &d->damage) < 0)
        d->pending = false;
    else
        d->pending = io.out_len == 0;
    d->at = d->len - io.in_len;
    INITIALISED(out, n - io.out_len);
    /* Bytes before the damage are returned first. */
    if (d->damage.text[0] && io.out_len == n)
        return fail(d, why);
    return (ssize_t)(n - io.out_len);
}

static ssize_t read_packed(struct decompress *d, void *out, size_t n,
                           struct fault *why)
{
    for (;;) {
        if (d->damage.text[0])
            return fail(d, why);
        if (d->at < d->len || d->pending) {
            ssize_t got = decode(d, out, n, why);

            if (got)
                return got;
            /* With room left, the codec consumes all input. */
            if (d->at < d->len)
                fault_set(&d->damage, "%s data is damaged", d->codec->name);
        }
        if (d->at == d->len && d->ended) {
            if (d->codec->is_whole(d->state))
                return 0;
            fault_set(&d->damage, "%s data is cut off", d->codec->name);
            d->is_cut = true;
        } else if (!d->damage.text[0] && fill(d, why) < 0) {
            return -1;
        }
    }
}

ssize_t decompress_read(struct decompress *d, void *out, size_t n,
                        struct fault *why)
{
    if (d->damage.text[0])
        return fail(d, why);
    if (decide(d, why) < 0)
        return -1;
    return d->codec ? read_packed(d, out, n, why) : read_plain(d, out, n, why);
}

bool decompress_is_ready(const struct decompress *d)
{
    return d->damage.text[0] || d->pending || d->ended ||
           (d->decided && d->at < d->len);
}

bool decompress_is_cut(const struct decompress *d)
{
    return d->is_cut;
}

const char *decompress_format(const struct decompress *d)
{
    if (!d->decided)
        return NULL;
    return d->codec ? d->codec->name : "plain";
}
