/*
 * codec_lz4.c - LZ4 input of one or more frames, by liblz4
 */
#include "codec.h"

#ifdef FRESHET_HAVE_LZ4

#    include <lz4frame.h>
#    include <stdlib.h>
#    include <string.h>

#    define FUNCTIONS(F)                                                       \
        F(LZ4F_createDecompressionContext)                                     \
        F(LZ4F_decompress)                                                     \
        F(LZ4F_freeDecompressionContext)                                       \
        F(LZ4F_getErrorName)                                                   \
        F(LZ4F_isError)
LIBRARY(liblz4, FRESHET_LZ4, "liblz4-1", FUNCTIONS)

struct lz4 {
    LZ4F_dctx *context;
    bool whole; /* between frames */
};

static void *lz4_create(struct fault *why)
{
    struct lz4 *l = codec_create(&liblz4_library, "lz4", sizeof *l, why);

    if (l && liblz4.LZ4F_isError(
                 liblz4.LZ4F_createDecompressionContext(&l->context,
                                                        LZ4F_VERSION))) {
        codec_no_memory(why, "lz4");
        free(l);
        return NULL;
    }
    return l;
}

static void lz4_free(void *state)
{
    struct lz4 *l = state;

    liblz4.LZ4F_freeDecompressionContext(l->context);
    free(l);
}

static bool lz4_is_whole(const void *state)
{
    const struct lz4 *l = state;

    return l->whole;
}

/* Names of errors are part of the library's interface, numbers are not. */
static int lz4_fail(const char *name, struct fault *why)
{
    if (strcmp(name, "ERROR_allocation_failed") == 0)
        return codec_no_memory(why, "lz4");
    return codec_damaged(why, "lz4", name);
}

static int lz4_step(void *state, struct codec_io *io, struct fault *why)
{
    struct lz4 *l = state;
    size_t status, in, out;

    do {
        in = io->in_len;
        out = io->out_len;
        status = liblz4.LZ4F_decompress(l->context, io->out, &out, io->in, &in,
                                        NULL);
        if (liblz4.LZ4F_isError(status))
            return lz4_fail(liblz4.LZ4F_getErrorName(status), why);
        io->in += in;
        io->in_len -= in;
        io->out += out;
        io->out_len -= out;
        if (in + out) /* without progress it reports the size of the next
                         header */
            l->whole = status == 0;
    } while (in + out && io->in_len && io->out_len);
    return 0;
}

const struct codec codec_lz4 = {"lz4",        "liblz4", lz4_create, lz4_step,
                                lz4_is_whole, lz4_free, NULL};

#else

const struct codec codec_lz4 = {.name = "lz4", .library = "liblz4"};

#endif
