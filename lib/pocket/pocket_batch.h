/*
 * pocket_batch.h - with AVX-512: offers a batch of keys, without a window
 */
#ifndef FR_POCKET_BATCH_H
#define FR_POCKET_BATCH_H

#include "pocket_even.h"
#include "pocket_mixed.h"

FR_INLINE uint8_t one_step(const struct pocket *s, const struct finder *f,
                           struct fr_pair p, uint64_t lo, unsigned width,
                           unsigned choices)
{
    enum lines lines = lines_of_pair(s, p);

    if (lines == LINES_LAST)
        return even_step(s, f, p, lo, width, FR_PLAIN_STACK / width, choices);
    if (lines == LINES_FIRST)
        return even_step(s, f, p, lo, FR_FIRST_WIDTH,
                         FR_PLAIN_STACK / FR_FIRST_WIDTH, choices);
    return young_step(s, f, p, lo);
}

/* Processes keys that have lines in common, or that are no whole group. */
FR_INLINE void one_by_one(struct batch *b, size_t at, size_t end,
                          unsigned width, unsigned choices)
{
    for (size_t i = at; i < end; i++) {
        if (i + FR_AHEAD < b->n)
            fetch_lines(b, i + FR_AHEAD, choices);
        b->seen[i] = one_step(b->s, &b->f, pair_of(b, i), b->lo[i % RING],
                              width, choices);
        b->fresh += b->seen[i] == FRESHET_NEW;
    }
}

/* Offers fewer keys than a group has. */
FR_INLINE size_t offer_few(const struct pocket *s, const freshet_hash *keys,
                           size_t n, uint8_t *seen, unsigned width,
                           unsigned choices)
{
    struct fr_place at = fr_place_of(s, choices);
    size_t fresh = 0;
    struct finder f;

    for (size_t i = 0; i < n; i++)
        touch(at, keys[i], choices);
    finder_init(&f, width, n);
    for (size_t i = 0; i < n; i++) {
        seen[i] = one_step(s, &f, fr_pair_at(at, keys[i], choices), keys[i].lo,
                           width, choices);
        fresh += seen[i] == FRESHET_NEW;
    }
    return fresh;
}

FR_INLINE void batch_begin(struct batch *b, const struct pocket *s,
                           const freshet_hash *keys, size_t n, uint8_t *seen)
{
    b->s = s;
    b->keys = keys;
    b->seen = seen;
    b->n = n;
    b->fresh = 0;
}

/* Finds the lines of the first keys, and prefetches those that no search
   prefetches. */
FR_INLINE void look_at_first(struct batch *b, unsigned choices)
{
    b->at = fr_place_of(b->s, choices);
    for (size_t i = 0; i < FR_AHEAD; i++) {
        if (i % EIGHT == 0)
            find_lines(b, i, choices);
        fetch_lines(b, i, choices);
    }
    find_lines(b, FR_AHEAD, choices);
    find_lines(b, FR_AHEAD + EIGHT, choices);
}

/* Processes a group if it has these lines. */
FR_INLINE bool group_of(struct batch *b, size_t at, enum lines lines,
                        unsigned width, unsigned choices)
{
    if (lines == LINES_LAST)
        return even_group(b, at, LINES_LAST, width, choices);
    if (lines == LINES_FIRST)
        return even_group(b, at, LINES_FIRST, FR_FIRST_WIDTH, choices);
    return false;
}

FR_INLINE size_t plain_offer(const struct pocket *s, const freshet_hash *keys,
                             size_t n, uint8_t *seen, unsigned width,
                             unsigned choices)
{
    enum lines lines; /* of the group before */
    bool ready = false;
    struct widths w;
    struct batch b;
    size_t at = 0;

    if (n < GROUP)
        return offer_few(s, keys, n, seen, width, choices);
    batch_begin(&b, s, keys, n, seen);
    finder_init(&b.f, width, n);
    guide_slots(&b.last, 0, width);
    look_at_first(&b, choices);
    lines = lines_of_pair(s, pair_of(&b, 0));
    for (; at + GROUP <= n; at += GROUP) {
        if (any_equal(b.group + at % RING) && share_a_line(&b, at)) {
            look_ahead(&b, at, choices);
            one_by_one(&b, at, at + GROUP, width, choices);
        } else if (!group_of(&b, at, lines, width, choices)) {
            if (!ready)
                widths_init(&w, s);
            ready = true;
            lines = mixed_group(&b, &w, at, choices);
        }
    }
    one_by_one(&b, at, n, width, choices);
    return b.fresh;
}

#endif
