/*
 * internal_route.c - every code path sorts keys by parts as plain C does
 */
#include <stdbool.h>

#include "harness.h"

#include "route.h"

enum { KEYS = 3000, ROOM = KEYS + 64 };

/* What a path makes of keys; of the room it leaves the rest alone. */
struct result {
    freshet_hash sorted[ROOM];
    uint32_t at[ROOM], next[FRESHET_MOST_PARTS];
};

static freshet_hash keys[KEYS];
static uint8_t part[KEYS];
static struct result plain, other;

/* Sorts n keys from number "from" on, by as many parts. */
static void sort(const struct fr_route_path *path, size_t from, size_t n,
                 unsigned parts, bool has_sorted, struct result *r)
{
    uint32_t count[FRESHET_MOST_PARTS] = {0}, sum = 0;

    memset(r, 0x5a, sizeof *r);
    path->count(part, n, parts, count);
    for (unsigned q = 0; q < parts; q++) {
        r->next[q] = sum;
        sum += count[q];
    }
    assert_int_equal(sum, n);
    path->move(keys, from, n, part, parts, r->next,
               has_sorted ? r->sorted : NULL, r->at);
}

static void all_paths_sort_alike(void **state)
{
    static const size_t length[] = {0,  1,    15,   16,   17,  63,
                                    64, 1000, 1024, 1025, 2500};
    const struct fr_route_path *const *paths = fr_route_paths();
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < KEYS; i++)
        keys[i] = (freshet_hash){roll(&random), roll(&random)};
    for (; *paths; paths++)
        for (unsigned parts = 1; parts <= (*paths)->most; parts++)
            for (size_t j = 0; j < sizeof length / sizeof *length; j++) {
                size_t from = j * 50;

                for (size_t i = 0; i < KEYS; i++)
                    part[i] = (uint8_t)(roll(&random) % parts);
                sort(&fr_route_portable, from, length[j], parts, j % 2, &plain);
                sort(*paths, from, length[j], parts, j % 2, &other);
                assert_memory_equal(&plain, &other, sizeof plain);
            }
}

/* Keys at the borders of parts, and others; the last parts may be empty. */
static void all_paths_find_the_part(void **state)
{
    const struct fr_route_path *const *paths = fr_route_paths();
    uint64_t first[FRESHET_MOST_PARTS] = {0, 1, 2, 1000, UINT64_C(1) << 32};
    uint64_t random = 1;

    (void)state;
    for (unsigned q = 5; q < FRESHET_MOST_PARTS; q++)
        first[q] = UINT64_MAX - FRESHET_MOST_PARTS + 1 + q;
    for (size_t i = 0; i < KEYS; i++) {
        uint64_t border = first[roll(&random) % 9];

        keys[i].lo = roll(&random);
        keys[i].hi = i % 4 ? border - i % 3 : roll(&random);
    }
    for (; *paths; paths++)
        for (unsigned parts = 1; parts <= (*paths)->most; parts++)
            for (size_t n = KEYS - 20; n <= KEYS && (*paths)->find; n++) {
                (*paths)->find(first, parts, keys, n, part);
                for (size_t i = 0; i < n; i++) {
                    unsigned q = part[i];

                    assert_in_range(q, 0, parts - 1);
                    assert_true(keys[i].hi >= first[q]);
                    assert_true(q + 1 == parts || keys[i].hi < first[q + 1]);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_paths_sort_alike),
        cmocka_unit_test(all_paths_find_the_part),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
