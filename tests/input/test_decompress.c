/*
 * test_decompress.c - what was compressed comes back, or an error does
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "decompress.h"
#include "pack.h"

/* A string's bytes, without the zero. */
#define LITERAL(text)                                                          \
    {                                                                          \
        (unsigned char[]){text}, sizeof(text) - 1                              \
    }

/* Words in a fixed but irregular order. */
static struct bytes text_of(size_t len)
{
    static const char *const words[] = {"one ", "two\n", "three ", "four "};
    struct bytes b = bytes_of(len);
    unsigned x = 1;

    for (size_t i = 0; i < len; i++) {
        x = i % 4 ? x : x * 1103515245 + 12345;
        b.at[i] = (unsigned char)words[x >> 16 & 3][i % 4];
    }
    return b;
}

static struct bytes joined(struct bytes a, struct bytes b)
{
    struct bytes both = bytes_of(a.len + b.len);

    memcpy(both.at, a.at, a.len);
    memcpy(both.at + a.len, b.at, b.len);
    return both;
}

/* All that comes out, at most n at a time.  True if the end was reached, false
   and a reason if it failed. */
static bool unpack(struct bytes packed, size_t n, struct bytes *out,
                   char format[8], struct fault *why)
{
    int fd = file_with(packed);
    struct decompress *d = decompress_create(fd, true);
    size_t room = 1 << 12;
    ssize_t got;

    assert_non_null(d);
    *out = bytes_of(room);
    out->len = 0;
    do {
        if (room - out->len < n)
            out->at = realloc(out->at, room = 2 * room + n);
        assert_non_null(out->at);
        got = decompress_read(d, out->at + out->len, n, why);
        out->len += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    if (got < 0) { /* and it goes on failing */
        assert_int_equal(decompress_read(d, format, 1, NULL), -1);
        assert_int_equal(errno, 0);
    }
    snprintf(format, 8, "%s", decompress_format(d));
    decompress_free(d);
    close(fd);
    return got == 0;
}

#define assert_unpacks(packed, n, plain, wanted_format)                        \
    do {                                                                       \
        struct fault why_ = {""};                                              \
        struct bytes out_, plain_ = (plain);                                   \
        char format_[8];                                                       \
        if (!unpack(packed, n, &out_, format_, &why_))                         \
            fail_msg("%s", why_.text);                                         \
        assert_string_equal(format_, wanted_format);                           \
        assert_int_equal(out_.len, plain_.len);                                \
        assert_memory_equal(out_.at, plain_.at, plain_.len);                   \
        free(out_.at);                                                         \
    } while (0)

#define assert_fails(packed, wanted_why)                                       \
    do {                                                                       \
        struct fault why_ = {""};                                              \
        struct bytes out_;                                                     \
        char format_[8];                                                       \
        assert_false(unpack(packed, 4096, &out_, format_, &why_));             \
        assert_contains(why_.text, wanted_why);                                \
        free(out_.at);                                                         \
    } while (0)

static void plain_data_passes_untouched(void **state)
{
    const struct bytes small[] = {
        LITERAL(""),
        LITERAL("a"),
        LITERAL("\x1f"),
        LITERAL("\x1f\x8b"),
        LITERAL("\x1f\x8b\x07"),
        LITERAL("\x28\xb5\x2f"),
        LITERAL("\x04\x22\x4d\x19plain"),
        LITERAL("(P\0\n"),
        LITERAL("\xfd"
                "7zXZ\n"),
        LITERAL("BZh9"),
        LITERAL("BZh9 is how bzip2 begins"),
        LITERAL("BZhX1AY&SY"),
    };
    struct bytes large = text_of(1000000);

    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        for (size_t n = 1; n < 6; n++)
            assert_unpacks(small[i], n, small[i], "plain");
    assert_unpacks(large, 65536, large, "plain");
    assert_unpacks(large, 777, large, "plain");
    free(large.at);
}

static void nothing_is_detected_when_not_asked_to(void **state)
{
    struct bytes magic = LITERAL("\x1f\x8b\x08rest");
    int fd = file_with(magic);
    struct decompress *d = decompress_create(fd, false);
    char out[16];

    (void)state;
    assert_int_equal(decompress_read(d, out, sizeof out, NULL), 7);
    assert_memory_equal(out, magic.at, 7);
    assert_int_equal(decompress_read(d, out, sizeof out, NULL), 0);
    decompress_free(d);
    close(fd);
}

static void what_was_packed_comes_back(void **state)
{
    static const size_t sizes[] = {0, 1, 100, 70000, 3000000};

    (void)state;
    for (const struct format *f = formats; f->name; f++)
        for (size_t i = 0; i < 5; i++) {
            struct bytes plain = text_of(sizes[i]), packed = f->pack(plain);

            assert_unpacks(packed, 100000, plain, f->name);
            if (sizes[i] <= 70000) {
                assert_unpacks(packed, 1, plain, f->name);
                assert_unpacks(packed, 333, plain, f->name);
            }
            free(plain.at);
            free(packed.at);
        }
}

static void members_follow_each_other(void **state)
{
    struct bytes one = text_of(70000), two = text_of(10), none = text_of(0);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes a = f->pack(one), b = f->pack(two), c = f->pack(none);
        struct bytes ab = joined(a, b), abc = joined(ab, c);
        struct bytes all = joined(abc, a), twice = joined(one, two);
        struct bytes plain = joined(twice, one);

        assert_unpacks(all, 5000, plain, f->name);
        assert_unpacks(all, 1, plain, f->name);
        free(a.at), free(b.at), free(c.at), free(ab.at), free(abc.at);
        free(all.at), free(twice.at), free(plain.at);
    }
    free(one.at), free(two.at), free(none.at);
}

