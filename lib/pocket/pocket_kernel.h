/*
 * pocket_kernel.h - the hot loops, compiled once per instruction set
 *
 * The including file defines how a line is searched and turned:
 *
 *     struct finder                 what a search wants prepared per batch
 *     finder_init(f, width, n)      prepare it for a batch of n
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

/* One more than before, if it was a push. */
FR_INLINE void count_push(uint64_t *line, unsigned before, unsigned push)
{
    uint16_t n = (uint16_t)((before + push) | (before & 0x8000));

    memcpy((char *)line + 62, &n, sizeof n);
}

/* Has the second been pushed to less often?  By the difference modulo 2^15. */
FR_INLINE unsigned fewer_pushes(struct fr_pair p)
{
    return (fr_line_pushes(p.line[1]) - fr_line_pushes(p.line[0])) >> 14 & 1;
}

/* What a step decides about a key's two lines. */
struct choice {
    uint64_t *line; /* that holds the key, or else is to get it */
    uint64_t found; /* its slots that hold the key */
    unsigned hit, second;
};

/*
 * The line that holds the key, or else the lighter one.  No branch depends on
 * the key: every other one would be mispredicted, and that costs more than all
 * the rest.  So what is chosen is computed, by masks.
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

/* Put the key in front of the line it was found in, or push it. */
FR_INLINE void put(struct choice c, uint64_t lo, unsigned width, unsigned slots,
                   unsigned push)
{
    unsigned before = fr_line_pushes(c.line);
    uint64_t last = UINT64_C(1) << (slots - 1); /* a push turns all slots */

    line_rotate(c.line, fr_print(lo, width),
                (unsigned)__builtin_ctzll(c.found | last), width);
    count_push(c.line, before, push);
}

/* Both lines at the same width, and with room for a push or nothing to save. */
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

/* Which slots of a line at a width of its own hold the key. */
static inline uint64_t young_find(const struct pocket *s,
                                  const struct finder *f, const uint64_t *line,
                                  unsigned level, uint64_t lo)
{
    unsigned width = s->width[level];

    return line_find(f, line, fr_print(lo, width), width, s->slots[level]);
}

/* A push onto a full line that can go one width down. */
static __attribute__((noinline)) void narrow(const struct pocket *s,
                                             uint64_t *line, unsigned level,
                                             uint64_t lo)
{
    unsigned to = s->width[level + 1], before = fr_line_pushes(line);

    fr_line_narrow(line, fr_print(lo, to), s->slots[level], s->width[level], to,
                   FR_PLAIN_STACK);
    count_push(line, before, 1);
}

/* The lines are at different widths, or the one that is to get the key has no
   room for it. */
static __attribute__((noinline)) uint8_t young_step(const struct pocket *s,
                                                    const struct finder *f,
                                                    struct fr_pair p,
                                                    uint64_t lo)
{
    unsigned level[2], at, push;
    struct choice c;

    for (unsigned i = 0; i < 2; i++)
        level[i] = fr_line_level(s, fr_line_pushes(p.line[i]));
    c = choose(p, young_find(s, f, p.line[0], level[0], lo),
               young_find(s, f, p.line[1], level[1], lo), fewer_pushes(p));
    at = level[c.second];
    push = c.hit ^ 1;
    if (push && at + 1 < s->levels && fr_line_pushes(c.line) == s->slots[at]) {
        if (fr_line_get(c.line, s->slots[at] - 1u, s->width[at])) {
            narrow(s, c.line, at, lo);
            return FRESHET_NEW;
        }
        push = 0; /* forget() left room: the line counts it already */
    }
    if (s->refresh || !c.hit)
        put(c, lo, s->width[at], s->slots[at], push);
    return (uint8_t)c.hit;
}

/*
 * While a filter fills up, the two lines mostly are at the same width, and that
 * of their neighbours: branches that are well predicted.
 */
FR_INLINE uint8_t growing_step(const struct pocket *s, const struct finder *f,
                               struct fr_pair p, uint64_t lo, unsigned a,
                               unsigned b, unsigned choices)
{
    unsigned more = a > b ? a : b, fewer = a > b ? b : a, level = 0;

    if (more < s->slots[0]) /* far from full */
        return even_step(s, f, p, lo, FR_FIRST_WIDTH, s->slots[0], choices);
    while (level + 1 < s->levels && more > s->slots[level])
        level++;
    if (fewer >= s->slots[level] || (level && fewer <= s->slots[level - 1]))
        return young_step(s, f, p, lo);
    if (s->width[level] == 48)
        return even_step(s, f, p, lo, 48, s->slots[level], choices);
    if (s->width[level] == 32)
        return even_step(s, f, p, lo, 32, s->slots[level], choices);
    return even_step(s, f, p, lo, s->width[level], s->slots[level], choices);
}

FR_INLINE uint8_t plain_step(const struct pocket *s, const struct finder *f,
                             struct fr_pair p, uint64_t lo, unsigned width,
                             unsigned slots, unsigned choices)
{
    unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

    if (likely(a >= s->settled && b >= s->settled))
        return even_step(s, f, p, lo, width, slots, choices);
    return growing_step(s, f, p, lo, a, b, choices);
}

FR_INLINE uint8_t plain_probe(const struct pocket *s, const struct finder *f,
                              struct fr_pair p, uint64_t lo, unsigned width,
                              unsigned slots, unsigned choices)
{
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

/* The live slots that hold the key. */
FR_INLINE uint64_t window_find(const struct finder *f, const uint64_t *line,
                               const struct fr_age *age, uint64_t lo,
                               unsigned width, unsigned slots)
{
    uint64_t alive = (UINT64_C(1) << age->alive) - 1;

    return line_find(f, line, fr_print(lo, width), width, slots) & alive;
}

/* A push onto a line that is full, or is empty and may be wide again. */
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
    uint64_t last = UINT64_C(1) << (slots - 1); /* a push turns all slots */

    if (!c.hit && (full || wide))
        window_remake(s, c.line, &age, lo);
    else
        line_rotate(c.line, fr_print(lo, width),
                    (unsigned)__builtin_ctzll(c.found | last), width);
    live->forgotten += (c.hit ^ 1) & (age.alive >= slots && !full);
    fr_age_front(&age, c.found);
    c.line[FR_AGE_WORD] = fr_age_write(&age, live->generation);
}

/* Both lines at the same width. */
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
#define FR_POCKET_LOOP(verb, constness, decide)                                \
    FR_INLINE size_t verb##_loop(const struct pocket *s,                       \
                                 constness struct fr_pocket_live *live,        \
                                 const freshet_hash *keys, size_t n,           \
                                 uint8_t *seen, unsigned width,                \
                                 unsigned choices)                             \
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
            uint64_t lo = keys[i].lo;                                          \
                                                                               \
            if (i + FR_AHEAD < n)                                              \
                touch(at, keys[i + FR_AHEAD], choices);                        \
            seen[i] = s->length ? window_##decide(s, live, &f, p, lo, width,   \
                                                  slots, choices)              \
                                : plain_##decide(s, &f, p, lo, width, slots,   \
                                                 choices);                     \
            fresh += seen[i] == FRESHET_NEW;                                   \
        }                                                                      \
        return fresh;                                                          \
    }

FR_POCKET_LOOP(offer, FR_MUTABLE, step)
FR_POCKET_LOOP(query, const, probe)

/* Loops of their own for the widths with a comparison of their own, and for
   the width of the default rate. */
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
