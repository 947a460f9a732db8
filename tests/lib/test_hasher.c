/*
 * test_hasher.c - keys are hashed without a filter as its own hash would be
 */
#include "harness.h"

enum { LONGEST = 1000 };

static freshet_hasher hasher_of_seed(uint64_t seed)
{
    freshet_hasher h = {.size = sizeof h, .key = {seed, 0}};

    assert_int_equal(freshet_hasher_init(&h, NULL), FRESHET_OK);
    return h;
}

static void assert_hash(freshet_hash hash, freshet_hash wanted)
{
    assert_int_equal(hash.lo, wanted.lo);
    assert_int_equal(hash.hi, wanted.hi);
}

/* XXH3 takes other paths up to 16, 128 and 240 bytes, and beyond. */
static void hashes_as_every_filter_of_its_seed(void **state)
{
    static const uint64_t seeds[] = {1, 42, UINT64_MAX};
    uint8_t key[LONGEST];

    (void)state;
    for (size_t i = 0; i < LONGEST; i++)
        key[i] = (uint8_t)(i * 151 + 7);
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        freshet_hasher made = hasher_of_seed(seeds[s]);
        freshet_hasher own = {.size = sizeof own};
        freshet *f = make_filter(.memory = 4096, .seed = seeds[s]);

        freshet_hasher_of(f, &own);
        for (size_t len = 0; len <= LONGEST; len++) {
            freshet_hash wanted = freshet_hash_key(f, key, len);

            assert_hash(freshet_hash_with(&made, key, len), wanted);
            assert_hash(freshet_hash_with(&own, key, len), wanted);
        }
        freshet_free(f);
    }
}

/* The value that XXH3_128bits_withSeed("a", 1, 42) of libxxhash returns. */
static void the_hash_is_xxh3(void **state)
{
    freshet_hasher h = hasher_of_seed(42);

    (void)state;
    assert_hash(freshet_hash_with(&h, "a", 1),
                (freshet_hash){UINT64_C(0x4c437dd47f0716f4),
                               UINT64_C(0x28df5945863b24b7)});
}

/* ---- SipHash ---------------------------------------------------------- */

