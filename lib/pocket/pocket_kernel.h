/*
 * pocket_kernel.h - the hot loops, compiled once per instruction set
 *
 * The including file defines how a line is searched and rotated:
 *
 *     struct finder                 what a search prepares per batch
 *     finder_init(f, width, n)      prepares it for a batch of n
 *     line_find(f, line, print, width, slots)
 *     line_rotate(line, print, q, width)
 *
 * and then makes its path with FR_POCKET_PATH.  Width 0 in the templates below
 * means "not known to the compiler".
 */
#ifndef FR_POCKET_KERNEL_H
#define FR_POCKET_KERNEL_H

#include "parts/batched.h"
#include "pocket_age.h"

#define likely(x) __builtin_expect(!!(x), 1)

FR_INLINE void touch(struct fr_place at, freshet_hash key, unsigned choices)
{
    struct fr_pair p = fr_pair_at(at, key, choices);

    FR_PREFETCH(p.line[0]);
    if (choices == 2)
        FR_PREFETCH(p.line[1]);
}

/* ---- Without a window ------------------------------------------------- */

/* Increments the count of pushes if this was a push. */
FR_INLINE void count_push(uint64_t *line, unsigned before, unsigned push)
{
    uint16_t n = (uint16_t)((before + push) | (before & 0x8000));

    memcpy((char *)line + 62, &n, sizeof n);
}

/* Returns whether the second line has fewer pushes, by the difference modulo
   2^15. */
FR_INLINE unsigned fewer_pushes(struct fr_pair p)
{
    return (fr_line_pushes(p.line[1]) - fr_line_pushes(p.line[0])) >> 14 & 1;
}

/* The result of a search in a key's two lines. */
struct choice {
    uint64_t *line; /* holds the key, or else will get it */
    uint64_t found; /* its slots that hold the key */
    unsigned hit, second;
};

/*
 * Returns the line that holds the key, or else the one with fewer pushes.  The
 * choice is computed with masks: a branch that depends on the key would be
 * mispredicted every other time, which would cost more than everything else.
 */
FR_INLINE struct choice choose(struct fr_pair p, uint64_t in_a, uint64_t in_b,
                               unsigned second_is_lighter)
{
    struct choice c = {.hit = (in_a | in_b) != 0};

    c.second = (in_b != 0) & (in_a == 0);
    c.second |= second_is_lighter & (c.hit ^ 1);
    c.found = in_a ^ ((in_a ^ in_b) & -(uint64_t)c.second);
    c.line = fr_second_if(p, c.second);
    return c;
}

/* Moves the key to the front of the line it was found in, or pushes it. */
FR_INLINE void put(struct choice c, uint64_t lo, unsigned width, unsigned slots,
                   unsigned push)
{
    unsigned before = fr_line_pushes(c.line);
    uint64_t last = UINT64_C(1) << (slots - 1); /* a push rotates all slots */

    line_rotate(c.line, fr_print(lo, width),
                (unsigned)__builtin_ctzll(c.found | last), width);
    count_push(c.line, before, push);
}

/* Both lines have the same width, and either room for a push or the last
   width. */
FR_INLINE uint8_t even_step(const struct pocket *s, const struct finder *f,
                            struct fr_pair p, uint64_t lo, unsigned width,
                            unsigned slots, unsigned choices)
{
    uint64_t print = fr_print(lo, width), in_b = 0;
    uint64_t in_a = line_find(f, p.line[0], print, width, slots);
    struct choice c;

    if (choices == 2)
        in_b = line_find(f, p.line[1], print, width, slots);
    c = choose(p, in_a, in_b, choices == 2 ? fewer_pushes(p) : 0);
    if (s->refresh || !c.hit)
        put(c, lo, width, slots, c.hit ^ 1);
    return (uint8_t)c.hit;
}

/* Returns the slots that hold the key in a line of its own width. */
static inline uint64_t young_find(const struct pocket *s,
                                  const struct finder *f, const uint64_t *line,
                                  unsigned level, uint64_t lo)
{
    unsigned width = s->width[level];

    return line_find(f, line, fr_print(lo, width), width, s->slots[level]);
}

/* Widths that most filters pass through are constants. */
FR_INLINE void narrow_from(const struct pocket *s, uint64_t *line,
                           unsigned level, uint64_t lo)
{
    unsigned from = s->width[level], to = s->width[level + 1];

    if (from == 64 && to == 48)
        fr_line_narrow(line, fr_print(lo, 48), 7, 64, 48, FR_PLAIN_STACK);
    else if (from == 48 && to == 32)
        fr_line_narrow(line, fr_print(lo, 32), 10, 48, 32, FR_PLAIN_STACK);
    else if (from == 32 && to == 26)
        fr_line_narrow(line, fr_print(lo, 26), 15, 32, 26, FR_PLAIN_STACK);
    else if (from == 32 && to == 24)
        fr_line_narrow(line, fr_print(lo, 24), 15, 32, 24, FR_PLAIN_STACK);
    else if (from == 24 && to == 16)
        fr_line_narrow(line, fr_print(lo, 16), 20, 24, 16, FR_PLAIN_STACK);
    else
        fr_line_narrow(line, fr_print(lo, to), s->slots[level], from, to,
                       FR_PLAIN_STACK);
}

