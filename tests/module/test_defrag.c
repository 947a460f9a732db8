/*
 * test_defrag.c - a filter's memory may be moved under it
 *
 * Debian's servers cannot do it: their allocator gives no hints.  Here the
 * server's calls are ours, and every allocation that can be moved is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "filter_value.h"
#include "rdb_type.h"

static struct rm_type_methods methods;
static unsigned moved;

/* ---- A server -------------------------------------------------------- */

static rm_type *keep_methods(rm_ctx *ctx, const char *name, int version,
                             struct rm_type_methods *given)
{
    (void)name;
    (void)version;
    methods = *given;
    return (rm_type *)ctx;
}

/* Each allocation has its size in front. */
enum { FRONT = 64 };

static void *allocate(size_t n)
{
    char *at = malloc(n + FRONT);

    assert_non_null(at);
    memcpy(at, &n, sizeof n);
    return at + FRONT;
}

static void release(void *at)
{
    if (at)
        free((char *)at - FRONT);
}

/* Elsewhere, and nothing is left where it was. */
static void *move(rm_defrag *ctx, void *at)
{
    size_t n;
    char *other;

    (void)ctx;
    memcpy(&n, (char *)at - FRONT, sizeof n);
    other = allocate(n);
    memcpy(other, at, n);
    memset(at, 0xdd, n);
    release(at);
    moved++;
    return other;
}

/* Nothing is worth moving. */
static void *leave(rm_defrag *ctx, void *at)
{
    (void)ctx;
    (void)at;
    return NULL;
}

static int begin(void **state)
{
    int ctx;

    (void)state;
    rm.Alloc = rm.TryAlloc = allocate;
    rm.Free = release;
    rm.CreateDataType = keep_methods;
    return type_register((rm_ctx *)&ctx);
}

/* ---- A filter -------------------------------------------------------- */

/* That remembers the keys below 1000, and three answers. */
static struct value *make(void)
{
    freshet_options options = {.size = sizeof options, .memory = 1 << 20};
    freshet_error err;
    struct value *value = value_make(&options, &err);

    assert_non_null(value);
    for (int key = 0; key < 1000; key++)
        freshet_offer(value->filter, &key, sizeof key);
    for (uint64_t i = 0; i < 3; i++)
        memset(replay_cache_keep(&value->answers, (const char *)&i, sizeof i,
                                 i + 7, i, 100),
               '0' + (int)i, 100);
    return value;
}

static void expect_all(const struct value *value)
{
    for (int key = 0; key < 1000; key++)
        assert_int_equal(freshet_query(value->filter, &key, sizeof key),
                         FRESHET_SEEN);
    for (uint64_t i = 0; i < 3; i++) {
        const struct answer *a =
            replay_cache_find(&value->answers, (const char *)&i, sizeof i);

        assert_non_null(a);
        assert_int_equal(a->seq, i + 7);
        assert_int_equal(a->verdicts, 100);
        assert_int_equal(a->text[a->name + 99], '0' + (int)i);
    }
}

static void what_was_moved_is_as_it_was(void **state)
{
    void *value = make();
    int key = 1000;

    (void)state;
    rm.DefragAlloc = move;
    moved = 0;
    assert_int_equal(methods.defrag(NULL, NULL, &value), 0);
    assert_int_equal(moved, 4); /* the value, its answers */
    expect_all(value);
    assert_int_equal(freshet_offer(((struct value *)value)->filter, &key,
                                   sizeof key),
                     FRESHET_NEW);
    assert_int_equal(methods.defrag(NULL, NULL, &value), 0);
    expect_all(value);
    methods.free(value);
}

static void what_need_not_move_stays(void **state)
{
    void *value = make(), *before = value;

    (void)state;
    rm.DefragAlloc = leave;
    assert_int_equal(methods.defrag(NULL, NULL, &value), 0);
    assert_ptr_equal(value, before);
    expect_all(value);
    methods.free(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_moved_is_as_it_was),
        cmocka_unit_test(what_need_not_move_stays),
    };

    return cmocka_run_group_tests(tests, begin, NULL);
}
