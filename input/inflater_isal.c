/*
 * inflater_isal.c - decodes a gzip member with ISA-L
 */
#include "inflater.h"

#ifdef FRESHET_HAVE_ISAL

#    include <isa-l/igzip_lib.h>
#    include <stdlib.h>

#    define FUNCTIONS(F)                                                       \
        F(isal_inflate) F(isal_inflate_init) F(isal_inflate_reset)
LIBRARY(isal, FRESHET_ISAL, "libisal2", FUNCTIONS)

static void *create(struct fault *why)
{
    struct inflate_state *s =
        codec_create(&isal_library, "gzip", sizeof *s, why);

    if (s) {
        isal.isal_inflate_init(s);
        s->crc_flag = ISAL_GZIP;
    }
    return s;
}

static void reset(void *state)
{
    isal.isal_inflate_reset(state); /* keeps crc_flag */
}

static uint32_t clamped(size_t n)
{
    return n < 1u << 30 ? (uint32_t)n : 1u << 30;
}

static int inflate_some(struct inflate_state *s, struct codec_io *io)
{
    uint32_t in = clamped(io->in_len), out = clamped(io->out_len);
    int status;

    s->next_in = (uint8_t *)(uintptr_t)io->in; /* only read */
    s->avail_in = in;
    s->next_out = io->out;
    s->avail_out = out;
    status = isal.isal_inflate(s);
    io->in += in - s->avail_in;
    io->in_len -= in - s->avail_in;
    io->out += out - s->avail_out;
    io->out_len -= out - s->avail_out;
    return status;
}

static const char *detail(int status)
{
    switch (status) {
    case ISAL_INVALID_BLOCK:
        return "invalid block";
    case ISAL_INVALID_SYMBOL:
        return "invalid code";
    case ISAL_INVALID_LOOKBACK:
        return "invalid distance too far back";
    case ISAL_INVALID_WRAPPER:
        return "incorrect header check";
    case ISAL_UNSUPPORTED_METHOD:
        return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM:
        return "incorrect data check";
    default:
        return "unknown error";
    }
}

static enum inflater_result step(void *state, struct codec_io *io,
                                 struct fault *why)
{
    struct inflate_state *s = state;
    size_t in, out;

    do {
        int status;

        in = io->in_len;
        out = io->out_len;
        status = inflate_some(s, io);
        if (status != ISAL_DECOMP_OK)
            return codec_damaged(why, "gzip", detail(status));
        if (s->block_state == ISAL_BLOCK_FINISH)
            return INFLATER_END;
    } while (io->in_len != in || io->out_len != out);
    return INFLATER_MORE;
}

const struct inflater inflater_isal = {create, reset, step, free};

#else

const struct inflater inflater_isal = {0};

#endif
