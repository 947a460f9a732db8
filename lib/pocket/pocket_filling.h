/*
 * pocket_filling.h - a batch of keys, without a window: lines that narrow
 * while the filter fills up
 */
#ifndef FR_POCKET_FILLING_H
#define FR_POCKET_FILLING_H

#include "pocket_full.h"

/* A line at one of two widths: 1 if it is the narrow one, and the slots that
   hold the key. */
struct side {
    unsigned pushes, up;
    uint64_t found;
};

FR_INLINE struct side side_of(const struct finder *f, const uint64_t *line,
                              uint64_t lo, unsigned wide, unsigned narrow)
{
    unsigned few = FR_PLAIN_STACK / wide, many = FR_PLAIN_STACK / narrow;
    uint64_t at_wide = line_find(f, line, fr_print(lo, wide), wide, few);
    uint64_t at_narrow = line_find(f, line, fr_print(lo, narrow), narrow, many);
    struct side side = {.pushes = fr_line_pushes(line)};

    side.up = side.pushes > few;
    side.found = at_wide ^ ((at_wide ^ at_narrow) & -(uint64_t)side.up);
    return side;
}

/*
 * Pushes onto full lines, which narrow them.  A branch on that is mispredicted
 * often, so the line is only marked, in its count of pushes, and narrowed after
 * the stretch of keys, or before a key that needs a marked line.
 */
enum { STRETCH = 32, MARK = 0x8000 };

struct waiting {
    unsigned n;
    struct {
        uint64_t *line, lo;
    } push[STRETCH + 1]; /* the last one is always free */
};

static __attribute__((noinline)) void push_waiting(const struct pocket *s,
                                                   struct waiting *w)
{
    for (unsigned i = 0; i < w->n; i++) {
        uint64_t *line = w->push[i].line;

        line[FR_LINE_WORDS - 1] &= ~((uint64_t)MARK << 48);
        push_full(s, line, w->push[i].lo);
    }
    w->n = 0;
}

/* Marks the line if it is full, otherwise puts the key into it. */
FR_INLINE void put_or_wait(struct choice c, struct waiting *w, uint64_t lo,
                           unsigned width, unsigned slots, unsigned full)
{
    unsigned before = fr_line_pushes(c.line);
    uint64_t last = UINT64_C(1) << (slots - 1); /* a push rotates all slots */
    unsigned n = ((unsigned)__builtin_ctzll(c.found | last) + 1) * width;
    uint16_t count = (uint16_t)(before + ((c.hit ^ 1) & ~full));

    w->push[w->n].line = c.line;
    w->push[w->n].lo = lo;
    w->n += full;
    line_rotate(c.line, fr_print(lo, width), n & (full - 1), width);
    count |= (uint16_t)(full * MARK);
    memcpy((char *)c.line + 62, &count, sizeof count);
}

/*
 * Lines at one width and at the next one, in any mixture.  Both lines are
 * searched at both widths, which takes less time than an unpredictable branch.
 */
FR_INLINE uint8_t pair_step(const struct pocket *s, const struct finder *f,
                            struct fr_pair p, struct waiting *w, uint64_t lo,
                            unsigned level, unsigned wide, unsigned narrow)
{
    unsigned few = FR_PLAIN_STACK / wide, many = FR_PLAIN_STACK / narrow;
    struct side a = side_of(f, p.line[0], lo, wide, narrow);
    struct side b = side_of(f, p.line[1], lo, wide, narrow);
    struct choice c = choose(p, a.found, b.found, fewer_pushes(p));
    unsigned up = a.up ^ ((a.up ^ b.up) & c.second);
    unsigned slots = few ^ ((few ^ many) & -up);
    unsigned width = wide ^ ((wide ^ narrow) & -up);
    unsigned pushes = a.pushes ^ ((a.pushes ^ b.pushes) & -c.second);

    if (s->refresh || !c.hit)
        put_or_wait(c, w, lo, width, slots,
                    (c.hit ^ 1) & (pushes == slots) &
                        (level + up + 1 < s->levels));
    return (uint8_t)c.hit;
}

/*
 * While a filter fills up, the two lines mostly have the same width, which is
 * also that of their neighbours, so these branches are predicted well.  *uneven
 * counts the exceptions.
 */
FR_INLINE uint8_t growing_step(const struct pocket *s, const struct finder *f,
                               struct fr_pair p, uint64_t lo, unsigned a,
                               unsigned b, unsigned choices, unsigned *uneven)
{
    unsigned more = a > b ? a : b, fewer = a > b ? b : a, level = 0;

    if (more < s->slots[0]) /* far from full */
        return even_step(s, f, p, lo, FR_FIRST_WIDTH, s->slots[0], choices);
    while (level + 1 < s->levels && more > s->slots[level])
        level++;
    if (fewer >= s->slots[level] || (level && fewer <= s->slots[level - 1])) {
        ++*uneven;
        return young_step(s, f, p, lo);
    }
    if (s->width[level] == 48)
        return even_step(s, f, p, lo, 48, s->slots[level], choices);
    if (s->width[level] == 32)
        return even_step(s, f, p, lo, 32, s->slots[level], choices);
    return even_step(s, f, p, lo, s->width[level], s->slots[level], choices);
}

