/*
 * codec_zstd.c - Zstandard frames one after another, by libzstd
 */
#include "codec.h"

#ifdef FRESHET_HAVE_ZSTD

#    include <stdlib.h>
#    include <zstd.h>
#    include <zstd_errors.h>

struct zstd {
    ZSTD_DStream *stream;
    bool whole; /* between frames */
};

static void zstd_free(void *state)
{
    struct zstd *z = state;

    ZSTD_freeDStream(z->stream);
    free(z);
}

static void *zstd_create(void)
{
    struct zstd *z = calloc(1, sizeof *z);

    if (!z)
        return NULL;
    z->stream = ZSTD_createDStream();
    if (!z->stream || ZSTD_isError(ZSTD_initDStream(z->stream))) {
        zstd_free(z);
        return NULL;
    }
    return z;
}

static bool zstd_is_whole(const void *state)
{
    const struct zstd *z = state;

    return z->whole;
}

static int zstd_fail(size_t status, struct fault *why)
{
    switch ((int)ZSTD_getErrorCode(status)) {
    case ZSTD_error_memory_allocation:
        return codec_no_memory(why, "zstd");
    case ZSTD_error_frameParameter_windowTooLarge:
        return codec_too_large(why, "zstd");
    default:
        return codec_damaged(why, "zstd", ZSTD_getErrorName(status));
    }
}

static int zstd_step(void *state, struct codec_io *io, struct fault *why)
{
    struct zstd *z = state;
    size_t status, moved;

    do {
        ZSTD_inBuffer in = {io->in, io->in_len, 0};
        ZSTD_outBuffer out = {io->out, io->out_len, 0};

        status = ZSTD_decompressStream(z->stream, &out, &in);
        if (ZSTD_isError(status))
            return zstd_fail(status, why);
        io->in += in.pos;
        io->in_len -= in.pos;
        io->out += out.pos;
        io->out_len -= out.pos;
        /* Called in vain between frames it asks for a header, and would not
           look whole any more. */
        moved = in.pos + out.pos;
        if (moved)
            z->whole = status == 0;
    } while (moved && io->in_len && io->out_len);
    return 0;
}

const struct codec codec_zstd = {"zstd",    "libzstd",     zstd_create,
                                 zstd_step, zstd_is_whole, zstd_free};

#else

const struct codec codec_zstd = {.name = "zstd", .library = "libzstd"};

#endif
