/*
 * test_array.c - arrays grow and keep what is in them
 */
#include "array.h"
#include "harness.h"

static void one_item_at_a_time(void **state)
{
    unsigned *all = NULL;

    (void)state;
    for (unsigned n = 0; n < 1000; n++) {
        unsigned *more = array_add(all, n, sizeof *all);

        assert_non_null(more);
        all = more;
        all[n] = n; /* a sanitizer sees where there is no room */
    }
    for (unsigned n = 0; n < 1000; n++)
        assert_int_equal(all[n], n);
    free(all);
}

static void room_is_doubled_or_as_wanted(void **state)
{
    size_t room = 0;
    char *at = array_reserve(NULL, &room, 10, 1);

    (void)state;
    assert_int_equal(room, 10);
    memset(at, 'a', 10);
    at = array_reserve(at, &room, 11, 1);
    assert_int_equal(room, 20);
    at = array_reserve(at, &room, 20, 1);
    assert_int_equal(room, 20);
    at = array_reserve(at, &room, 100, 1);
    assert_int_equal(room, 100);
    assert_memory_equal(at, "aaaaaaaaaa", 10);
    free(at);
}

/* The array is still there, and so is its room. */
static void too_much_is_refused(void **state)
{
    size_t room = 0;
    uint64_t *at = array_reserve(NULL, &room, 2, sizeof *at);

    (void)state;
    assert_non_null(at);
    assert_null(array_reserve(at, &room, SIZE_MAX / 8 + 2, sizeof *at));
    assert_int_equal(room, 2);
    at[1] = 7;
    free(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_item_at_a_time),
        cmocka_unit_test(room_is_doubled_or_as_wanted),
        cmocka_unit_test(too_much_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