/* Pushes onto a line that is full and not yet at the last width: the line is
   narrowed to the next width. */
static __attribute__((noinline)) uint8_t push_full(const struct pocket *s,
                                                   struct choice c,
                                                   unsigned level, uint64_t lo)
{
    unsigned before = fr_line_pushes(c.line);

    if (fr_line_get(c.line, s->slots[level] - 1u, s->width[level])) {
        narrow_from(s, c.line, level, lo);
        count_push(c.line, before, 1);
    } else { /* forget() left room, which the line still counts */
        put(c, lo, s->width[level], s->slots[level], 0);
    }
    return FRESHET_NEW;
}

/* The lines have different widths, or the one that will get the key is full. */
static __attribute__((noinline)) uint8_t young_step(const struct pocket *s,
                                                    const struct finder *f,
                                                    struct fr_pair p,
                                                    uint64_t lo)
{
    unsigned level[2], at;
    struct choice c;

    for (unsigned i = 0; i < 2; i++)
        level[i] = fr_line_level(s, fr_line_pushes(p.line[i]));
    c = choose(p, young_find(s, f, p.line[0], level[0], lo),
               young_find(s, f, p.line[1], level[1], lo), fewer_pushes(p));
    at = level[c.second];
    if (!c.hit && at + 1 < s->levels && fr_line_pushes(c.line) == s->slots[at])
        return push_full(s, c, at, lo);
    if (s->refresh || !c.hit)
        put(c, lo, s->width[at], s->slots[at], c.hit ^ 1);
    return (uint8_t)c.hit;
}

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
 * Lines at one width and at the next one, in any mixture.  Both lines are
 * searched at both widths, which takes less time than an unpredictable branch.
 * Only a push onto a full line has a branch.
 */
