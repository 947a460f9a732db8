/*
 * internal_set.c - the set filter's code paths leave the same bytes
 */
#include "harness.h"

#include "set/set.h"

enum { RECORDS = 5000 };

static struct set *state_of(freshet *f)
{
    size_t bytes;

    return (struct set *)((uintptr_t)freshet_block(f, &bytes) + 256);
}

static size_t count_new(const uint8_t *seen, size_t n)
{
    size_t fresh = 0;

    for (size_t i = 0; i < n; i++)
        fresh += seen[i] == FRESHET_NEW;
    return fresh;
}

/* In batches shorter and longer than the prefetch distance. */
static void run_path(const struct fr_set_path *path, freshet *f,
                     const freshet_hash *keys, uint8_t *seen, uint8_t *asked)
{
    for (size_t i = 0, n; i < RECORDS; i += n) {
        size_t asked_new, seen_new;

        n = 1 + i % 199;
        n = n < RECORDS - i ? n : RECORDS - i;
        asked_new = path->query(state_of(f), keys + i, n, asked + i);
        seen_new = path->offer(state_of(f), keys + i, n, seen + i);
        assert_int_equal(asked_new, count_new(asked + i, n));
        assert_int_equal(seen_new, count_new(seen + i, n));
    }
}

static void all_paths_leave_the_same_bytes(void **state)
{
    const struct fr_set_path *const *paths = fr_set_paths();
    static freshet_hash keys[RECORDS];
    static uint8_t seen[2][RECORDS], asked[2][RECORDS];

    (void)state;
    for (unsigned k = 1; k <= FR_SET_MAX_K; k++) {
        char params[16];
        freshet *plain;

        snprintf(params, sizeof params, "k=%u", k);
        plain = make_filter(.algorithm = "set", .memory = 4096, .seed = 9,
                            .params = params);
        for (uint64_t i = 0; i < RECORDS; i++)
            keys[i] = hash_of(plain, i % 3 ? i : i / 2);
        run_path(&fr_set_portable, plain, keys, seen[0], asked[0]);
        for (size_t i = 0; paths[i]; i++) {
            freshet *f = make_filter(.algorithm = "set", .memory = 4096,
                                     .seed = 9, .params = params);

            run_path(paths[i], f, keys, seen[1], asked[1]);
            assert_memory_equal(seen[0], seen[1], RECORDS);
            assert_memory_equal(asked[0], asked[1], RECORDS);
            assert_same_state(plain, f);
            freshet_free(f);
        }
        freshet_free(plain);
    }
}

/* Each key sets k bits, one in each word, from the second round on two. */
static void a_key_sets_k_bits(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= FR_SET_MAX_K; k++) {
        uint64_t fewer = 0;
        char params[16];
        freshet *f;

        snprintf(params, sizeof params, "k=%u", k);
        f = make_filter(.algorithm = "set", .memory = 512, .seed = 9,
                        .params = params);
        for (uint64_t key = 0; key < 1000; key++) {
            uint64_t used;

            freshet_reset(f);
            offer(f, key);
            used = info_of(f).used;
            assert_true(used <= k && used + 8 >= k);
            fewer += k - used;
        }
        freshet_free(f);
        /* Two bits of one word meet once in 64 times. */
        assert_rate(fewer, 1000.0 * 8, k > 8 ? (k - 8) / 8.0 / 64 : 0, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_paths_leave_the_same_bytes),
        cmocka_unit_test(a_key_sets_k_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
