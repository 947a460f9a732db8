/*
 * test_codec_memory.c - decoders that find no memory say so
 *
 * The libraries' functions are replaced by ones that fail as for want of
 * memory.
 */
#include <unistd.h>

#include "check.h"
#include "decompress.h"
#include "pack.h"

#ifdef FRESHET_HAVE_ZLIB
static int inflate_nothing(z_stream *z, int flush)
{
    (void)z, (void)flush;
    return Z_MEM_ERROR;
}
#endif

#ifdef FRESHET_HAVE_ZSTD
#    include <zstd_errors.h>

static size_t zstd_nothing(ZSTD_DStream *z, ZSTD_outBuffer *out,
                           ZSTD_inBuffer *in)
{
    (void)z, (void)out, (void)in;
    return (size_t)-ZSTD_error_memory_allocation;
}
#endif

#ifdef FRESHET_HAVE_LZ4
/* Numbers of errors are not published; their names are. */
static size_t lz4_nothing(LZ4F_dctx *l, void *out, size_t *out_len,
                          const void *in, size_t *in_len,
                          const LZ4F_decompressOptions_t *options)
{
    (void)l, (void)out, (void)out_len, (void)in, (void)in_len, (void)options;
    for (size_t error = 1; LZ4F_isError(-error); error++)
        if (strcmp(LZ4F_getErrorName(-error), "ERROR_allocation_failed") == 0)
            return -error;
    abort();
}
#endif

#ifdef FRESHET_HAVE_LZMA
static lzma_ret lzma_nothing(lzma_stream *stream, lzma_action action)
{
    (void)stream, (void)action;
    return LZMA_MEM_ERROR;
}
#endif

#ifdef FRESHET_HAVE_BZIP2
static int bzip2_nothing(bz_stream *stream)
{
    (void)stream;
    return BZ_MEM_ERROR;
}
#endif

/* The functions that replace those of libraries.  ISO C has no conversion from
   a function's address to void *, so the addresses are copied. */
static const struct replacement {
    const char *name;
    void (*function)(void);
} replacements[] = {
#ifdef FRESHET_HAVE_ZLIB
    {"inflate", (void (*)(void))inflate_nothing},
#endif
#ifdef FRESHET_HAVE_ZSTD
    {"ZSTD_decompressStream", (void (*)(void))zstd_nothing},
#endif
#ifdef FRESHET_HAVE_LZ4
    {"LZ4F_decompress", (void (*)(void))lz4_nothing},
#endif
#ifdef FRESHET_HAVE_LZMA
    {"lzma_code", (void (*)(void))lzma_nothing},
#endif
#ifdef FRESHET_HAVE_BZIP2
    {"BZ2_bzDecompress", (void (*)(void))bzip2_nothing},
#endif
    {NULL, NULL},
};

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlsym(void *library, const char *name)
{
    void *found = __real_dlsym(library, name);

    if (strcmp(name, "isal_inflate") == 0)
        return NULL; /* ISA-L takes no memory, and zlib is used without it */
    for (const struct replacement *r = replacements; r->name; r++)
        if (strcmp(r->name, name) == 0)
            memcpy(&found, &r->function, sizeof found);
    return found;
}

static void want_of_memory_is_not_called_damage(void **state)
{
    unsigned char text[] = "some text";

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack((struct bytes){text, sizeof text});
        struct fault why = {""};
        struct decompress *d;
        char out[16], wanted[64];
        int pipes[2];

        assert_int_equal(pipe(pipes), 0);
        assert_int_equal(write(pipes[1], packed.at, packed.len), packed.len);
        close(pipes[1]);
        d = decompress_create(pipes[0], true);
        assert_int_equal(decompress_read(d, out, sizeof out, &why), -1);
        snprintf(wanted, sizeof wanted, "no memory to decompress %s data",
                 f->name);
        assert_string_equal(why.text, wanted);
        decompress_free(d);
        close(pipes[0]);
        free(packed.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(want_of_memory_is_not_called_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
