/*
 * batched.h - the rolling pipeline every algorithm runs its batches through
 *
 * An algorithm NAME writes three small functions:
 *
 *     void NAME_touch(const struct NAME *, freshet_hash, uint64_t ahead)
 *         prefetch what the key will need, "ahead" keys from now
 *     uint8_t NAME_probe(const struct NAME *, freshet_hash)
 *         the verdict, changing nothing
 *     uint8_t NAME_step(struct NAME *, freshet_hash)
 *         the verdict, and remember
 *
 * FR_BATCHED(NAME) makes NAME_offer and NAME_query of them.  Each key's cells
 * are asked for FR_AHEAD keys before their turn, so that memory latency is
 * paid once per batch and not once per key.  Keys are decided strictly in
 * order: the verdicts are those of one key at a time.
 *
 * An algorithm that can be split writes one more:
 *
 *     uint64_t NAME_group(const struct NAME *, freshet_hash)
 *         the group of cells that the key belongs to
 *
 * and FR_ROUTE(NAME) makes NAME_route, which scales groups to parts.
 */
#ifndef FR_BATCHED_H
#define FR_BATCHED_H

#include "algo.h"
#include "bits.h"

/* Measured on Ice Lake: 32 is faster than 24, and that than 16. */
enum { FR_AHEAD = 32 };

#define FR_PREFETCH(address) __builtin_prefetch((address), 1, 3)

/* One verb over a batch; constness and the deciding function differ. */
#define FR_ROLLING(name, verb, constness, decide)                              \
    static size_t name##_##verb(constness void *state,                         \
                                const freshet_hash *keys, size_t n,            \
                                uint8_t *seen)                                 \
    {                                                                          \
        constness struct name *s = state;                                      \
        size_t fresh = 0;                                                      \
                                                                               \
        for (size_t i = 0; i < n && i < FR_AHEAD; i++)                         \
            name##_touch(s, keys[i], i);                                       \
        for (size_t i = 0; i < n; i++) {                                       \
            if (i + FR_AHEAD < n)                                              \
                name##_touch(s, keys[i + FR_AHEAD], FR_AHEAD);                 \
            seen[i] = name##_##decide(s, keys[i]);                             \
            fresh += seen[i] == FRESHET_NEW;                                   \
        }                                                                      \
        return fresh;                                                          \
    }

#define FR_MUTABLE
#define FR_BATCHED(name)                                                       \
    FR_ROLLING(name, offer, FR_MUTABLE, step)                                  \
    FR_ROLLING(name, query, const, probe)

#define FR_ROUTE(name)                                                         \
    static void name##_route(const void *state, const freshet_hash *keys,      \
                             size_t n, uint64_t scale, uint8_t *part)          \
    {                                                                          \
        const struct name *s = state;                                          \
                                                                               \
        for (size_t i = 0; i < n; i++)                                         \
            part[i] = (uint8_t)fr_reduce(name##_group(s, keys[i]), scale);     \
    }

#endif
