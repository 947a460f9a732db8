/*
 * pocket_kernel.h - the hot loops, compiled once per instruction set
 *
 * The including file defines how a line is searched and turned:
 *
 *     struct finder                 what a search wants prepared per batch
 *     finder_init(f, width, slots)  prepare it
 *     line_find(f, line, print, width, slots)
 *     line_rotate(line, print, q, width)
 *
 * and then makes its path with FR_POCKET_PATH.  Width 0 in the templates below
 * means "not known to the compiler".
 */
#ifndef FR_POCKET_KERNEL_H
#define FR_POCKET_KERNEL_H

#include "batch.h"
#include "pocket_age.h"

#define likely(x) __builtin_expect(!!(x), 1)

FR_INLINE void touch(const struct pocket *s, freshet_hash key, unsigned choices)
{
    struct fr_pair p = fr_pair_of(s, key, choices);

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

/* Has b been pushed to less often than a?  By the difference modulo 2^15. */
FR_INLINE unsigned second_is_lighter(const uint64_t *a, const uint64_t *b)
{
    return (fr_line_pushes(b) - fr_line_pushes(a)) >> 14 & 1;
}

/* Which slots of a line at a width of its own hold the key. */
FR_INLINE uint64_t young_find(const struct pocket *s, const struct finder *f,
                              const uint64_t *line, uint64_t lo)
{
    unsigned level = fr_line_level(s, fr_line_pushes(line));
    unsigned width = s->width[level];

    return line_find(f, line, fr_print(lo, width), width, s->slots[level]);
}

/* A full line goes one width down. */
static __attribute__((noinline)) void narrow(const struct pocket *s,
                                             uint64_t *line, unsigned level)
{
    unsigned slots = s->slots[level];

    fr_line_narrow(line, slots, s->width[level], s->width[level + 1]);
    fr_line_clear(line, slots, s->width[level + 1], FR_PLAIN_STACK);
}

/* Put the key in front of a line at a width of its own, in place of slot q;
   a push takes the place of the last, and may have to make room first. */
static inline void young_put(const struct pocket *s, uint64_t *line,
                             uint64_t lo, int q)
{
    unsigned n = fr_line_pushes(line), level = fr_line_level(s, n);
    unsigned last = s->slots[level] - 1u, push = q < 0;

    if (push && n > last && n < s->settled) {
        if (fr_line_get(line, last, s->width[level]))
            narrow(s, line, level++);
        else
            push = 0; /* forget() left room: the line counts it already */
        last = s->slots[level] - 1u;
    }
    line_rotate(line, fr_print(lo, s->width[level]), q < 0 ? last : (unsigned)q,
                s->width[level]);
    count_push(line, n, push);
}

/* At least one of the lines is not at the last width yet. */
static __attribute__((noinline)) uint8_t young_step(struct pocket *s,
                                                    const struct finder *f,
                                                    struct fr_pair p,
                                                    uint64_t lo)
{
    uint64_t *a = p.line[0], *b = p.line[1];
    uint64_t in_a = young_find(s, f, a, lo), in_b = young_find(s, f, b, lo);

    if (!(in_a | in_b)) {
        young_put(s, second_is_lighter(a, b) ? b : a, lo, -1);
        return FRESHET_NEW;
    }
    if (s->refresh)
        young_put(s, in_a ? a : b, lo, __builtin_ctzll(in_a ? in_a : in_b));
    return FRESHET_SEEN;
}

/* Both lines at the same width, and with room for a push or nothing to save:
   no branch depends on the key. */
FR_INLINE uint8_t even_step(struct pocket *s, const struct finder *f,
                            struct fr_pair p, uint64_t lo, unsigned width,
                            unsigned slots, unsigned choices)
{
    uint64_t *a = p.line[0], *b = p.line[1], *line;
    uint64_t print = fr_print(lo, width), in_a, in_b, found;
    unsigned hit, second, q, before;

    in_a = line_find(f, a, print, width, slots);
    in_b = choices == 2 ? line_find(f, b, print, width, slots) : 0;
    hit = (in_a | in_b) != 0;
    if (hit && !s->refresh)
        return FRESHET_SEEN;
    second = choices == 2 ? (hit ? in_a == 0 : second_is_lighter(a, b)) : 0;
    line = second ? b : a;
    found = second ? in_b : in_a;
    q = hit ? (unsigned)__builtin_ctzll(found) : slots - 1;
    before = fr_line_pushes(line);
    line_rotate(line, print, q, width);
    count_push(line, before, !hit);
    return (uint8_t)hit;
}

/* The two common cases: lines that have long been full, and a filter that is
   far from full, all of its lines at the first width. */
FR_INLINE uint8_t plain_step(struct pocket *s, const struct finder *f,
                             struct fr_pair p, uint64_t lo, unsigned width,
                             unsigned slots, unsigned choices)
{
    unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

    if (likely(a >= s->settled && b >= s->settled))
        return even_step(s, f, p, lo, width, slots, choices);
    if (a < s->slots[0] && b < s->slots[0])
        return even_step(s, f, p, lo, FR_FIRST_WIDTH, s->slots[0], choices);
    return young_step(s, f, p, lo);
}

FR_INLINE uint8_t plain_probe(const struct pocket *s, const struct finder *f,
                              struct fr_pair p, uint64_t lo, unsigned width,
                              unsigned slots, unsigned choices)
{
    for (unsigned i = 0; i < choices; i++) {
        const uint64_t *line = p.line[i];

        if (likely(fr_line_pushes(line) >= s->settled)
                ? line_find(f, line, fr_print(lo, width), width, slots) != 0
                : young_find(s, f, line, lo) != 0)
            return FRESHET_SEEN;
    }
    return FRESHET_NEW;
}

/* ---- With a window ---------------------------------------------------- */

/* The live slots that hold the key.  Lines may be at any width. */
FR_INLINE uint64_t window_find(const struct pocket *s, const struct finder *f,
                               const uint64_t *line, struct fr_age *age,
                               uint64_t lo, unsigned width, unsigned slots)
{
    uint64_t alive = (UINT64_C(1) << age->alive) - 1;

    if (likely(age->level == s->levels - 1))
        return line_find(f, line, fr_print(lo, width), width, slots) & alive;
    if (age->level >= s->levels)
        age->level = s->levels - 1; /* a damaged line: any level will do */
    width = s->width[age->level];
    return fr_line_find_plain(line, fr_print(lo, width), width,
                              s->slots[age->level]) &
           alive;
}

/* Room for one more: by a smaller width, or else the oldest goes. */
static __attribute__((noinline)) void window_room(struct pocket *s,
                                                  uint64_t *line,
                                                  struct fr_age *age)
{
    unsigned slots = s->slots[age->level];

    if (age->alive == 0) {
        age->level = 0;
    } else if (age->alive >= slots && age->level + 1 < s->levels) {
        fr_line_narrow(line, slots, s->width[age->level],
                       s->width[age->level + 1]);
        age->level++;
    } else if (age->alive >= slots) {
        s->forgotten++;
    }
}

FR_INLINE void window_push(struct pocket *s, uint64_t *line, struct fr_age *age,
                           uint64_t lo, unsigned width, unsigned slots)
{
    if (age->alive == 0 || age->alive >= s->slots[age->level])
        window_room(s, line, age);
    if (likely(age->level == s->levels - 1))
        line_rotate(line, fr_print(lo, width), slots - 1, width);
    else
        fr_line_rotate_plain(line, fr_print(lo, s->width[age->level]),
                             s->slots[age->level] - 1u, s->width[age->level]);
    fr_age_push(age);
    line[FR_AGE_WORD] = fr_age_write(age, s->generation);
}

FR_INLINE void window_front(const struct pocket *s, uint64_t *line,
                            struct fr_age *age, uint64_t lo, unsigned q,
                            unsigned width)
{
    if (likely(age->level == s->levels - 1))
        line_rotate(line, fr_print(lo, width), q, width);
    else
        fr_line_rotate_plain(line, fr_print(lo, s->width[age->level]), q,
                             s->width[age->level]);
    fr_age_front(age, q);
    line[FR_AGE_WORD] = fr_age_write(age, s->generation);
}

/* Records pass; at the end of a generation of them the next begins. */
FR_INLINE void count_record(struct pocket *s)
{
    if (!s->timed && ++s->within >= s->length) {
        s->within = 0;
        fr_pocket_advance(s, 1);
    }
}

FR_INLINE uint8_t window_step(struct pocket *s, const struct finder *f,
                              struct fr_pair p, uint64_t lo, unsigned width,
                              unsigned slots, unsigned choices)
{
    struct fr_age age[2];
    uint64_t found[2] = {0, 0};
    unsigned i;

    for (i = 0; i < choices; i++) {
        age[i] = fr_age_read(p.line[i][FR_AGE_WORD], s->generation);
        found[i] = window_find(s, f, p.line[i], &age[i], lo, width, slots);
    }
    if (found[0] | found[1]) {
        i = found[0] == 0;
        if (s->refresh)
            window_front(s, p.line[i], &age[i], lo,
                         (unsigned)__builtin_ctzll(found[i]), width);
    } else {
        i = choices == 2 && age[1].string < age[0].string;
        window_push(s, p.line[i], &age[i], lo, width, slots);
    }
    count_record(s);
    return (found[0] | found[1]) != 0;
}

FR_INLINE uint8_t window_probe(const struct pocket *s, const struct finder *f,
                               struct fr_pair p, uint64_t lo, unsigned width,
                               unsigned slots, unsigned choices)
{
    for (unsigned i = 0; i < choices; i++) {
        struct fr_age age = fr_age_read(p.line[i][FR_AGE_WORD], s->generation);

        if (window_find(s, f, p.line[i], &age, lo, width, slots))
            return FRESHET_SEEN;
    }
    return FRESHET_NEW;
}

/* ---- Batches ---------------------------------------------------------- */

/* Width and choices are constants where it pays: see FR_POCKET_DISPATCH. */
#define FR_POCKET_LOOP(verb, constness, decide)                                \
    FR_INLINE size_t verb##_loop(constness struct pocket *s,                   \
                                 const freshet_hash *keys, size_t n,           \
                                 uint8_t *seen, unsigned width,                \
                                 unsigned choices)                             \
    {                                                                          \
        unsigned slots = s->slots[s->levels - 1];                              \
        size_t fresh = 0;                                                      \
        struct finder f;                                                       \
                                                                               \
        finder_init(&f, width, slots, n);                                      \
        for (size_t i = 0; i < n && i < FR_AHEAD; i++)                         \
            touch(s, keys[i], choices);                                        \
        for (size_t i = 0; i < n; i++) {                                       \
            struct fr_pair p = fr_pair_of(s, keys[i], choices);                \
            uint64_t lo = keys[i].lo;                                          \
                                                                               \
            if (i + FR_AHEAD < n)                                              \
                touch(s, keys[i + FR_AHEAD], choices);                         \
            seen[i] =                                                          \
                s->length                                                      \
                    ? window_##decide(s, &f, p, lo, width, slots, choices)     \
                    : plain_##decide(s, &f, p, lo, width, slots, choices);     \
            fresh += seen[i] == FRESHET_NEW;                                   \
        }                                                                      \
        return fresh;                                                          \
    }

