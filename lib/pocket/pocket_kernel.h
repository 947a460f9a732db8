/*
 * pocket_kernel.h - the hot loops, compiled once per instruction set
 *
 * The including file defines how a line is searched and rotated:
 *
 *     struct finder                 what a search prepares per batch
 *     finder_init(f, width, n)      prepares it for a batch of n
 *     line_find(f, line, print, width, slots)
 *     line_rotate(line, print, n, width)
 *
 * and then makes its path with FR_POCKET_PATH.  Width 0 in the templates below
 * means "not known to the compiler".
 */
#ifndef FR_POCKET_KERNEL_H
#define FR_POCKET_KERNEL_H

#include "pocket_filling.h"
#include "pocket_window.h"

/* Width and choices are constants where it pays: see FR_POCKET_DISPATCH. */
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

/* Widths that have a comparison of their own, and the width of the default
   rate, get loops of their own. */
#define FR_POCKET_WIDTHS(loop, s, live, keys, n, seen, choices)                \
    switch ((s)->width[(s)->levels - 1]) {                                     \
    case 16:                                                                   \
        return loop(s, live, keys, n, seen, 16, choices);                      \
    case 26:                                                                   \
        return loop(s, live, keys, n, seen, 26, choices);                      \
    case 32:                                                                   \
        return loop(s, live, keys, n, seen, 32, choices);                      \
    default:                                                                   \
        return loop(s, live, keys, n, seen, (s)->width[(s)->levels - 1],       \
                    choices);                                                  \
    }

#define FR_POCKET_DISPATCH(loop, s, live, keys, n, seen)                       \
    do {                                                                       \
        if ((s)->choices == 1)                                                 \
            FR_POCKET_WIDTHS(loop, s, live, keys, n, seen, 1)                  \
        FR_POCKET_WIDTHS(loop, s, live, keys, n, seen, 2)                      \
    } while (0)

#define FR_POCKET_PATH(path)                                                   \
    static size_t path##_offer(const struct pocket *s,                         \
                               struct fr_pocket_live *live,                    \
                               const freshet_hash *keys, size_t n,             \
                               uint8_t *seen)                                  \
    {                                                                          \
        FR_POCKET_DISPATCH(offer_loop, s, live, keys, n, seen);                \
    }                                                                          \
    static size_t path##_query(const struct pocket *s,                         \
                               const struct fr_pocket_live *live,              \
                               const freshet_hash *keys, size_t n,             \
                               uint8_t *seen)                                  \
    {                                                                          \
        FR_POCKET_DISPATCH(query_loop, s, live, keys, n, seen);                \
    }                                                                          \
    const struct fr_pocket_path fr_pocket_##path = {                           \
        .name = #path,                                                         \
        .offer = path##_offer,                                                 \
        .query = path##_query,                                                 \
    }

#endif
