/*
 * test_unpacker.c - a thread decompresses the same bytes, ahead of the reader
 */
#include "unpacker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "pack.h"

enum { LEN = 5 * BLOCK };

static struct blocks blocks; /* all unpackers share them */

/* Lines of numbers: larger than all limits of the tests, compressed or not. */
static struct bytes lines_of(size_t len)
{
    struct bytes b = bytes_of(len + 32);
    unsigned x = 1;
    size_t at = 0;

    while (at < len) {
        x = x * 1103515245 + 12345;
        at += (size_t)snprintf((char *)b.at + at, 32, "%u\n", x);
    }
    b.len = len;
    return b;
}

/* Reads n bytes at a time and compares them.  Returns the last result. */
static ssize_t read_all(struct unpacker *u, struct bytes plain, size_t n,
                        struct fault *why)
{
    struct bytes out = bytes_of(n);
    size_t at = 0;
    ssize_t got;

    while ((got = unpacker_read(u, out.at, n, why)) > 0) {
        assert_true((size_t)got <= plain.len - at);
        assert_memory_equal(out.at, plain.at + at, (size_t)got);
        at += (size_t)got;
        assert_true((size_t)got == n || at <= plain.len);
    }
    if (got == 0)
        assert_int_equal(at, plain.len);
    free(out.at);
    return got;
}

static void all_formats_come_back_whatever_the_limit(void **state)
{
    static const size_t ahead[] = {1, 2 * BLOCK, 1 << 30};
    static const size_t n[] = {1000, BLOCK, 1 << 20};
    struct bytes plain = lines_of(LEN);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain);
        int fd = file_with(packed);

        for (size_t i = 0; i < 3; i++) {
            struct unpacker *u;
            struct fault why;

            lseek(fd, 0, SEEK_SET);
            assert_true(unpacker_is_worth(fd));
            u = unpacker_create(fd, ahead[i], &blocks);
            assert_int_equal(read_all(u, plain, n[i], &why), 0);
            assert_int_equal(unpacker_taken(u), packed.len);
            assert_int_equal(unpacker_read(u, &why, 1, &why), 0);
            unpacker_free(u);
        }
        close(fd);
        free(packed.at);
    }
    free(plain.at);
}

static void what_is_good_comes_before_the_damage(void **state)
{
    struct bytes plain = lines_of(LEN), out = bytes_of(LEN);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain);
        int fd = file_with((struct bytes){packed.at, packed.len - 1});
        struct unpacker *u = unpacker_create(fd, 1 << 20, &blocks);
        struct fault why = {""};

        assert_true(unpacker_read(u, out.at, 100, &why) == 100);
        assert_memory_equal(out.at, plain.at, 100);
        while (unpacker_read(u, out.at, BLOCK, &why) > 0)
            ;
        for (int i = 0; i < 2; i++) { /* and it goes on failing */
            assert_int_equal(unpacker_read(u, out.at, BLOCK, &why), -1);
            assert_int_equal(errno, 0);
            assert_contains(why.text, "is cut off");
        }
        unpacker_free(u);
        close(fd);
        free(packed.at);
    }
    free(plain.at), free(out.at);
}

static void it_stops_at_the_limit_and_while_it_is_paused(void **state)
{
    struct bytes plain = lines_of(LEN);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain);
        int fd = file_with(packed);
        struct unpacker *u = unpacker_create(fd, 2 * BLOCK, &blocks);
        struct fault why;
        off_t at;

        unpacker_pause(u);
        at = lseek(fd, 0, SEEK_CUR);
        assert_true(at < (off_t)packed.len);
        unpacker_set_ahead(u, 1 << 30);
        usleep(1000);
        assert_int_equal(lseek(fd, 0, SEEK_CUR), at);
        unpacker_resume(u);
        assert_int_equal(read_all(u, plain, 100000, &why), 0);
        unpacker_pause(u); /* when its thread has ended */
        unpacker_resume(u);
        unpacker_free(u);
        close(fd);
        free(packed.at);
    }
    unpacker_pause(NULL);
    unpacker_resume(NULL);
    unpacker_free(NULL);
    free(plain.at);
}

static void it_can_be_freed_at_any_time(void **state)
{
    struct bytes plain = lines_of(LEN);

    (void)state;
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(plain);
        int fd = file_with(packed);
        struct fault why;
        char byte;

        for (int reads = 0; reads < 3; reads++) {
            struct unpacker *u;

            lseek(fd, 0, SEEK_SET);
            u = unpacker_create(fd, BLOCK, &blocks);
            for (int i = 0; i < reads; i++)
                assert_int_equal(unpacker_read(u, &byte, 1, &why), 1);
            unpacker_free(u);
        }
        close(fd);
        free(packed.at);
    }
    free(plain.at);
}

