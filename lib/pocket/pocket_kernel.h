/*
 * pocket_kernel.h - the hot loops, compiled once per instruction set
 *
 * The including file defines how a line is searched and rotated:
 *
 *     struct finder                 what a search prepares per batch
 *     finder_init(f, width, n)      prepares it for a batch of n
 *     line_find(f, line, print, width, slots)
 *     line_rotate(line, print, n, width)
 *     line_narrow(line, lo, slots, from, to)
 *     SEARCH_IS_CHEAP               1: to search a line at two widths takes
 *                                   less time than a mispredicted branch
 *
 * and then makes its path with FR_POCKET_PATH.  With FR_POCKET_GROUPS, keys are
 * offered in groups (pocket_batch.h), and SEARCH_IS_CHEAP is not needed;
 * otherwise they are offered one by one (pocket_filling.h).
 */
#ifndef FR_POCKET_KERNEL_H
#define FR_POCKET_KERNEL_H

#ifdef FR_POCKET_GROUPS
#    include "pocket_batch.h"
#else
#    include "pocket_filling.h"
#endif
#include "pocket_window.h"

/* Width and choices are constants where it pays: see FR_POCKET_WIDTHS. */
#define FR_POCKET_LOOP(name, constness, decide)                                \
    FR_INLINE size_t name(const struct pocket *s,                              \
                          constness struct fr_pocket_live *live,               \
                          const freshet_hash *keys, size_t n, uint8_t *seen,   \
                          unsigned width, unsigned choices)                    \
    {                                                                          \
        struct fr_place at = fr_place_of(s, choices);                          \
        unsigned slots = s->slots[s->levels - 1];                              \
        size_t fresh = 0;                                                      \
        struct finder f;                                                       \
                                                                               \
        finder_init(&f, width, n);                                             \
        for (size_t i = 0; i < n && i < FR_AHEAD; i++)                         \
            touch(at, keys[i], choices);                                       \
        for (size_t i = 0; i < n; i++) {                                       \
            struct fr_pair p = fr_pair_at(at, keys[i], choices);               \
                                                                               \
            if (i + FR_AHEAD < n)                                              \
                touch(at, keys[i + FR_AHEAD], choices);                        \
            seen[i] =                                                          \
                decide(s, live, &f, p, keys[i].lo, width, slots, choices);     \
            fresh += seen[i] == FRESHET_NEW;                                   \
        }                                                                      \
        return fresh;                                                          \
    }

FR_POCKET_LOOP(window_offer, FR_MUTABLE, window_step)
FR_POCKET_LOOP(window_query, const, window_probe)
FR_POCKET_LOOP(plain_query, const, plain_probe)

FR_INLINE size_t offer_loop(const struct pocket *s, struct fr_pocket_live *live,
                            const freshet_hash *keys, size_t n, uint8_t *seen,
                            unsigned width, unsigned choices)
{
    return s->length ? window_offer(s, live, keys, n, seen, width, choices)
                     : plain_offer(s, keys, n, seen, width, choices);
}

FR_INLINE size_t query_loop(const struct pocket *s,
                            const struct fr_pocket_live *live,
                            const freshet_hash *keys, size_t n, uint8_t *seen,
                            unsigned width, unsigned choices)
{
    return s->length ? window_query(s, live, keys, n, seen, width, choices)
                     : plain_query(s, live, keys, n, seen, width, choices);
}

/*
 * Widths that have a comparison of their own, and the width of the default
 * rate, get loops of their own.  Each is a function: a compiler takes more time
 * for one function that contains them all.
 */
#define FR_POCKET_FUNCTION(loop, constness, choices, name, width)              \
    static __attribute__((noinline))                                           \
    size_t loop##_##choices##_##name(const struct pocket *s,                   \
                                     constness struct fr_pocket_live *live,    \
                                     const freshet_hash *keys, size_t n,       \
                                     uint8_t *seen)                            \
    {                                                                          \
        return loop##_loop(s, live, keys, n, seen, width, choices);            \
    }

#define FR_POCKET_WIDTHS(loop, constness, choices)                             \
    FR_POCKET_FUNCTION(loop, constness, choices, 16, 16)                       \
    FR_POCKET_FUNCTION(loop, constness, choices, 26, 26)                       \
    FR_POCKET_FUNCTION(loop, constness, choices, 32, 32)                       \
    FR_POCKET_FUNCTION(loop, constness, choices, any, s->width[s->levels - 1]) \
    static size_t loop##_##choices(const struct pocket *s,                     \
                                   constness struct fr_pocket_live *live,      \
                                   const freshet_hash *keys, size_t n,         \
                                   uint8_t *seen)                              \
    {                                                                          \
        switch (s->width[s->levels - 1]) {                                     \
        case 16:                                                               \
            return loop##_##choices##_16(s, live, keys, n, seen);              \
        case 26:                                                               \
            return loop##_##choices##_26(s, live, keys, n, seen);              \
        case 32:                                                               \
            return loop##_##choices##_32(s, live, keys, n, seen);              \
        default:                                                               \
            return loop##_##choices##_any(s, live, keys, n, seen);             \
        }                                                                      \
    }

FR_POCKET_WIDTHS(offer, FR_MUTABLE, 1)
FR_POCKET_WIDTHS(offer, FR_MUTABLE, 2)
FR_POCKET_WIDTHS(query, const, 1)
FR_POCKET_WIDTHS(query, const, 2)

#define FR_POCKET_PATH(path)                                                   \
    static size_t path##_offer(const struct pocket *s,                         \
                               struct fr_pocket_live *live,                    \
                               const freshet_hash *keys, size_t n,             \
                               uint8_t *seen)                                  \
    {                                                                          \
        return s->choices == 1 ? offer_1(s, live, keys, n, seen)               \
                               : offer_2(s, live, keys, n, seen);              \
    }                                                                          \
    static size_t path##_query(const struct pocket *s,                         \
                               const struct fr_pocket_live *live,              \
                               const freshet_hash *keys, size_t n,             \
                               uint8_t *seen)                                  \
    {                                                                          \
        return s->choices == 1 ? query_1(s, live, keys, n, seen)               \
                               : query_2(s, live, keys, n, seen);              \
    }                                                                          \
    const struct fr_pocket_path fr_pocket_##path = {                           \
        .name = #path,                                                         \
        .offer = path##_offer,                                                 \
        .query = path##_query,                                                 \
    }

#endif
