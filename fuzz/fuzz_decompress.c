/*
 * fuzz_decompress.c - compressed data: complete, truncated, damaged or random
 *
 * The output does not depend on how the input is divided or how many bytes are
 * read at once.  Compressed data is decoded to the original; truncated data to
 * its beginning and an error; damage does not change what was decoded before
 * it.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "decompress.h"
#include "fuzz.h"
#include "pack.h"

enum { MOST = 1 << 16, FORMATS = sizeof formats / sizeof *formats - 1 };

struct outcome {
    bool whole;
    struct bytes out;
};

/* Reads everything that is available now.  Returns whether there may be more
   later. */
static bool drain(struct decompress *d, size_t n, struct outcome *o)
{
    struct fault why = {""};
    ssize_t got;

    do {
        size_t room = MOST - o->out.len;

        n = n < room ? n : room;
        if (!n)
            return false;
        got = decompress_read(d, o->out.at + o->out.len, n, &why);
        o->out.len += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    if (got < 0 && errno == EAGAIN)
        return true;
    MUST(got == 0 || (errno == 0 && why.text[0]));
    o->whole = got == 0;
    return false;
}

/* Decompresses input that comes in chunks, reading n bytes at once, up to
   MOST. */
static struct outcome unpack(struct bytes packed, size_t chunk, size_t n)
{
    struct outcome o = {false, bytes_of(MOST)};
    struct decompress *d;
    size_t sent = 0;
    int ends[2];
    bool more;

    MUST(pipe(ends) == 0);
    MUST(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    d = decompress_create(ends[0], true);
    MUST(d);
    o.out.len = 0;
    do {
        size_t left = packed.len - sent, part = chunk < left ? chunk : left;

        if (part)
            MUST(write(ends[1], packed.at + sent, part) == (ssize_t)part);
        else
            close(ends[1]);
        sent += part;
        more = drain(d, n, &o);
        MUST(part || !more);
        if (part && !more)
            close(ends[1]);
    } while (more);
    decompress_free(d);
    close(ends[0]);
    return o;
}

static bool same_beginning(struct bytes a, struct bytes b)
{
    return memcmp(a.at, b.at, a.len < b.len ? a.len : b.len) == 0;
}

/*
 * If fewer bytes are read at once, a decoder may return more of them before an
 * error; and libzstd notices that a frame is shorter than its header says only
 * if the room is large enough for all of it.
 */
static struct outcome any_way(struct bytes packed, size_t chunk, size_t n)
{
    struct outcome a = unpack(packed, chunk, n);
    struct outcome b = unpack(packed, 4096, 4096);

    MUST(!a.whole || !b.whole || a.out.len == b.out.len);
    MUST(same_beginning(a.out, b.out));
    free(b.out.at);
    return a;
}

/* Compresses, then truncates or changes a byte. */
static void harm(struct bytes plain, const struct format *format,
                 struct input *how, size_t chunk, size_t n)
{
    struct bytes packed = format->pack(plain);
    size_t at = take(how, 2) % packed.len;
    uint8_t hit = (uint8_t)take(how, 1);
    struct outcome whole = any_way(packed, chunk, n), cut, hurt;

    MUST(whole.whole && whole.out.len == plain.len);
    MUST(same_beginning(whole.out, plain));
    cut = any_way((struct bytes){packed.at, at}, chunk, n);
    if (at >= format->magic) { /* enough to recognise the format */
        MUST(!cut.whole && cut.out.len <= plain.len);
        MUST(same_beginning(cut.out, plain));
    }
    packed.at[at] ^= hit;
    hurt = any_way(packed, chunk, n);
    if (at >= format->magic)
        MUST(same_beginning(hurt.out, cut.out));
    free(whole.out.at);
    free(cut.out.at);
    free(hurt.out.at);
    free(packed.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    unsigned kind = (unsigned)take(&in, 1) % (FORMATS + 1);
    size_t chunk = 1 + take(&in, 2) % 4096, n = 1 + take(&in, 2) % 4096;
    struct input how = in;
    struct bytes bytes;

    if (kind < FORMATS)
        take(&in, 3);
    if (in.left > MOST / 2)
        return 0;
    bytes = bytes_of(in.left);
    if (in.left)
        memcpy(bytes.at, in.at, in.left);
    if (kind < FORMATS)
        harm(bytes, &formats[kind], &how, chunk, n);
    else
        free(any_way(bytes, chunk, n).out.at);
    free(bytes.at);
    return 0;
}
