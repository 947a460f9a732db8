/*
 * pack.h - compressed data for tests and fuzzers to take apart
 */
#ifndef PACK_H
#define PACK_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FRESHET_HAVE_ZLIB
#    define ZLIB_CONST
#    include <zlib.h>
#endif
#ifdef FRESHET_HAVE_ZSTD
#    include <zstd.h>
#endif
#ifdef FRESHET_HAVE_LZ4
#    include <lz4frame.h>
#endif
#ifdef FRESHET_HAVE_LZMA
#    include <lzma.h>
#endif
#ifdef FRESHET_HAVE_BZIP2
#    include <bzlib.h>
#endif

#include "initialised.h"

/* Bytes that one owns. */
struct bytes {
    unsigned char *at;
    size_t len;
};

/* There is no test framework here: a program that cannot pack ends. */
static inline void pack_must(bool done)
{
    if (!done)
        abort();
}

static inline struct bytes bytes_of(size_t room)
{
    struct bytes b = {malloc(room + 1), room};

    pack_must(b.at);
    return b;
}

/* Returns a file without a name that has these bytes. */
static inline int file_with(struct bytes b)
{
    char name[] = "/tmp/freshet-test-XXXXXX";
    int fd = mkstemp(name);

    pack_must(fd >= 0);
    unlink(name);
    INITIALISED(b.at, b.len);
    pack_must(write(fd, b.at, b.len) == (ssize_t)b.len);
    pack_must(lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

#ifdef FRESHET_HAVE_ZLIB
/* The header may be NULL. */
static struct bytes pack_gzip_with(struct bytes plain, gz_header *header)
{
    struct bytes out = bytes_of(plain.len + plain.len / 100 + 200);
    z_stream z = {0};

    pack_must(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8,
                           Z_DEFAULT_STRATEGY) == Z_OK);
    pack_must(!header || deflateSetHeader(&z, header) == Z_OK);
    z.next_in = plain.at;
    z.avail_in = (uInt)plain.len;
    z.next_out = out.at;
    z.avail_out = (uInt)out.len;
    pack_must(deflate(&z, Z_FINISH) == Z_STREAM_END);
    out.len -= z.avail_out;
    deflateEnd(&z);
    return out;
}

static struct bytes pack_gzip(struct bytes plain)
{
    return pack_gzip_with(plain, NULL);
}
#endif

#ifdef FRESHET_HAVE_ZSTD
static struct bytes pack_zstd(struct bytes plain)
{
    struct bytes out = bytes_of(ZSTD_compressBound(plain.len));
    ZSTD_CCtx *c = ZSTD_createCCtx();

    pack_must(c);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    out.len = ZSTD_compress2(c, out.at, out.len, plain.at, plain.len);
    pack_must(!ZSTD_isError(out.len));
    ZSTD_freeCCtx(c);
    return out;
}
#endif

#ifdef FRESHET_HAVE_LZ4
static struct bytes pack_lz4(struct bytes plain)
{
    LZ4F_preferences_t p = {
        .frameInfo = {.contentChecksumFlag = LZ4F_contentChecksumEnabled}};
    struct bytes out = bytes_of(LZ4F_compressFrameBound(plain.len, &p));

    out.len = LZ4F_compressFrame(out.at, out.len, plain.at, plain.len, &p);
    pack_must(!LZ4F_isError(out.len));
    return out;
}
#endif

#ifdef FRESHET_HAVE_LZMA
static struct bytes pack_xz(struct bytes plain)
{
    struct bytes out = bytes_of(lzma_stream_buffer_bound(plain.len));
    size_t len = 0;

    pack_must(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, plain.at,
                                      plain.len, out.at, &len,
                                      out.len) == LZMA_OK);
    out.len = len;
    return out;
}
#endif

#ifdef FRESHET_HAVE_BZIP2
static struct bytes pack_bzip2(struct bytes plain)
{
    struct bytes out = bytes_of(plain.len + plain.len / 100 + 600);
    unsigned len = (unsigned)out.len;

    pack_must(BZ2_bzBuffToBuffCompress((char *)out.at, &len, (char *)plain.at,
                                       (unsigned)plain.len, 1, 0, 0) == BZ_OK);
    out.len = len;
    return out;
}
#endif

struct format {
    const char *name;
    size_t magic; /* bytes that tell the format */
    struct bytes (*pack)(struct bytes plain);
};

/* The formats this build can read. */
static const struct format formats[] = {
#ifdef FRESHET_HAVE_ZLIB
    {"gzip", 3, pack_gzip},
#endif
#ifdef FRESHET_HAVE_ZSTD
    {"zstd", 4, pack_zstd},
#endif
#ifdef FRESHET_HAVE_LZ4
    {"lz4", 4, pack_lz4},
#endif
#ifdef FRESHET_HAVE_LZMA
    {"xz", 6, pack_xz},
#endif
#ifdef FRESHET_HAVE_BZIP2
    {"bzip2", 10, pack_bzip2},
#endif
    {NULL, 0, NULL},
};

#endif