FR_POCKET_LOOP(offer, FR_MUTABLE, step)
FR_POCKET_LOOP(query, const, probe)

/* Loops of their own for the widths with a comparison of their own, and for
   the width of the default rate. */
#define FR_POCKET_WIDTHS(loop, s, keys, n, seen, choices)                      \
    switch ((s)->width[(s)->levels - 1]) {                                     \
    case 16:                                                                   \
        return loop(s, keys, n, seen, 16, choices);                            \
    case 26:                                                                   \
        return loop(s, keys, n, seen, 26, choices);                            \
    case 32:                                                                   \
        return loop(s, keys, n, seen, 32, choices);                            \
    default:                                                                   \
        return loop(s, keys, n, seen, (s)->width[(s)->levels - 1], choices);   \
    }

#define FR_POCKET_DISPATCH(loop, s, keys, n, seen)                             \
    do {                                                                       \
        if ((s)->choices == 1)                                                 \
            FR_POCKET_WIDTHS(loop, s, keys, n, seen, 1)                        \
        FR_POCKET_WIDTHS(loop, s, keys, n, seen, 2)                            \
    } while (0)

#define FR_POCKET_PATH(path)                                                   \
    static size_t path##_offer(struct pocket *s, const freshet_hash *keys,     \
                               size_t n, uint8_t *seen)                        \
    {                                                                          \
        FR_POCKET_DISPATCH(offer_loop, s, keys, n, seen);                      \
    }                                                                          \
    static size_t path##_query(const struct pocket *s,                         \
                               const freshet_hash *keys, size_t n,             \
                               uint8_t *seen)                                  \
    {                                                                          \
        FR_POCKET_DISPATCH(query_loop, s, keys, n, seen);                      \
    }                                                                          \
    const struct fr_pocket_path fr_pocket_##path = {                           \
        .name = #path,                                                         \
        .offer = path##_offer,                                                 \
        .query = path##_query,                                                 \
    }

#endif
