/*
 * route.c - sorts the keys of a block by their parts, in plain C; and which
 * code path does so
 */
#include "route.h"

#include "cpu.h"

static void count(const uint8_t *part, size_t n, unsigned parts,
                  uint32_t *counts)
{
    (void)parts;
    for (size_t i = 0; i < n; i++)
        counts[part[i]]++;
}

static void move(const freshet_hash *keys, size_t from, size_t n,
                 const uint8_t *part, unsigned parts, uint32_t *next,
                 freshet_hash *sorted, uint32_t *at)
{
    (void)parts;
    for (size_t i = 0; i < n; i++) {
        uint32_t to = next[part[i]]++;

        at[to] = (uint32_t)(from + i);
        if (sorted)
            sorted[to] = keys[from + i];
    }
}

const struct fr_route_path fr_route_portable = {
    .name = "portable",
    .most = FRESHET_MOST_PARTS,
    .count = count,
    .move = move,
};

const struct fr_route_path *const *fr_route_paths(void)
{
#if defined(__x86_64__)
    static const struct fr_route_path *const all[] = {&fr_route_avx512,
                                                      &fr_route_portable, NULL};

    return all + !fr_cpu_has_avx512();
#else
    static const struct fr_route_path *const all[] = {&fr_route_portable, NULL};

    return all;
#endif
}
