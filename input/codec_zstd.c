/*
 * codec_zstd.c - Zstandard input of one or more frames, by libzstd
 */
#include "codec.h"

#ifdef FRESHET_HAVE_ZSTD

#    include <stdlib.h>
#    include <zstd.h>
#    include <zstd_errors.h>

#    define FUNCTIONS(F)                                                       \
        F(ZSTD_createDStream)                                                  \
        F(ZSTD_decompressStream)                                               \
        F(ZSTD_freeDStream)                                                    \
        F(ZSTD_getErrorCode)                                                   \
        F(ZSTD_getErrorName)                                                   \
        F(ZSTD_initDStream)                                                    \
        F(ZSTD_isError)
LIBRARY(libzstd, FRESHET_ZSTD, "libzstd1", FUNCTIONS)

struct zstd {
    ZSTD_DStream *stream;
    bool whole; /* between frames */
};

static void zstd_free(void *state)
{
    struct zstd *z = state;

    libzstd.ZSTD_freeDStream(z->stream);
    free(z);
}

static void *zstd_create(struct fault *why)
{
    struct zstd *z = codec_create(&libzstd_library, "zstd", sizeof *z, why);

    if (!z)
        return NULL;
    z->stream = libzstd.ZSTD_createDStream();
    if (!z->stream ||
        libzstd.ZSTD_isError(libzstd.ZSTD_initDStream(z->stream))) {
        codec_no_memory(why, "zstd");
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
    switch ((int)libzstd.ZSTD_getErrorCode(status)) {
    case ZSTD_error_memory_allocation:
        return codec_no_memory(why, "zstd");
    case ZSTD_error_frameParameter_windowTooLarge:
        return codec_too_large(why, "zstd");
    default:
        return codec_damaged(why, "zstd", libzstd.ZSTD_getErrorName(status));
    }
}

static int zstd_step(void *state, struct codec_io *io, struct fault *why)
{
    struct zstd *z = state;
    size_t status, moved;

    do {
        ZSTD_inBuffer in = {io->in, io->in_len, 0};
        ZSTD_outBuffer out = {io->out, io->out_len, 0};

        status = libzstd.ZSTD_decompressStream(z->stream, &out, &in);
        if (libzstd.ZSTD_isError(status))
            return zstd_fail(status, why);
        io->in += in.pos;
        io->in_len -= in.pos;
        io->out += out.pos;
        io->out_len -= out.pos;
        /* Without progress between frames the library expects a header, and the
           input would look incomplete. */
        moved = in.pos + out.pos;
        if (moved)
            z->whole = status == 0;
    } while (moved && io->in_len && io->out_len);
    return 0;
}

const struct codec codec_zstd = {"zstd",    "libzstd",     zstd_create,
                                 zstd_step, zstd_is_whole, zstd_free,
                                 NULL};

#else

const struct codec codec_zstd = {.name = "zstd", .library = "libzstd"};

#endif
