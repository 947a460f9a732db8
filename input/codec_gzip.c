/*
 * codec_gzip.c - gzip members one after another, by zlib
 *
 * Zeros may pad the last one, as on tapes; anything else is an error.
 */
#include "codec.h"

#ifdef FRESHET_HAVE_ZLIB

#    define ZLIB_CONST /* zlib only reads its input, and then says so */
#    include <stdlib.h>
#    include <zlib.h>

#    define FUNCTIONS(F)                                                       \
        F(inflate) F(inflateEnd) F(inflateInit2_) F(inflateReset) F(zError)
LIBRARY(zlib, FRESHET_ZLIB, "zlib1g", FUNCTIONS)

struct gzip {
    z_stream z;
    enum { BETWEEN, INSIDE, PADDING } at;
};

static void *gzip_create(struct fault *why)
{
    struct gzip *g = codec_create(&zlib_library, "gzip", sizeof *g, why);

    /* 16: a gzip header, and only that. */
    if (g && zlib.inflateInit2_(&g->z, 16 + MAX_WBITS, ZLIB_VERSION,
                                (int)sizeof g->z) != Z_OK) {
        codec_no_memory(why, "gzip");
        free(g);
        return NULL;
    }
    return g;
}

static void gzip_free(void *state)
{
    struct gzip *g = state;

    zlib.inflateEnd(&g->z);
    free(g);
}

static bool gzip_is_whole(const void *state)
{
    const struct gzip *g = state;

    return g->at != INSIDE;
}

/* Another member, or zeros to the end. */
static int gzip_between(struct gzip *g, struct codec_io *io, struct fault *why)
{
    if (g->at == BETWEEN && *io->in == 0x1f) {
        zlib.inflateReset(&g->z);
        g->at = INSIDE;
        return 0;
    }
    g->at = PADDING;
    for (; io->in_len && *io->in == 0; io->in_len--)
        io->in++;
    if (!io->in_len)
        return 0;
    return codec_followed(why, "gzip");
}

static uInt clamped(size_t n)
{
    return n < 1u << 30 ? (uInt)n : 1u << 30;
}

static int gzip_inflate(struct gzip *g, struct codec_io *io)
{
    uInt in = clamped(io->in_len), out = clamped(io->out_len);
    int status;

    g->z.next_in = io->in;
    g->z.avail_in = in;
    g->z.next_out = io->out;
    g->z.avail_out = out;
    status = zlib.inflate(&g->z, Z_NO_FLUSH);
    io->in += in - g->z.avail_in;
    io->in_len -= in - g->z.avail_in;
    io->out += out - g->z.avail_out;
    io->out_len -= out - g->z.avail_out;
    return status;
}

static int gzip_step(void *state, struct codec_io *io, struct fault *why)
{
    struct gzip *g = state;

    while (io->out_len) {
        int status;

        if (g->at != INSIDE) {
            if (!io->in_len)
                break;
            if (gzip_between(g, io, why) < 0)
                return -1;
            continue;
        }
        status = gzip_inflate(g, io);
        if (status == Z_STREAM_END)
            g->at = BETWEEN;
        else if (status == Z_BUF_ERROR)
            break; /* nothing to do until there is more */
        else if (status == Z_MEM_ERROR)
            return codec_no_memory(why, "gzip");
        else if (status != Z_OK)
            return codec_damaged(why, "gzip",
                                 g->z.msg ? g->z.msg : zlib.zError(status));
    }
    return 0;
}

const struct codec codec_gzip = {"gzip",    "zlib",        gzip_create,
                                 gzip_step, gzip_is_whole, gzip_free};

#else

const struct codec codec_gzip = {.name = "gzip", .library = "zlib"};

#endif
