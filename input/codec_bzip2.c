/*
 * codec_bzip2.c - bzip2 input of one or more streams, by libbz2
 */
#include "codec.h"

#ifdef FRESHET_HAVE_BZIP2

#    include <bzlib.h>
#    include <stdint.h>
#    include <stdlib.h>

#    define FUNCTIONS(F)                                                       \
        F(BZ2_bzDecompress) F(BZ2_bzDecompressEnd) F(BZ2_bzDecompressInit)
LIBRARY(bz2, FRESHET_BZIP2, "libbz2-1.0", FUNCTIONS)

struct bzip2 {
    bz_stream stream;
    bool inside; /* inside a stream, with a decoder */
};

static void *bzip2_create(struct fault *why)
{
    return codec_create(&bz2_library, "bzip2", sizeof(struct bzip2), why);
}

static void bzip2_end(struct bzip2 *b)
{
    if (b->inside)
        bz2.BZ2_bzDecompressEnd(&b->stream);
    b->inside = false;
}

static void bzip2_free(void *state)
{
    bzip2_end(state);
    free(state);
}

static bool bzip2_is_whole(const void *state)
{
    const struct bzip2 *b = state;

    return !b->inside;
}

static int bzip2_begin(struct bzip2 *b, const struct codec_io *io,
                       struct fault *why)
{
    if (*io->in != 'B')
        return codec_followed(why, "bzip2");
    b->stream = (bz_stream){.next_in = NULL};
    if (bz2.BZ2_bzDecompressInit(&b->stream, 0, 0) != BZ_OK)
        return codec_no_memory(why, "bzip2");
    b->inside = true;
    return 0;
}

static unsigned clamped(size_t n)
{
    return n < 1u << 30 ? (unsigned)n : 1u << 30;
}

/* The library does not declare its input const, but only reads it. */
static int bzip2_decode(struct bzip2 *b, struct codec_io *io)
{
    unsigned in = clamped(io->in_len), out = clamped(io->out_len);
    int status;

    b->stream.next_in = (char *)(uintptr_t)io->in;
    b->stream.avail_in = in;
    b->stream.next_out = (char *)io->out;
    b->stream.avail_out = out;
    status = bz2.BZ2_bzDecompress(&b->stream);
    io->in += in - b->stream.avail_in;
    io->in_len -= in - b->stream.avail_in;
    io->out += out - b->stream.avail_out;
    io->out_len -= out - b->stream.avail_out;
    return status;
}

static int bzip2_fail(int status, struct fault *why)
{
    if (status == BZ_MEM_ERROR)
        return codec_no_memory(why, "bzip2");
    return codec_damaged(why, "bzip2",
                         status == BZ_DATA_ERROR_MAGIC
                             ? "a stream has no valid header"
                             : "its checksum does not match");
}

static int bzip2_step(void *state, struct codec_io *io, struct fault *why)
{
    struct bzip2 *b = state;
    bool moved = true;

    while (moved && io->out_len) {
        size_t before = io->in_len + io->out_len;
        int status;

        if (!b->inside && !io->in_len)
            break;
        if (!b->inside && bzip2_begin(b, io, why) < 0)
            return -1;
        status = bzip2_decode(b, io);
        if (status == BZ_STREAM_END)
            bzip2_end(b);
        else if (status != BZ_OK)
            return bzip2_fail(status, why);
        moved = io->in_len + io->out_len != before;
    }
    return 0;
}

const struct codec codec_bzip2 = {"bzip2",    "libbz2",       bzip2_create,
                                  bzip2_step, bzip2_is_whole, bzip2_free,
                                  NULL};

#else

const struct codec codec_bzip2 = {.name = "bzip2", .library = "libbz2"};

#endif
