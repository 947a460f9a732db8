/*
 * batched.h - loops over batches that prefetch the cells of later keys
 *
 * An algorithm NAME writes three small functions:
 *
 *     void NAME_touch(const struct NAME *, freshet_hash, uint64_t ahead)
 *         prefetches the cells of a key that is decided "ahead" keys later
 *     uint8_t NAME_probe(const struct NAME *, freshet_hash)
 *         returns the verdict and changes nothing
 *     uint8_t NAME_step(struct NAME *, freshet_hash)
 *         returns the verdict and remembers the key
 *
 * FR_BATCHED(NAME) generates NAME_offer and NAME_query from them.  The cells
 * of each key are prefetched FR_AHEAD keys before the key is decided, so that
 * memory latency is paid once per batch and not once per key.  Keys are
 * decided strictly in order: the verdicts are those of one key at a time.
 *
 * An algorithm that can be split writes two more functions:
 *
 *     uint64_t NAME_groups(const void *state)
 *         returns the number of groups of cells: see struct fr_split
 *     uint64_t NAME_group(const struct NAME *, freshet_hash, uint64_t groups)
 *         returns the group that the key belongs to
 *
 * FR_ROUTE(NAME) generates NAME_route from them, which scales groups to parts.
 */
#ifndef FR_BATCHED_H
#define FR_BATCHED_H

#include "algo.h"
#include "bits.h"

/* Measured on Ice Lake: 32 is faster than 24, and 24 is faster than 16. */
enum { FR_AHEAD = 32 };

/* Into the second-level cache: on Zen 4 that takes 17 to 22 ns a record where
   the first level takes 27 to 31, since fewer fetches wait for a buffer. */
#define FR_PREFETCH(address) __builtin_prefetch((address), 1, 2)

/* Defines offer or query of a batch; the two differ in constness and in the
   function that decides a key. */
#define FR_ROLLING(name, verb, constness, decide, ahead)                       \
    static size_t name##_##verb(constness void *state,                         \
                                const freshet_hash *keys, size_t n,            \
                                uint8_t *seen)                                 \
    {                                                                          \
        constness struct name *s = state;                                      \
        size_t fresh = 0;                                                      \
                                                                               \
        for (size_t i = 0; i < n && i < (ahead); i++)                          \
            name##_touch(s, keys[i], i);                                       \
        for (size_t i = 0; i < n; i++) {                                       \
            if (i + (ahead) < n)                                               \
                name##_touch(s, keys[i + (ahead)], ahead);                     \
            seen[i] = name##_##decide(s, keys[i]);                             \
            fresh += seen[i] == FRESHET_NEW;                                   \
        }                                                                      \
        return fresh;                                                          \
    }

#define FR_MUTABLE
#define FR_BATCHED(name)                                                       \
    FR_ROLLING(name, offer, FR_MUTABLE, step, FR_AHEAD)                        \
    FR_ROLLING(name, query, const, probe, FR_AHEAD)

#define FR_ROUTE(name)                                                         \
    static void name##_route(const void *state, const freshet_hash *keys,      \
                             size_t n, uint64_t scale, uint8_t *restrict part) \
    {                                                                          \
        const struct name *s = state;                                          \
        uint64_t groups = name##_groups(state);                                \
                                                                               \
        for (size_t i = 0; i < n; i++)                                         \
            part[i] =                                                          \
                (uint8_t)fr_reduce(name##_group(s, keys[i], groups), scale);   \
    }

#endif
