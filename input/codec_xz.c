/*
 * codec_xz.c - xz input of one or more streams, by liblzma
 *
 * Zeros may pad each stream to a multiple of four bytes, as the format allows.
 */
#include "codec.h"

#ifdef FRESHET_HAVE_LZMA

#    include <lzma.h>
#    include <stdlib.h>

#    define FUNCTIONS(F) F(lzma_code) F(lzma_end) F(lzma_stream_decoder)
LIBRARY(lzma, FRESHET_LZMA, "liblzma5", FUNCTIONS)

/* xz -9 needs 65 MiB; the format allows files that need gigabytes. */
#    define MEMORY_LIMIT (UINT64_C(256) << 20)

struct xz {
    lzma_stream stream;
    bool inside;      /* inside a stream; else before one, or in its padding */
    unsigned padding; /* zeros since the last stream, modulo 4 */
};

static bool xz_begin(struct xz *x)
{
    return lzma.lzma_stream_decoder(&x->stream, MEMORY_LIMIT, 0) == LZMA_OK;
}

static void *xz_create(struct fault *why)
{
    struct xz *x = codec_create(&lzma_library, "xz", sizeof *x, why);

    if (x && !xz_begin(x)) {
        codec_no_memory(why, "xz");
        free(x);
        return NULL;
    }
    return x;
}

static void xz_free(void *state)
{
    struct xz *x = state;

    lzma.lzma_end(&x->stream);
    free(x);
}

static bool xz_is_whole(const void *state)
{
    const struct xz *x = state;

    return !x->inside && x->padding == 0;
}

/* Skips zeros; anything else must begin another stream. */
static int xz_between(struct xz *x, struct codec_io *io, struct fault *why)
{
    for (; io->in_len && *io->in == 0; io->in++, io->in_len--)
        x->padding = (x->padding + 1) % 4;
    if (!io->in_len)
        return 0;
    if (x->padding || *io->in != 0xfd)
        return codec_followed(why, "xz");
    x->inside = true;
    return xz_begin(x) ? 0 : codec_no_memory(why, "xz");
}

static lzma_ret xz_decode(struct xz *x, struct codec_io *io)
{
    lzma_ret status;

    x->stream.next_in = io->in;
    x->stream.avail_in = io->in_len;
    x->stream.next_out = io->out;
    x->stream.avail_out = io->out_len;
    status = lzma.lzma_code(&x->stream, LZMA_RUN);
    io->in += io->in_len - x->stream.avail_in;
    io->in_len = x->stream.avail_in;
    io->out += io->out_len - x->stream.avail_out;
    io->out_len = x->stream.avail_out;
    return status;
}

static int xz_fail(lzma_ret status, struct fault *why)
{
    switch ((int)status) {
    case LZMA_MEM_ERROR:
        return codec_no_memory(why, "xz");
    case LZMA_MEMLIMIT_ERROR:
        return codec_too_large(why, "xz");
    case LZMA_FORMAT_ERROR:
        return codec_damaged(why, "xz", "a stream has no valid header");
    case LZMA_OPTIONS_ERROR:
        return codec_damaged(why, "xz", "its options are unknown");
    default:
        return codec_damaged(why, "xz", "its data is inconsistent");
    }
}

static int xz_step(void *state, struct codec_io *io, struct fault *why)
{
    struct xz *x = state;

    while (io->out_len) {
        lzma_ret status;

        if (!x->inside) {
            if (!io->in_len)
                break;
            if (xz_between(x, io, why) < 0)
                return -1;
            continue;
        }
        status = xz_decode(x, io);
        if (status == LZMA_STREAM_END)
            x->inside = false;
        else if (status == LZMA_BUF_ERROR)
            break; /* more input is needed */
        else if (status != LZMA_OK)
            return xz_fail(status, why);
    }
    return 0;
}

const struct codec codec_xz = {"xz",        "liblzma", xz_create, xz_step,
                               xz_is_whole, xz_free,   NULL};

#else

const struct codec codec_xz = {.name = "xz", .library = "liblzma"};

#endif