FR_INLINE uint8_t pair_step(const struct pocket *s, const struct finder *f,
                            struct fr_pair p, uint64_t lo, unsigned level,
                            unsigned wide, unsigned narrow)
{
    unsigned few = FR_PLAIN_STACK / wide, many = FR_PLAIN_STACK / narrow;
    struct side a = side_of(f, p.line[0], lo, wide, narrow);
    struct side b = side_of(f, p.line[1], lo, wide, narrow);
    struct choice c = choose(p, a.found, b.found, fewer_pushes(p));
    unsigned up = a.up ^ ((a.up ^ b.up) & c.second);
    unsigned slots = few ^ ((few ^ many) & -up);
    unsigned width = wide ^ ((wide ^ narrow) & -up);
    unsigned pushes = a.pushes ^ ((a.pushes ^ b.pushes) & -c.second);

    if ((c.hit ^ 1) & (pushes == slots) & (level + up + 1 < s->levels))
        return push_full(s, c, level + up, lo);
    if (s->refresh || !c.hit)
        put(c, lo, width, slots, c.hit ^ 1);
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

/* ---- Without a window: lines that narrow ------------------------------- */

enum { STRETCH = 32, UNEVEN_FEW = 2 }; /* keys; uneven keys among them */

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
    unsigned most = level + 2 == s->levels ? UINT32_MAX : many;

    for (size_t i = x->from; i < x->to; i++) {
        struct fr_pair p = fr_pair_at(at, x->keys[i], 2);
        unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

        if (i + FR_AHEAD < x->n)
            touch(at, x->keys[i + FR_AHEAD], 2);
        uneven += (a >= few) ^ (b > few);
        x->seen[i] =
            likely(a >= least && b >= least && a <= most && b <= most)
                ? pair_step(s, f, p, x->keys[i].lo, level, wide, narrow)
                : young_step(s, f, p, x->keys[i].lo);
    }
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

FR_INLINE uint8_t plain_probe(const struct pocket *s,
                              const struct fr_pocket_live *live,
                              const struct finder *f, struct fr_pair p,
                              uint64_t lo, unsigned width, unsigned slots,
                              unsigned choices)
{
    (void)live;
    for (unsigned i = 0; i < choices; i++) {
        const uint64_t *line = p.line[i];

        if (likely(fr_line_pushes(line) >= s->settled)
                ? line_find(f, line, fr_print(lo, width), width, slots) != 0
                : young_find(s, f, line, fr_line_level(s, fr_line_pushes(line)),
                             lo) != 0)
            return FRESHET_SEEN;
    }
    return FRESHET_NEW;
}

/* ---- With a window ---------------------------------------------------- */

/* Returns the live slots that hold the key. */
FR_INLINE uint64_t window_find(const struct finder *f, const uint64_t *line,
                               const struct fr_age *age, uint64_t lo,
                               unsigned width, unsigned slots)
{
    uint64_t alive = (UINT64_C(1) << age->alive) - 1;

    return line_find(f, line, fr_print(lo, width), width, slots) & alive;
}

/* Pushes onto a line that is full, or that is empty and may be wide again. */
static __attribute__((noinline)) void window_remake(const struct pocket *s,
                                                    uint64_t *line,
                                                    struct fr_age *age,
                                                    uint64_t lo)
{
    unsigned from = age->level, to = age->alive ? from + 1 : 0;

    fr_line_narrow(line, fr_print(lo, s->width[to]),
                   age->alive ? s->slots[from] : 0, s->width[from],
                   s->width[to], FR_AGE_STACK);
    age->level = to;
}

FR_INLINE void window_put(const struct pocket *s, struct fr_pocket_live *live,
                          struct choice c, struct fr_age age, uint64_t lo,
                          unsigned width, unsigned slots)
{
    bool full = age.alive >= slots && age.level + 1 < s->levels;
    bool wide = age.alive == 0 && age.level != 0;
    uint64_t last = UINT64_C(1) << (slots - 1); /* a push rotates all slots */

    if (!c.hit && (full || wide))
        window_remake(s, c.line, &age, lo);
    else
        line_rotate(c.line, fr_print(lo, width),
                    (unsigned)__builtin_ctzll(c.found | last), width);
    live->forgotten += (c.hit ^ 1) & (age.alive >= slots && !full);
    fr_age_front(&age, c.found);
    c.line[FR_AGE_WORD] = fr_age_write(&age, live->generation);
}

/* Both lines have the same width. */
FR_INLINE uint8_t window_even(const struct pocket *s,
                              struct fr_pocket_live *live,
                              const struct finder *f, struct fr_pair p,
                              const struct fr_age age[2], uint64_t lo,
                              unsigned width, unsigned slots, unsigned choices)
{
    uint64_t in_b = 0;
    uint64_t in_a = window_find(f, p.line[0], &age[0], lo, width, slots);
    struct choice c;

    if (choices == 2)
        in_b = window_find(f, p.line[1], &age[1], lo, width, slots);
    c = choose(p, in_a, in_b, age[1].string < age[0].string);
    if (s->refresh || !c.hit)
        window_put(s, live, c, age[c.second], lo, width, slots);
    return (uint8_t)c.hit;
}

static __attribute__((noinline)) uint8_t window_uneven(
    const struct pocket *s, struct fr_pocket_live *live, const struct finder *f,
    struct fr_pair p, const struct fr_age *age, uint64_t lo)
{
    uint64_t in[2];
    struct choice c;
    unsigned at;

    for (unsigned i = 0; i < 2; i++)
        in[i] = window_find(f, p.line[i], &age[i], lo, s->width[age[i].level],
                            s->slots[age[i].level]);
    c = choose(p, in[0], in[1], age[1].string < age[0].string);
    at = age[c.second].level;
    if (s->refresh || !c.hit)
        window_put(s, live, c, age[c.second], lo, s->width[at], s->slots[at]);
    return (uint8_t)c.hit;
}

FR_INLINE struct fr_age window_age(const struct pocket *s,
                                   const struct fr_pocket_live *live,
                                   const uint64_t *line)
{
    struct fr_age age = fr_age_read(line[FR_AGE_WORD], live->generation);

    if (age.level >= s->levels)
        age.level = s->levels - 1; /* a damaged line: any level will do */
    return age;
}

FR_INLINE uint8_t window_step(const struct pocket *s,
                              struct fr_pocket_live *live,
                              const struct finder *f, struct fr_pair p,
                              uint64_t lo, unsigned width, unsigned slots,
                              unsigned choices)
{
    struct fr_age age[2];
    unsigned level;

    age[1] = age[0] = window_age(s, live, p.line[0]);
    if (choices == 2)
        age[1] = window_age(s, live, p.line[1]);
    level = age[0].level;
    if (level != age[1].level)
        return window_uneven(s, live, f, p, age, lo);
    if (likely(level == s->levels - 1))
        return window_even(s, live, f, p, age, lo, width, slots, choices);
    if (level == 0)
        return window_even(s, live, f, p, age, lo, FR_FIRST_WIDTH, s->slots[0],
                           choices);
    return window_even(s, live, f, p, age, lo, s->width[level], s->slots[level],
                       choices);
}

FR_INLINE uint8_t window_probe(const struct pocket *s,
                               const struct fr_pocket_live *live,
                               const struct finder *f, struct fr_pair p,
                               uint64_t lo, unsigned width, unsigned slots,
                               unsigned choices)
{
    for (unsigned i = 0; i < choices; i++) {
        struct fr_age age = window_age(s, live, p.line[i]);
        bool last = likely(age.level == s->levels - 1);

        if (window_find(f, p.line[i], &age, lo,
                        last ? width : s->width[age.level],
                        last ? slots : s->slots[age.level]))
            return FRESHET_SEEN;
    }
    return FRESHET_NEW;
}

/* ---- Batches ---------------------------------------------------------- */

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