static void read_vector(FILE *f, uint8_t out[16])
{
    unsigned byte;

    for (int i = 0; i < 16; i++) {
        assert_int_equal(fscanf(f, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
}

static void siphash_has_the_official_vectors(void **state)
{
    FILE *f = fopen(SOURCE_DIR "/tests/vectors/siphash.txt", "r");
    uint8_t key[16], input[64], wanted[16];
    freshet_hasher h = {.size = sizeof h, .hash = "siphash"};

    (void)state;
    assert_non_null(f);
    assert_int_equal(fscanf(f, "#%*[^\n] #%*[^\n]"), 0);
    for (size_t i = 0; i < sizeof input; i++)
        input[i] = (uint8_t)i;
    memcpy(key, input, sizeof key);
    memcpy(h.key, key, sizeof key);
    assert_int_equal(freshet_hasher_init(&h, NULL), FRESHET_OK);
    for (size_t len = 0; len < sizeof input; len++) {
        freshet_hash hash = freshet_hash_with(&h, input, len);

        read_vector(f, wanted);
        assert_memory_equal(&hash, wanted, sizeof wanted);
    }
    fclose(f);
}

static freshet_hasher hasher_of_filter(freshet *f)
{
    freshet_hasher h = {.size = sizeof h};

    freshet_hasher_of(f, &h);
    return h;
}

static void a_siphash_filter_has_a_key_of_128_bits(void **state)
{
    freshet *f = make_filter(.memory = 4096, .hash = "siphash");
    freshet *g = make_filter(.memory = 4096, .hash = "siphash");
    freshet_hasher a = hasher_of_filter(f), b = hasher_of_filter(g);
    freshet_info info = {.size = sizeof info};

    (void)state;
    freshet_get_info(f, &info);
    assert_string_equal(info.hash, "siphash");
    assert_int_equal(info.seed, a.key[0]);
    assert_true(a.key[0] && a.key[1] && b.key[0] && b.key[1]);
    assert_true(a.key[0] != b.key[0] && a.key[1] != b.key[1]);
    assert_hash(freshet_hash_key(f, "key", 3), freshet_hash_with(&a, "key", 3));
    freshet_free(f);
    freshet_free(g);
}

static void a_seed_gives_both_halves_of_a_key(void **state)
{
    freshet *f = make_filter(.memory = 4096, .hash = "siphash", .seed = 7);
    freshet *g = make_filter(.memory = 4096, .hash = "siphash", .seed = 7);
    freshet_hasher a = hasher_of_filter(f), b = hasher_of_filter(g);
    freshet_hasher h = {.size = sizeof h, .hash = "siphash", .key = {7, 0}};

    (void)state;
    assert_int_equal(freshet_hasher_init(&h, NULL), FRESHET_OK);
    assert_int_equal(a.key[0], 7);
    assert_int_equal(a.key[1], b.key[1]);
    assert_int_equal(a.key[1], h.key[1]);
    freshet_free(g);
    g = make_filter(.memory = 4096, .hash = "siphash", .seed = 7,
                    .seed_high = 8);
    assert_int_equal(hasher_of_filter(g).key[1], 8);
    assert_int_equal(freshet_merge(f, g, NULL), FRESHET_ERR_MISMATCH);
    freshet_free(f);
    freshet_free(g);
}

/* Attached, a filter answers as it did; without half of its key it is
   refused. */
static void a_block_keeps_its_hash_and_key(void **state)
{
    freshet *f = make_filter(.memory = 4096, .hash = "siphash"), *g;
    _Alignas(64) unsigned char block[4096];
    size_t bytes;
    const void *from = freshet_block(f, &bytes);

    (void)state;
    freshet_offer(f, "key", 3);
    memcpy(block, from, bytes);
    assert_int_equal(freshet_attach(&g, block, bytes, NULL), FRESHET_OK);
    assert_int_equal(freshet_query(g, "key", 3), FRESHET_SEEN);
    assert_hash(freshet_hash_key(g, "other", 5),
                freshet_hash_key(f, "other", 5));
    freshet_free(g);
    memset(block + 224, 0, 8);
    assert_int_equal(freshet_attach(&g, block, bytes, NULL),
                     FRESHET_ERR_DAMAGED);
    memcpy(block, from, bytes);
    memcpy(block + 16, "xxh3", 4); /* which has no second half */
    assert_int_equal(freshet_attach(&g, block, bytes, NULL),
                     FRESHET_ERR_VERSION);
    memcpy(block + 16, "sha3", 4);
    assert_int_equal(freshet_attach(&g, block, bytes, NULL),
                     FRESHET_ERR_VERSION);
    freshet_free(f);
}

static void options_without_a_hash_are_those_of_old(void **state)
{
    struct {
        freshet_options o;
        char more[64];
    } old = {.o = {.memory = 4096, .seed = 42, .hash = "not read"}};
    freshet *f;

    (void)state;
    old.o.size = offsetof(freshet_options, hash);
    assert_int_equal(freshet_create(&f, &old.o, NULL), FRESHET_OK);
    assert_string_equal(hasher_of_filter(f).hash, "xxh3-128");
    freshet_free(f);
}

static void hashes_that_are_not_there_are_refused(void **state)
{
    freshet_options o = {.size = sizeof o, .hash = "md5"};
    freshet_error err;

    (void)state;
    assert_int_equal(freshet_plan(NULL, &o, &err), FRESHET_ERR_HASH);
    assert_non_null(strstr(err.message, "no hash named md5"));
    o.hash = NULL;
    o.seed_high = 1;
    o.seed = 1;
    assert_int_equal(freshet_plan(NULL, &o, &err), FRESHET_ERR_RANGE);
    o.hash = "siphash";
    assert_int_equal(freshet_plan(NULL, &o, &err), FRESHET_OK);
    o.seed = 0;
    assert_int_equal(freshet_plan(NULL, &o, &err), FRESHET_ERR_RANGE);
}

/* ---- All of them ------------------------------------------------------ */

static void a_filters_hasher_outlives_it(void **state)
{
    freshet *f = make_filter(.memory = 4096, .seed = 7);
    freshet_hash wanted = freshet_hash_key(f, "key", 3);
    freshet_hasher h = {.size = sizeof h}, copy;
    freshet_info info = {.size = sizeof info};

    (void)state;
    freshet_hasher_of(f, &h);
    freshet_get_info(f, &info);
    assert_string_equal(h.hash, info.hash);
    assert_int_equal(h.key[0], info.seed);
    assert_int_equal(h.key[1], 0);
    freshet_free(f);
    copy = h;
    memset(&h, 0, sizeof h);
    assert_hash(freshet_hash_with(&copy, "key", 3), wanted);
}

static void a_key_of_zero_is_drawn(void **state)
{
    freshet_hasher a = hasher_of_seed(0), b = hasher_of_seed(0);
    freshet_hasher again = hasher_of_seed(a.key[0]);

    (void)state;
    assert_true(a.key[0] != 0);
    assert_true(a.key[0] != b.key[0]);
    assert_hash(freshet_hash_with(&a, "key", 3),
                freshet_hash_with(&again, "key", 3));
}

/* The hasher is refused with this status and these words, and left alone. */
static void refused(freshet_hasher *h, int wanted, const char *words)
{
    freshet_hasher before = *h;
    freshet_error err;

    assert_int_equal(freshet_hasher_init(h, &err), wanted);
    assert_int_equal(err.status, wanted);
    if (!strstr(err.message, words))
        fail_msg("\"%s\" lacks \"%s\"", err.message, words);
    assert_memory_equal(h, &before, sizeof before);
}

static void what_is_no_hasher_is_refused(void **state)
{
    freshet_hasher h = {.size = sizeof h, .hash = "xxh3-128", .key = {1, 0}};

    (void)state;
    assert_int_equal(freshet_hasher_init(&h, NULL), FRESHET_OK);
    assert_int_equal(freshet_hasher_init(&h, NULL), FRESHET_OK);
    h.hash = "md5";
    refused(&h, FRESHET_ERR_HASH, "no hash named md5");
    h.hash = "xxh3";
    refused(&h, FRESHET_ERR_HASH, "no hash named xxh3");
    h.hash = "";
    refused(&h, FRESHET_ERR_HASH, "no hash named");
    h.hash = NULL;
    h.key[1] = 1;
    refused(&h, FRESHET_ERR_RANGE, "second half must be zero");
    h.size = 8;
    refused(&h, FRESHET_ERR_ARGUMENT, "sizeof(freshet_hasher)");
    assert_int_equal(freshet_hasher_init(NULL, NULL), FRESHET_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_as_every_filter_of_its_seed),
        cmocka_unit_test(the_hash_is_xxh3),
        cmocka_unit_test(siphash_has_the_official_vectors),
        cmocka_unit_test(a_siphash_filter_has_a_key_of_128_bits),
        cmocka_unit_test(a_seed_gives_both_halves_of_a_key),
        cmocka_unit_test(a_block_keeps_its_hash_and_key),
        cmocka_unit_test(options_without_a_hash_are_those_of_old),
        cmocka_unit_test(hashes_that_are_not_there_are_refused),
        cmocka_unit_test(a_filters_hasher_outlives_it),
        cmocka_unit_test(a_key_of_zero_is_drawn),
        cmocka_unit_test(what_is_no_hasher_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
