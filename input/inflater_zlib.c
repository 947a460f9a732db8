/*
 * inflater_zlib.c - decodes a gzip member with zlib
 */
#include "inflater.h"

#ifdef FRESHET_HAVE_ZLIB

#    define ZLIB_CONST /* declares the input const */
#    include <stdlib.h>
#    include <zlib.h>

#    define FUNCTIONS(F)                                                       \
        F(inflate) F(inflateEnd) F(inflateInit2_) F(inflateReset) F(zError)
LIBRARY(zlib, FRESHET_ZLIB, "zlib1g", FUNCTIONS)

static void *create(struct fault *why)
{
    z_stream *z = codec_create(&zlib_library, "gzip", sizeof *z, why);

    /* 16: require a gzip header. */
    if (z && zlib.inflateInit2_(z, 16 + MAX_WBITS, ZLIB_VERSION,
                                (int)sizeof *z) != Z_OK) {
        codec_no_memory(why, "gzip");
        free(z);
        return NULL;
    }
    return z;
}

static void reset(void *state)
{
    zlib.inflateReset(state);
}

static uInt clamped(size_t n)
{
    return n < 1u << 30 ? (uInt)n : 1u << 30;
}

static int inflate_some(z_stream *z, struct codec_io *io)
{
    uInt in = clamped(io->in_len), out = clamped(io->out_len);
    int status;

    z->next_in = io->in;
    z->avail_in = in;
    z->next_out = io->out;
    z->avail_out = out;
    status = zlib.inflate(z, Z_NO_FLUSH);
    io->in += in - z->avail_in;
    io->in_len -= in - z->avail_in;
    io->out += out - z->avail_out;
    io->out_len -= out - z->avail_out;
    return status;
}

static enum inflater_result step(void *state, struct codec_io *io,
                                 struct fault *why)
{
    z_stream *z = state;

    for (;;) {
        int status = inflate_some(z, io);

        if (status == Z_STREAM_END)
            return INFLATER_END;
        if (status == Z_BUF_ERROR) /* more input is needed */
            return INFLATER_MORE;
        if (status == Z_MEM_ERROR)
            return codec_no_memory(why, "gzip");
        if (status != Z_OK)
            return codec_damaged(why, "gzip",
                                 z->msg ? z->msg : zlib.zError(status));
    }
}

static void free_state(void *state)
{
    zlib.inflateEnd(state);
    free(state);
}

const struct inflater inflater_zlib = {create, reset, step, free_state, NULL};

#else

const struct inflater inflater_zlib = {0};

#endif