static void cut_off_data_is_an_error_wherever_it_is_cut(void **state)
{
    struct bytes plain = text_of(300);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain), two = joined(packed, packed);

        for (size_t len = f->magic; len < two.len; len++)
            if (len != packed.len)
                assert_fails(((struct bytes){two.at, len}), "is cut off");
        free(packed.at);
        free(two.at);
    }
    free(plain.at);
}

static void no_flipped_bit_gives_other_data(void **state)
{
    struct bytes plain = text_of(300), out;
    struct fault why = {""};
    char format[8];

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain);

        /* A broken magic number is plain data. */
        for (size_t bit = f->magic * 8; bit < packed.len * 8; bit++) {
            packed.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
            if (unpack(packed, 100, &out, format, &why)) {
                assert_int_equal(out.len, plain.len);
                assert_memory_equal(out.at, plain.at, plain.len);
            }
            free(out.at);
            packed.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        packed.at[packed.len / 2] ^= 0xff;
        assert_fails(packed, "is damaged");
        free(packed.at);
    }
    free(plain.at);
}

static void garbage_behind_the_data_is_an_error(void **state)
{
    struct bytes plain = text_of(300), garbage = text_of(50);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain), both = joined(packed, garbage);

        assert_fails(both, "data is ");
        free(packed.at);
        free(both.at);
    }
    free(plain.at);
    free(garbage.at);
}

#ifdef FRESHET_HAVE_ZLIB
static void zeros_may_pad_gzip(void **state)
{
    struct bytes plain = text_of(300), packed = pack_gzip(plain);
    struct bytes zeros = bytes_of(9000), both;

    (void)state;
    memset(zeros.at, 0, zeros.len);
    both = joined(packed, zeros);
    assert_unpacks(both, 100, plain, "gzip");
    both.at[both.len - 1] = 0x1f;
    assert_fails(both, "followed by something else");
    free(plain.at), free(packed.at), free(zeros.at), free(both.at);
}
#endif

