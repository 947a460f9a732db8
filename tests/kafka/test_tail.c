/*
 * test_tail.c - messages of the tail are taken once, and in their order
 */
#include "tail.h"

#include "check.h"

static struct tail_entry entry(uint64_t identity, int64_t offset)
{
    return (struct tail_entry){.identity = {identity, ~identity},
                               .offset = offset};
}

static freshet_hash identity(uint64_t i)
{
    return (freshet_hash){i, ~i};
}

static void make_tail(struct tail *t, const uint64_t *identities, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct tail_entry e = entry(identities[i], (int64_t)i);

        assert_true(tail_add(t, &e));
    }
    assert_true(tail_index(t));
}

static void each_message_is_taken_once(void **state)
{
    static const uint64_t identities[] = {7, 8, 7, 9};
    struct tail t = {0};

    (void)state;
    make_tail(&t, identities, 4);
    assert_true(tail_take(&t, identity(7)));
    assert_int_equal(tail_first(&t)->offset, 1);
    assert_true(tail_take(&t, identity(7)));
    assert_false(tail_take(&t, identity(7)));
    assert_false(tail_take(&t, identity(1)));
    assert_true(tail_take(&t, identity(8)));
    assert_int_equal(tail_first(&t)->offset, 3);
    assert_true(tail_take(&t, identity(9)));
    assert_null(tail_first(&t));
    assert_int_equal(t.left, 0);
    tail_free(&t);
}

static void half_of_a_hash_is_not_enough(void **state)
{
    static const uint64_t identities[] = {7};
    struct tail t = {0};

    (void)state;
    make_tail(&t, identities, 1);
    assert_false(tail_take(&t, (freshet_hash){7, 7}));
    tail_free(&t);
}

static void an_empty_tail_has_nothing(void **state)
{
    struct tail t = {0};

    (void)state;
    assert_false(tail_take(&t, identity(1)));
    assert_null(tail_first(&t));
    assert_true(tail_index(&t));
    assert_false(tail_take(&t, identity(1)));
    tail_free(&t);
}

static void many_messages_are_all_found(void **state)
{
    enum { N = 10000 };
    struct tail t = {0};

    (void)state;
    for (uint64_t i = 0; i < N; i++) {
        struct tail_entry e = entry(i * i, (int64_t)i);

        assert_true(tail_add(&t, &e));
    }
    assert_true(tail_index(&t));
    for (uint64_t i = N; i-- > 0;)
        assert_true(tail_take(&t, identity(i * i)));
    assert_int_equal(t.left, 0);
    tail_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_message_is_taken_once),
        cmocka_unit_test(half_of_a_hash_is_not_enough),
        cmocka_unit_test(an_empty_tail_has_nothing),
        cmocka_unit_test(many_messages_are_all_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