FR_INLINE uint8_t plain_step(const struct pocket *s, const struct finder *f,
                             struct fr_pair p, uint64_t lo, unsigned width,
                             unsigned slots, unsigned choices, unsigned *uneven)
{
    unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

    if (likely(a >= s->settled && b >= s->settled))
        return even_step(s, f, p, lo, width, slots, choices);
    return growing_step(s, f, p, lo, a, b, choices, uneven);
}

enum { UNEVEN_FEW = 2 }; /* uneven keys of a stretch */

/* Some of the n keys of a batch. */
struct stretch {
    const freshet_hash *keys;
    uint8_t *seen;
    size_t from, to, n;
};

/* Processes lines at a level and at the next one.  Returns about how many keys
   had lines at both levels, or a full line. */
FR_INLINE unsigned pair_loop(const struct pocket *s, const struct finder *f,
                             struct fr_place at, const struct stretch *x,
                             unsigned level, unsigned wide, unsigned narrow)
{
    unsigned few = FR_PLAIN_STACK / wide, many = FR_PLAIN_STACK / narrow;
    unsigned least = level ? s->slots[level - 1] + 1u : 0, uneven = 0;
    unsigned most = level + 2 == s->levels ? MARK - 1 : many;
    struct waiting w;

    w.n = 0;
    for (size_t i = x->from; i < x->to; i++) {
        struct fr_pair p = fr_pair_at(at, x->keys[i], 2);
        unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

        if (i + FR_AHEAD < x->n)
            touch(at, x->keys[i + FR_AHEAD], 2);
        uneven += (a >= few) ^ (b > few);
        if (likely(a >= least && b >= least && a <= most && b <= most)) {
            x->seen[i] =
                pair_step(s, f, p, &w, x->keys[i].lo, level, wide, narrow);
        } else {
            push_waiting(s, &w);
            x->seen[i] = young_step(s, f, p, x->keys[i].lo);
        }
    }
    push_waiting(s, &w);
    return uneven;
}

/* Calls pair_loop() with the constants of a level that has_pair(). */
static __attribute__((noinline)) unsigned pair_stretch(const struct pocket *s,
                                                       const struct finder *f,
                                                       struct fr_place at,
                                                       const struct stretch *x,
                                                       unsigned level)
{
    unsigned wide = s->width[level], narrow = s->width[level + 1];

    if (wide == 64 && narrow == 48)
        return pair_loop(s, f, at, x, level, 64, 48);
    if (wide == 48 && narrow == 32)
        return pair_loop(s, f, at, x, level, 48, 32);
    if (wide == 32 && narrow == 26)
        return pair_loop(s, f, at, x, level, 32, 26);
    if (wide == 32 && narrow == 24)
        return pair_loop(s, f, at, x, level, 32, 24);
    return pair_loop(s, f, at, x, level, 24, 16);
}

/* Returns whether there is a loop for lines at a level and at the next one. */
FR_INLINE bool has_pair(const struct pocket *s, unsigned level)
{
    unsigned wide, narrow;

    if (!SEARCH_IS_CHEAP || level + 1 >= s->levels)
        return false;
    wide = s->width[level];
    narrow = s->width[level + 1];
    return (wide == 64 && narrow == 48) || (wide == 48 && narrow == 32) ||
           (wide == 32 && (narrow == 26 || narrow == 24)) ||
           (wide == 24 && narrow == 16);
}

/* Returns the level of the wider of a key's lines. */
FR_INLINE unsigned wider_level(const struct pocket *s, struct fr_pair p)
{
    unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

    return fr_line_level(s, a < b ? a : b);
}

/*
 * Keys are processed in stretches.  After a stretch in which lines were uneven,
 * the next one uses the loop for lines that narrow, if there is one.
 */
FR_INLINE size_t plain_offer(const struct pocket *s, const freshet_hash *keys,
                             size_t n, uint8_t *seen, unsigned width,
                             unsigned choices)
{
    struct fr_place at = fr_place_of(s, choices);
    unsigned slots = s->slots[s->levels - 1], uneven = 0, level = 0;
    struct stretch x = {keys, seen, 0, 0, n};
    size_t fresh = 0;
    struct finder f;

    finder_init(&f, width, n);
    for (size_t i = 0; i < n && i < FR_AHEAD; i++)
        touch(at, keys[i], choices);
    for (; x.from < n; x.from = x.to) {
        x.to = n - x.from < STRETCH ? n : x.from + STRETCH;
        if (choices == 2 && uneven > UNEVEN_FEW && has_pair(s, level)) {
            uneven = pair_stretch(s, &f, at, &x, level);
            continue;
        }
        uneven = 0;
        for (size_t i = x.from; i < x.to; i++) {
            struct fr_pair p = fr_pair_at(at, keys[i], choices);

            if (i + FR_AHEAD < n)
                touch(at, keys[i + FR_AHEAD], choices);
            seen[i] = plain_step(s, &f, p, keys[i].lo, width, slots, choices,
                                 &uneven);
        }
        if (uneven)
            level = wider_level(s, fr_pair_at(at, keys[x.to - 1], choices));
    }
    for (size_t i = 0; i < n; i++)
        fresh += seen[i] == FRESHET_NEW;
    return fresh;
}

#endif
