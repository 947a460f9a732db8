/*
 * test_keyset.c - the set of hashes against one that nobody could get wrong
 */
#include "harness.h"

#include "keyset.h"

enum { KEYS = 3000, RECORDS = 20000, BATCH = 100 };

/* Does it come before i? */
static uint8_t came_before(const freshet_hash *key, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (key[j].lo == key[i].lo && key[j].hi == key[i].hi)
            return 1;
    return 0;
}

/* Keys that crowd: few different halves, zeros among them, so that many agree
   in one half, in their table, in their place. */
static freshet_hash crowded(uint64_t *random)
{
    static const uint64_t half[] = {0, 1, UINT64_MAX, UINT64_C(1) << 56};

    return (freshet_hash){half[roll(random) % 4] + roll(random) % 8,
                          half[roll(random) % 4] + roll(random) % 8};
}

static void check_all(const freshet_hash *key, size_t n)
{
    struct keyset *s = keyset_create();
    uint8_t repeat[BATCH];

    assert_non_null(s);
    for (size_t from = 0; from < n; from += BATCH) {
        size_t repeats = 0;

        assert_int_not_equal(repeats = keyset_add(s, key + from, repeat, BATCH),
                             KEYSET_FULL);
        for (size_t i = 0; i < BATCH; i++) {
            assert_int_equal(repeat[i], came_before(key, from + i));
            repeats -= repeat[i];
        }
        assert_int_equal(repeats, 0);
    }
    keyset_free(s);
}

static void test_any_keys(void **state)
{
    static freshet_hash key[RECORDS / 4];
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < RECORDS / 4; i++) {
        uint64_t number = roll(&random) % KEYS;

        key[i].lo = roll(&number);
        key[i].hi = roll(&number);
    }
    check_all(key, RECORDS / 4);
}

static void test_keys_that_crowd(void **state)
{
    static freshet_hash key[RECORDS / 4];
    uint64_t random = 2;

    (void)state;
    for (size_t i = 0; i < RECORDS / 4; i++)
        key[i] = crowded(&random);
    check_all(key, RECORDS / 4);
}

static void test_keeps_to_its_memory(void **state)
{
    struct keyset *s = keyset_create();
    uint64_t random = 3;

    (void)state;
    for (uint64_t n = 1; n <= 200000; n++) {
        freshet_hash key = {roll(&random), roll(&random)};
        uint8_t repeat;

        assert_int_equal(keyset_add(s, &key, &repeat, 1), 0);
        if (n % 1000 == 0)
            assert_true(keyset_bytes(s) <= keyset_most_bytes(n));
    }
    /* No more than two slots of 16 bytes a key, and a little. */
    assert_true(keyset_bytes(s) < 200000 * 33);
    keyset_free(s);
    keyset_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_keys),
        cmocka_unit_test(test_keys_that_crowd),
        cmocka_unit_test(test_keeps_to_its_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
