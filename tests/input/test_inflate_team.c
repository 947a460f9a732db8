/*
 * test_inflate_team.c - with helpers, gzip files are decoded to the same bytes
 * and the same errors as without
 */
#include "inflate_team.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "decompress.h"
#include "deflated.h"

enum { LEN = 600000, PIECE = 4096, HELPERS = 3 };

/* Lines that have much in common, and random ones. */
static struct bytes some_lines(size_t len)
{
    struct bytes b = bytes_of(len + 64);
    unsigned x = 1;
    size_t at = 0;

    while (at < len) {
        x = x * 1103515245 + 12345;
        at += (size_t)snprintf((char *)b.at + at, 64, "host%u GET /%u 200\n",
                               x >> 24, x);
    }
    b.len = len;
    return b;
}

/* What reading a file gives: bytes, and the message at their end. */
struct result {
    struct bytes out;
    ssize_t last;
    struct fault why;
    uint64_t helped;
};

/* Reads n bytes at a time.  Helpers get some time before each. */
static struct result read_file(struct bytes packed, size_t room, size_t n,
                               unsigned helpers)
{
    struct result r = {.out = bytes_of(room)};
    int fd = file_with(packed);
    struct decompress *d = decompress_create(fd, true);
    struct inflate_team *team = inflate_team_create(fd, 0, PIECE);

    assert_true(d && team);
    inflate_team_set_helpers(team, helpers);
    if (helpers)
        decompress_use_team(d, team);
    r.out.len = 0;
    do {
        inflate_team_pause(team);
        inflate_team_resume(team);
        assert_true(r.out.len + n <= room);
        r.last = decompress_read(d, r.out.at + r.out.len, n, &r.why);
        r.out.len += r.last > 0 ? (size_t)r.last : 0;
    } while (r.last > 0);
    r.helped = inflate_team_helped(team);
    decompress_free(d);
    inflate_team_free(team);
    close(fd);
    return r;
}

/* Compares what reading gives with and without helpers.  At an error ISA-L
   drops what it has decoded ahead of its reader, so that helpers may save some
   of it.  Returns how many bytes were decoded by them. */
static uint64_t compare(struct bytes packed, size_t room, size_t n)
{
    struct result alone = read_file(packed, room, n, 0);
    struct result team = read_file(packed, room, n, HELPERS);

    assert_int_equal(team.last, alone.last);
    if (alone.last < 0)
        assert_string_equal(team.why.text, alone.why.text);
    else
        assert_int_equal(team.out.len, alone.out.len);
    assert_memory_equal(team.out.at, alone.out.at,
                        team.out.len < alone.out.len ? team.out.len
                                                     : alone.out.len);
    free(alone.out.at), free(team.out.at);
    return team.helped;
}

/* The leader does not wait, so helpers may be late, but not every time. */
static void compare_until_helped(struct bytes packed, size_t room, size_t n)
{
    for (int i = 0; i < 1000; i++)
        if (compare(packed, room, n))
            return;
    fail_msg("no helper was ever in time");
}

/* Returns whether helpers can be of use: they find blocks with dynamic
   codes. */
static bool has_dynamic_blocks(const struct deflated *k)
{
    return k->level && k->strategy != Z_FIXED;
}

static void helpers_change_no_byte(void **state)
{
    static const size_t n[] = {777, 20000, 200000};
    struct bytes plain = some_lines(LEN);

    (void)state;
    for (unsigned k = 0; k < DEFLATED_KINDS; k++) {
        struct bytes packed = deflated(plain, &deflated_kinds[k], true);

        for (unsigned i = 0; i < sizeof n / sizeof *n; i++)
            if (has_dynamic_blocks(&deflated_kinds[k]))
                compare_until_helped(packed, LEN + 200000, n[i]);
            else
                compare(packed, LEN + 200000, n[i]);
        free(packed.at);
    }
    free(plain.at);
}

/* Returns copies of the member, one after the other. */
static struct bytes repeated(struct bytes member, size_t times)
{
    struct bytes b = bytes_of(member.len * times);

    for (size_t i = 0; i < times; i++)
        memcpy(b.at + i * member.len, member.at, member.len);
    return b;
}

static void members_of_all_sizes_are_decoded(void **state)
{
    (void)state;
    for (size_t len = 10; len <= 100000; len *= 10) {
        struct bytes plain = some_lines(len), packed;
        struct bytes member = deflated(plain, &deflated_kinds[2], true);

        packed = repeated(member, LEN / member.len);
        compare(packed, packed.len * 20 + LEN, 10000);
        free(member.at), free(packed.at), free(plain.at);
    }
}