/* Returns when the thread has decompressed much. */
static void wait_for_plenty(struct unpacker *u)
{
    while (!unpacker_has_plenty(u))
        usleep(1000);
}

static void half_of_the_limit_is_plenty_and_so_is_the_end(void **state)
{
    struct bytes plain = lines_of(LEN), out = bytes_of(LEN);
    struct bytes packed = formats->pack(plain);
    int fd = file_with(packed);
    struct unpacker *u = unpacker_create(fd, 4 * BLOCK, &blocks);
    struct fault why;

    (void)state;
    wait_for_plenty(u);
    unpacker_pause(u);
    unpacker_set_ahead(u, 1 << 30);
    assert_false(unpacker_has_plenty(u));
    unpacker_resume(u);
    wait_for_plenty(u);
    assert_int_equal(unpacker_read(u, out.at, LEN, &why), LEN);
    assert_memory_equal(out.at, plain.at, LEN);
    unpacker_free(u);
    close(fd);
    free(packed.at), free(plain.at), free(out.at);
}

static void a_read_takes_no_more_memory_than_the_limit(void **state)
{
    struct bytes plain = lines_of(LEN), out = bytes_of(LEN);
    struct bytes packed = formats->pack(plain);
    int fd = file_with(packed);
    struct unpacker *u = unpacker_create(fd, 2 * BLOCK, &blocks);
    struct fault why;
    ssize_t got = unpacker_read(u, out.at, LEN, &why);

    (void)state;
    assert_true(got >= 2 * BLOCK && got < LEN);
    assert_memory_equal(out.at, plain.at, (size_t)got);
    unpacker_pause(u);
    assert_true(blocks.used <= 4);
    unpacker_free(u);
    close(fd);
    free(packed.at), free(plain.at), free(out.at);
}

static void blocks_are_used_again_and_freed_when_none_is_in_use(void **state)
{
    struct blocks own;
    struct block *a, *b;

    (void)state;
    blocks_init(&own);
    a = blocks_take(&own);
    b = blocks_take(&own);
    assert_true(a && b && a != b);
    b->next = NULL;
    blocks_return(&own, b);
    assert_ptr_equal(blocks_take(&own), b);
    blocks_trim(&own); /* both are in use */
    a->next = b;
    b->next = NULL;
    memset(a->bytes, 1, BLOCK), memset(b->bytes, 2, BLOCK);
    blocks_return(&own, a);
    assert_int_equal(own.used, 0);
    assert_true(own.piece);
    blocks_trim(&own);
    assert_null(own.piece);
    for (int i = 0; i < 100; i++) { /* of several pieces */
        struct block *c = blocks_take(&own);

        assert_true(c);
        memset(c->bytes, i, BLOCK);
        c->next = i ? a : NULL;
        a = c;
    }
    for (int i = 99; i >= 0; i--, a = a->next)
        assert_int_equal(a->bytes[BLOCK - 1], i);
    blocks_free(&own);
}

static void pipes_and_plain_or_small_files_are_not_worth_a_thread(void **state)
{
    struct bytes plain = lines_of(LEN), little = lines_of(1000);
    int pipes[2], fd = file_with(plain);

    (void)state;
    assert_false(unpacker_is_worth(fd));
    close(fd);
    for (const struct format *f = formats; f->name; f++) {
        struct bytes packed = f->pack(little);

        fd = file_with(packed);
        assert_false(unpacker_is_worth(fd));
        close(fd);
        free(packed.at);
    }
    assert_int_equal(pipe(pipes), 0);
    assert_false(unpacker_is_worth(pipes[0]));
    close(pipes[0]), close(pipes[1]);
    free(plain.at), free(little.at);
}

static int begin(void **state)
{
    (void)state;
    blocks_init(&blocks);
    return 0;
}

/* Unpackers that are gone use no block. */
static int end(void **state)
{
    (void)state;
    assert_int_equal(blocks.used, 0);
    blocks_free(&blocks);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formats_come_back_whatever_the_limit),
        cmocka_unit_test(what_is_good_comes_before_the_damage),
        cmocka_unit_test(it_stops_at_the_limit_and_while_it_is_paused),
        cmocka_unit_test(it_can_be_freed_at_any_time),
        cmocka_unit_test(half_of_the_limit_is_plenty_and_so_is_the_end),
        cmocka_unit_test(a_read_takes_no_more_memory_than_the_limit),
        cmocka_unit_test(blocks_are_used_again_and_freed_when_none_is_in_use),
        cmocka_unit_test(pipes_and_plain_or_small_files_are_not_worth_a_thread),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
