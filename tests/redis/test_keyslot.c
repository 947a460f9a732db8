/*
 * test_keyslot.c - keys come to the slots that the cluster specification says
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "keyslot.h"

static unsigned slot(const char *key)
{
    return keyslot_of(key, strlen(key));
}

static void the_checksum_is_that_of_the_specification(void **state)
{
    (void)state;
    assert_int_equal(slot("123456789"), 0x31C3);
    assert_int_equal(slot("foo"), 12182);
    assert_int_equal(slot(""), 0);
}

static void the_first_braces_count_if_there_is_something_in_them(void **state)
{
    (void)state;
    assert_int_equal(slot("seen:{7}"), slot("7"));
    assert_int_equal(slot("{user}.a"), slot("user"));
    assert_int_equal(slot("foo{{bar}}zap"), slot("{bar"));
    assert_int_equal(slot("foo{bar}{zap}"), slot("bar"));
    assert_int_not_equal(slot("foo{}{bar}"), slot("bar"));
    assert_int_not_equal(slot("foo{bar"), slot("bar"));
}

static void shards_lie_in_many_slots(void **state)
{
    (void)state;
    assert_int_not_equal(slot("seen:{0}"), slot("seen:{1}"));
    assert_int_equal(slot("seen:{0}"), slot("other:{0}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checksum_is_that_of_the_specification),
        cmocka_unit_test(the_first_braces_count_if_there_is_something_in_them),
        cmocka_unit_test(shards_lie_in_many_slots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
