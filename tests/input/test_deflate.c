/*
 * test_deflate.c - deflate data are decoded from any block on, and are the same
 * bytes as those that zlib compressed
 */
#include "check.h"
#include "deflate_find.h"
#include "deflate_symbols.h"
#include "deflated.h"

enum { LEN = 400000 };

/* ---- Bytes to compress ------------------------------------------------ */

static unsigned random_after(unsigned *x)
{
    *x = *x * 1103515245 + 12345;
    return *x >> 8;
}

/* Lines that have much in common with each other. */
static void put_lines(unsigned char *at, unsigned *x)
{
    static const unsigned char line[] = "00:00:00Z host? app: GET /??? 200\n";

    for (size_t i = 0; i < LEN; i++) {
        at[i] = line[i % (sizeof line - 1)];
        if (at[i] == '?')
            at[i] = (unsigned char)('0' + random_after(x) % 10);
    }
}

static void put_random(unsigned char *at, unsigned *x)
{
    for (size_t i = 0; i < LEN; i++)
        at[i] = (unsigned char)random_after(x);
}

/* Bytes of which some are much rarer, so that codes are long. */
static void put_skewed(unsigned char *at, unsigned *x)
{
    for (size_t i = 0; i < LEN; i++)
        at[i] = (unsigned char)__builtin_ctz(random_after(x) | 1 << 20) *
                (unsigned char)11;
}

/* Short and long runs, and copies from near and far. */
static void put_copies(unsigned char *at, unsigned *x)
{
    for (size_t i = 0; i < LEN;) {
        size_t back = 1 + random_after(x) % (i < 32000 ? i + 1 : 32000);
        size_t n = random_after(x) % 400;

        for (; n && i < LEN; n--, i++)
            at[i] = back <= i ? at[i - back] : (unsigned char)random_after(x);
        if (i < LEN)
            at[i++] = (unsigned char)random_after(x);
    }
}

static void (*const contents[])(unsigned char *at,
                                unsigned *x) = {put_lines, put_random,
                                                put_skewed, put_copies};
enum { CONTENTS = sizeof contents / sizeof *contents };

/* ---- Decoding --------------------------------------------------------- */

/* Returns data with spare bytes after them. */
static struct bytes with_spare(struct bytes data)
{
    struct bytes b = bytes_of(data.len + DEFLATE_SPARE);

    memcpy(b.at, data.at, data.len);
    memset(b.at + data.len, 0xff, DEFLATE_SPARE);
    b.len = data.len;
    free(data.at);
    return b;
}

/* Compares symbols with the plain bytes from a place on. */
static void assert_resolved(const struct deflate_symbols *s, struct bytes plain,
                            size_t at)
{
    static struct deflate_bytes bytes;
    struct bytes out = bytes_of(s->n);

    deflate_bytes_init(&bytes);
    deflate_bytes_pass(&bytes, plain.at, at);
    deflate_bytes_resolve(&bytes, s->symbol + DEFLATE_WINDOW, s->n, out.at);
    assert_true(s->n <= plain.len - at);
    assert_memory_equal(out.at, plain.at + at, s->n);
    free(out.at);
}

/* Decodes from a block on, to the last but one. */
static void decode_from(struct deflate_symbols *s, struct bytes data,
                        uint64_t bit)
{
    deflate_symbols_begin(s, bit);
    while (deflate_symbols_decode(s, data.at, data.len))
        ;
}

/* Where each block begins. */
struct starts {
    size_t n;
    struct {
        uint64_t bit;
        size_t at;
    } block[LEN];
};

static void find_starts(struct starts *starts, struct deflate_symbols *s,
                        struct bytes data)
{
    starts->n = 0;
    deflate_symbols_begin(s, 0);
    do {
        starts->block[starts->n].bit = s->end;
        starts->block[starts->n++].at = s->n;
    } while (deflate_symbols_decode(s, data.at, data.len));
}

/* Looks for blocks from many places on: what is found is a block. */
static size_t find_from_all_places(const struct starts *starts,
                                   struct deflate_symbols *s, struct bytes data,
                                   struct bytes plain)
{
    uint64_t step = data.len * 8 / 20 + 1;
    size_t found = 0;

    for (uint64_t from = 1; from < data.len * 8; from += step) {
        uint64_t bit = deflate_find(data.at, data.len, from, data.len * 8);
        size_t i = 0;

        if (bit == DEFLATE_NOWHERE)
            continue;
        while (i < starts->n && starts->block[i].bit != bit)
            i++;
        assert_true(i < starts->n);
        assert_true(bit >= from);
        decode_from(s, data, bit);
        assert_resolved(s, plain, starts->block[i].at);
        found++;
    }
    return found;
}

static void blocks_are_found_and_decoded_from_any_place(void **state)
{
    static struct starts starts;
    struct bytes plain = bytes_of(LEN);
    struct deflate_symbols s;
    size_t found = 0;
    unsigned x = 1;

    (void)state;
    assert_true(deflate_symbols_init(&s, LEN));
    for (unsigned c = 0; c < CONTENTS; c++) {
        contents[c](plain.at, &x);
        for (unsigned k = 0; k < DEFLATED_KINDS; k++) {
            struct bytes data =
                with_spare(deflated(plain, &deflated_kinds[k], false));

            find_starts(&starts, &s, data);
            assert_resolved(&s, plain, 0); /* from the beginning */
            found += find_from_all_places(&starts, &s, data, plain);
            free(data.at);
        }
    }
    assert_true(found > 200);
    deflate_symbols_free(&s);
    free(plain.at);
}

static void the_last_block_is_left(void **state)
{
    struct bytes plain = {(unsigned char *)(uintptr_t) "a short text", 12};
    struct deflate_symbols s;

    (void)state;
    assert_true(deflate_symbols_init(&s, 100));
    for (unsigned k = 0; k < DEFLATED_KINDS; k++) {
        struct bytes data =
            with_spare(deflated(plain, &deflated_kinds[k], false));

        deflate_symbols_begin(&s, 0);
        assert_false(deflate_symbols_decode(&s, data.at, data.len));
        assert_int_equal(s.n, 0);
        assert_int_equal(s.end, 0);
        assert_true(deflate_find(data.at, data.len, 0, 8 * data.len) ==
                    DEFLATE_NOWHERE);
        free(data.at);
    }
    deflate_symbols_free(&s);
}

/* Whole blocks, and no more than there is room for. */
static void it_ends_where_the_data_or_the_room_ends(void **state)
{
    struct bytes plain = bytes_of(LEN), data;
    struct deflate_symbols all, s;
    unsigned x = 7;

    (void)state;
    put_lines(plain.at, &x);
    assert_true(deflate_symbols_init(&all, LEN));
    for (unsigned k = 0; k < DEFLATED_KINDS; k++) {
        data = with_spare(deflated(plain, &deflated_kinds[k], false));
        decode_from(&all, data, 0);
        for (size_t part = 1; part <= 8; part++) {
            struct bytes less = {data.at, data.len * part / 9};

            assert_true(deflate_symbols_init(&s, LEN * part / 9));
            decode_from(&s, data, 0);
            assert_true(s.n <= all.n && s.n < LEN * part / 9 + 300);
            assert_resolved(&s, plain, 0);
            decode_from(&s, less, 0);
            assert_true(s.end <= less.len * 8);
            assert_resolved(&s, plain, 0);
            deflate_symbols_free(&s);
        }
        free(data.at);
    }
    deflate_symbols_free(&all);
    free(plain.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_found_and_decoded_from_any_place),
        cmocka_unit_test(the_last_block_is_left),
        cmocka_unit_test(it_ends_where_the_data_or_the_room_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