#ifdef FRESHET_HAVE_LZMA
/* By four, between streams and behind the last. */
static void zeros_may_pad_xz(void **state)
{
    static unsigned char zeros[8];
    struct bytes plain = text_of(300), packed = pack_xz(plain);
    struct bytes twice = joined(plain, plain);
    struct bytes padded = joined(packed, (struct bytes){zeros, 8});
    struct bytes both = joined(padded, padded), odd = joined(padded, packed);

    (void)state;
    assert_unpacks(padded, 100, plain, "xz");
    assert_unpacks(both, 100, twice, "xz");
    assert_fails(((struct bytes){both.at, both.len - 1}), "is cut off");
    memmove(odd.at + packed.len, odd.at + packed.len + 1, packed.len + 7);
    assert_fails(((struct bytes){odd.at, odd.len - 1}),
                 "followed by something else");
    free(plain.at), free(packed.at), free(twice.at), free(padded.at);
    free(both.at), free(odd.at);
}

/* What asks for gigabytes is refused before they are taken. */
static void the_memory_of_xz_is_limited(void **state)
{
    struct bytes plain = text_of(300), out = bytes_of(4096);
    lzma_options_lzma options;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options},
                             {LZMA_VLI_UNKNOWN, NULL}};
    size_t len = 0;

    (void)state;
    assert_false(lzma_lzma_preset(&options, 0));
    options.dict_size = 1u << 30;
    assert_int_equal(lzma_stream_buffer_encode(filters, LZMA_CHECK_NONE, NULL,
                                               plain.at, plain.len, out.at,
                                               &len, out.len),
                     LZMA_OK);
    assert_fails(((struct bytes){out.at, len}), "more memory than is allowed");
    free(plain.at), free(out.at);
}
#endif

#ifdef FRESHET_HAVE_ZSTD
static void skippable_frames_are_skipped(void **state)
{
    static unsigned char skip[] = {0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3};
    struct bytes plain = text_of(300), packed = pack_zstd(plain);
    struct bytes both = joined((struct bytes){skip, sizeof skip}, packed);

    (void)state;
    assert_unpacks(both, 100, plain, "zstd");
    free(plain.at), free(packed.at), free(both.at);
}
#endif

/* Reads a pipe that gives n bytes at a time, and then has none for a while. */
static void assert_unpacks_in_parts(struct bytes packed, struct bytes plain,
                                    size_t n)
{
    struct bytes out = bytes_of(plain.len + 100);
    struct decompress *d;
    size_t len = 0;
    int pipes[2];

    INITIALISED(packed.at, packed.len);
    assert_int_equal(pipe(pipes), 0);
    fcntl(pipes[0], F_SETFL, O_NONBLOCK);
    d = decompress_create(pipes[0], true);
    for (size_t i = 0; i < packed.len; i += n) {
        size_t part = packed.len - i < n ? packed.len - i : n;
        struct fault why;
        ssize_t got;

        assert_int_equal(write(pipes[1], packed.at + i, part), part);
        while ((got = decompress_read(d, out.at + len, 7, &why)) > 0)
            len += (size_t)got;
        assert_int_equal(got, -1);
        assert_int_equal(errno, EAGAIN);
        assert_false(decompress_is_ready(d));
    }
    close(pipes[1]);
    assert_int_equal(decompress_read(d, out.at + len, 7, NULL), 0);
    assert_int_equal(len, plain.len);
    assert_memory_equal(out.at, plain.at, len);
    decompress_free(d);
    close(pipes[0]);
    free(out.at);
}

static void it_goes_on_where_the_input_paused(void **state)
{
    struct bytes plain = text_of(300);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain);

        assert_unpacks_in_parts(packed, plain, 1);
        free(packed.at);
    }
    free(plain.at);
}

#ifdef FRESHET_HAVE_ZLIB
/* Compresses, with some of the fields that a header may have. */
static struct bytes pack_with_header(struct bytes plain, unsigned fields)
{
    static Bytef extra[] = "eleven bytes", name[] = "a name", comment[] = "c";
    gz_header header = {.extra = fields & 1 ? extra : NULL,
                        .extra_len = sizeof extra,
                        .name = fields & 2 ? name : NULL,
                        .comment = fields & 4 ? comment : NULL,
                        .hcrc = fields >> 3 & 1};

    return pack_gzip_with(plain, &header);
}