static void damage_is_reported_as_without_helpers(void **state)
{
    struct bytes plain = some_lines(LEN);
    struct bytes packed = deflated(plain, &deflated_kinds[2], true);
    unsigned x = 3;

    (void)state;
    for (int i = 0; i < 40; i++) {
        size_t at;

        x = x * 1103515245 + 12345;
        at = (x >> 4) % packed.len;
        packed.at[at] ^= (unsigned char)(1 << x % 8);
        compare(packed, 4 * LEN, 5000);
        packed.at[at] ^= (unsigned char)(1 << x % 8);
        if (at > (HELPERS + 8) * PIECE)
            compare((struct bytes){packed.at, at}, LEN + 5000, 5000);
    }
    compare_until_helped(packed, LEN + 5000, 5000);
    free(packed.at), free(plain.at);
}

/* A copy from before the beginning of a member is an error, even where a member
   came before it. */
static void a_copy_from_the_member_before_is_an_error(void **state)
{
    struct bytes plain = some_lines(LEN), packed, bad;
    const struct deflated *k = &deflated_kinds[1];
    size_t head = 10;
    struct result r;
    z_stream z = {0};

    (void)state;
    packed = deflated(plain, k, true);
    bad = bytes_of(packed.len + 2 * LEN);
    memcpy(bad.at, packed.at, packed.len);
    memcpy(bad.at + packed.len, packed.at, head);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 1, 0), Z_OK);
    deflateSetDictionary(&z, plain.at + LEN - 32768, 32768);
    z.next_in = plain.at;
    z.avail_in = LEN;
    z.next_out = bad.at + packed.len + head;
    z.avail_out = LEN;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    bad.len = (size_t)(z.next_out - bad.at);
    deflateEnd(&z);
    for (int i = 0; i < 20; i++) { /* helpers may be late */
        r = read_file(bad, 4 * LEN, 5000, HELPERS);
        assert_int_equal(r.last, -1);
        assert_contains(r.why.text, "too far back");
        free(r.out.at);
    }
    free(bad.at), free(packed.at), free(plain.at);
}

/* How often helpers have tried to decode a block. */
static atomic_uint tries;

bool __real_deflate_symbols_decode(struct deflate_symbols *s,
                                   const unsigned char *data, size_t len);
bool __wrap_deflate_symbols_decode(struct deflate_symbols *s,
                                   const unsigned char *data, size_t len);
bool __wrap_deflate_symbols_decode(struct deflate_symbols *s,
                                   const unsigned char *data, size_t len)
{
    atomic_fetch_add(&tries, 1);
    return __real_deflate_symbols_decode(s, data, len);
}

/* Every 32 bytes look like a block that never ends, 128 in a piece. */
static void a_piece_of_wrong_guesses_is_given_up(void **state)
{
    static const unsigned char looks_like_a_block[] =
        {0x34, 0xe1, 0x03, 0x40, 0x28, 0x8a, 0xa2, 0x28, 0xda, 0x66, 0xdb,
         0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d, 0xdb, 0xb6, 0x6d,
         0xdb, 0xb6, 0x6d, 0xd7, 0xfc, 0x6b, 0x9f, 0xfb, 0xfe, 0x18};
    struct bytes plain = bytes_of(LEN), packed;
    struct inflate_team *team;
    int fd;

    (void)state;
    for (size_t i = 0; i < LEN; i++)
        plain.at[i] = looks_like_a_block[i % sizeof looks_like_a_block];
    packed = deflated(plain, &deflated_kinds[3], true);
    fd = file_with(packed);
    team = inflate_team_create(fd, 0, PIECE);
    inflate_team_set_helpers(team, 1);
    atomic_store(&tries, 0);
    assert_true(inflate_team_next(team, 0) == UINT64_MAX);
    while (!atomic_load(&tries))
        usleep(100);
    inflate_team_free(team);
    assert_true(atomic_load(&tries) < 100);
    close(fd);
    free(packed.at), free(plain.at);
}

static void a_team_can_be_freed_paused_and_missing_at_any_time(void **state)
{
    struct bytes plain = some_lines(LEN);
    struct bytes packed = deflated(plain, &deflated_kinds[1], true);
    int fd = file_with(packed);

    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct inflate_team *team = inflate_team_create(fd, 0, PIECE);

        inflate_team_set_helpers(team, i % 4);
        if (i % 2)
            inflate_team_next(team, 0);
        if (i % 3 == 0)
            inflate_team_pause(team);
        inflate_team_free(team);
    }
    assert_null(inflate_team_create(fd, 0, packed.len / 4));
    assert_null(inflate_team_create(-1, 0, PIECE));
    inflate_team_set_helpers(NULL, 1);
    inflate_team_pause(NULL);
    inflate_team_resume(NULL);
    inflate_team_free(NULL);
    close(fd);
    free(packed.at), free(plain.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpers_change_no_byte),
        cmocka_unit_test(members_of_all_sizes_are_decoded),
        cmocka_unit_test(damage_is_reported_as_without_helpers),
        cmocka_unit_test(a_copy_from_the_member_before_is_an_error),
        cmocka_unit_test(a_piece_of_wrong_guesses_is_given_up),
        cmocka_unit_test(a_team_can_be_freed_paused_and_missing_at_any_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