/* ISA-L forgets what a header says, and goes by what is on the stack. */
static void a_gzip_header_may_be_cut_anywhere(void **state)
{
    struct bytes plain = text_of(100);

    (void)state;
    for (unsigned fields = 0; fields < 16; fields++)
        for (size_t n = 1; n < 40; n++) {
            struct bytes packed = pack_with_header(plain, fields);
            struct bytes two = joined(packed, packed);
            struct bytes both = joined(plain, plain);

            assert_unpacks_in_parts(two, both, n);
            free(packed.at), free(two.at), free(both.at);
        }
    free(plain.at);
}
#endif

/* One byte that begins no format is given at once. */
static void a_live_pipe_is_not_kept_waiting(void **state)
{
    struct decompress *d;
    char out[8];
    int pipes[2];

    (void)state;
    assert_int_equal(pipe(pipes), 0);
    d = decompress_create(pipes[0], true);
    assert_null(decompress_format(d));
    assert_int_equal(write(pipes[1], "a", 1), 1);
    assert_int_equal(decompress_read(d, out, sizeof out, NULL), 1);
    assert_string_equal(decompress_format(d), "plain");
    assert_int_equal(write(pipes[1], "bc", 2), 2);
    assert_int_equal(decompress_read(d, out, sizeof out, NULL), 2);
    close(pipes[1]);
    assert_int_equal(decompress_read(d, out, sizeof out, NULL), 0);
    decompress_free(d);
    close(pipes[0]);
}

static void a_read_error_is_told(void **state)
{
    int fd = open("/tmp", O_RDONLY | O_DIRECTORY);

    (void)state;
    for (int detect = 0; detect < 2; detect++) {
        struct decompress *d = decompress_create(fd, detect);
        struct fault why = {""};
        char out[8];

        assert_int_equal(decompress_read(d, out, sizeof out, &why), -1);
        assert_int_equal(errno, EISDIR);
        assert_string_equal(why.text, "cannot read: Is a directory");
        decompress_free(d);
    }
    close(fd);
}

static void a_format_built_without_says_so(void **state)
{
    const struct {
        const char *name, *why;
        struct bytes magic;
    } all[] = {
        {"gzip", "this is gzip data, and this freshet was built without zlib",
         LITERAL("\x1f\x8b\x08")},
        {"zstd",
         "this is zstd data, and this freshet was built without libzstd",
         LITERAL("\x28\xb5\x2f\xfd")},
        {"lz4", "this is lz4 data, and this freshet was built without liblz4",
         LITERAL("\x04\x22\x4d\x18")},
        {"xz", "this is xz data, and this freshet was built without liblzma",
         LITERAL("\xfd"
                 "7zXZ\0")},
        {"bzip2",
         "this is bzip2 data, and this freshet was built without libbz2",
         LITERAL("BZh11AY&SY")},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct format *f = formats;

        while (f->name && strcmp(f->name, all[i].name) != 0)
            f++;
        assert_fails(all[i].magic, f->name ? "is cut off" : all[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_data_passes_untouched),
        cmocka_unit_test(nothing_is_detected_when_not_asked_to),
        cmocka_unit_test(what_was_packed_comes_back),
        cmocka_unit_test(members_follow_each_other),
        cmocka_unit_test(cut_off_data_is_an_error_wherever_it_is_cut),
        cmocka_unit_test(no_flipped_bit_gives_other_data),
        cmocka_unit_test(garbage_behind_the_data_is_an_error),
#ifdef FRESHET_HAVE_ZLIB
        cmocka_unit_test(zeros_may_pad_gzip),
#endif
#ifdef FRESHET_HAVE_LZMA
        cmocka_unit_test(zeros_may_pad_xz),
        cmocka_unit_test(the_memory_of_xz_is_limited),
#endif
#ifdef FRESHET_HAVE_ZSTD
        cmocka_unit_test(skippable_frames_are_skipped),
#endif
        cmocka_unit_test(it_goes_on_where_the_input_paused),
#ifdef FRESHET_HAVE_ZLIB
        cmocka_unit_test(a_gzip_header_may_be_cut_anywhere),
#endif
        cmocka_unit_test(a_live_pipe_is_not_kept_waiting),
        cmocka_unit_test(a_read_error_is_told),
        cmocka_unit_test(a_format_built_without_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
