/*
 * pocket_mixed.h - with AVX-512: a group of keys whose lines have any widths
 *
 * While a filter fills up, its lines narrow and their widths differ.  Lines are
 * then searched for up to 16 bits of the fingerprint, in ways in which the
 * width is data and not a branch.  A key whose first slot with these bits is
 * another key's is processed once more, exactly.
 */
#ifndef FR_POCKET_MIXED_H
#define FR_POCKET_MIXED_H

#include "pocket_groups.h"

/* ---- Widths as data --------------------------------------------------- */

enum {
    MIXED_LEVELS = 8 /* widths that a filter without a window can have */
};

/*
 * The widths of a filter.  If slots are found in place, low of struct found has
 * a bit for every 16 bits of a line, and a slot of 16, 32, 48 or 64 bits is
 * where its first 16 bits are; only one width may be another, and high has the
 * slots that its guide found.  Otherwise every width is searched by its guide.
 */
struct widths {
    struct guide guide[MIXED_LEVELS]; /* only that of odd if slots are in
                                         place */
    _Alignas(64) uint8_t level[64];   /* by pushes */
    struct {
        _Alignas(64) uint32_t width[GROUP], low[GROUP], high[GROUP];
        _Alignas(64) uint32_t step[GROUP], rest[GROUP], all[GROUP], full[GROUP];
    } by; /* level: see struct shapes; low and high have the bits of all
             slots */
    const struct packing
        *packing[MIXED_LEVELS]; /* to the next width, or NULL */
    bool in_place;
    unsigned odd; /* the level whose guide is used if slots are in place */
};

/* Returns whether a filter's slots can be found in place, and sets *odd. */
static bool are_in_place(const struct pocket *s, unsigned *odd)
{
    unsigned others = 0;

    *odd = 0;
    for (unsigned i = 0; i < s->levels; i++)
        if (s->width[i] % 16) {
            others += has_whole_bytes(s->width[i]) ? 1 : 2;
            *odd = i;
        }
    return others <= 1;
}

/* Returns a bit for every 16 bits of a line in which a slot begins, for widths
   of 16, 32, 48 and 64. */
static uint32_t slots_in_place(unsigned width, unsigned slots)
{
    static const uint32_t all[] = {0xffffffff, 0x55555555, 0x49249249,
                                   0x11111111};

    return all[width / 16 - 1] & ((UINT32_C(1) << slots * width / 16) - 1);
}

/* Sets how slots of a level are found. */
static void level_init(struct widths *w, unsigned i, unsigned width,
                       unsigned slots)
{
    uint64_t all = ~UINT64_C(0) >> (64 - slots);

    if (!w->in_place || i == w->odd)
        guide_init(&w->guide[i], width);
    w->by.width[i] = w->by.step[i] = width;
    w->by.rest[i] = 0;
    w->by.all[i] = slots * width;
    w->by.low[i] = (uint32_t)all;
    w->by.high[i] = (uint32_t)(all >> 32);
    if (!w->in_place)
        return;
    if (width % 16) {
        w->by.high[i] = (uint32_t)all;
        w->by.low[i] = 0;
        return;
    }
    w->by.high[i] = 0;
    w->by.low[i] = slots_in_place(width, slots);
    w->by.step[i] = 16;
    w->by.rest[i] = width - 16;
}

static void widths_init(struct widths *w, const struct pocket *s)
{
    /* by_level() reads whole tables, of which a filter may use a part. */
    memset(&w->by, 0, sizeof w->by);
    memset(w->level, 0, sizeof w->level);
    w->in_place = are_in_place(s, &w->odd);
    for (unsigned i = 0; i < s->levels && i < MIXED_LEVELS; i++) {
        bool last = i + 1 == s->levels;

        level_init(w, i, s->width[i], s->slots[i]);
        w->by.full[i] = last ? UINT32_MAX : s->slots[i];
        w->packing[i] = last ? NULL : packing_of(s->width[i], s->width[i + 1]);
        for (uint8_t pushes = 0; !last && pushes < 64; pushes++)
            w->level[pushes] =
                (uint8_t)(w->level[pushes] + (pushes > s->slots[i]));
    }
}

FR_INLINE unsigned level_of(const struct widths *w, unsigned pushes)
{
    return w->level[pushes < 63 ? pushes : 63];
}

/* Sets low to what is found in place, high to what the guide finds. */
FR_INLINE void search_in_place(const struct batch *b, const struct widths *w,
                               size_t at, struct found *found, unsigned choices)
{
    /* analyzer: takes it for uninitialised; level_init() has set this one */
    const struct guide g = w->guide[w->odd]; /* in registers */

#pragma GCC unroll 16
    for (unsigned i = 0; i < GROUP; i++) {
        uint64_t lo = b->lo[(at + i) % RING];
        __m512i low = _mm512_set1_epi16((short)lo);
        __m512i wanted = guide_wanted(&g, lo, 0);

#pragma GCC unroll 2
        for (unsigned j = 0; j < choices; j++) {
            const uint64_t *line = line_of(b, at + i, j);

            found->pushes[j][i] = (uint16_t)fr_line_pushes(line);
            found->low[j][i] = _cvtmask32_u32(
                _mm512_cmpeq_epi16_mask(_mm512_load_si512(line), low));
            found->high[j][i] = guide_find_whole(&g, line, wanted);
        }
        fetch_some(b, at + i, choices);
    }
}

FR_INLINE void search_by_guides(const struct batch *b, const struct widths *w,
                                size_t at, struct found *found,
                                unsigned choices)
{
#pragma GCC unroll 2
    for (unsigned i = 0; i < GROUP; i++) {
        uint64_t lo = b->lo[(at + i) % RING];

#pragma GCC unroll 2
        for (unsigned j = 0; j < choices; j++) {
            const uint64_t *line = line_of(b, at + i, j);
            unsigned pushes = fr_line_pushes(line);
            const struct guide *g = &w->guide[level_of(w, pushes)];

            found->pushes[j][i] = (uint16_t)pushes;
            found->low[j][i] = guide_find(g, line, lo, 0);
            found->high[j][i] = guide_find(g, line, lo, 1);
        }
        fetch_some(b, at + i, choices);
    }
}

/* ---- Pushes onto full lines -------------------------------------------- */

/* Returns whether 16 bits of a slot of a line are zero. */
FR_INLINE bool has_zeros(const struct widths *t, size_t level, __m512i line,
                         bool in_place)
{
    const struct guide *g = &t->guide[in_place ? t->odd : level];
    uint32_t low = _mm512_testn_epi16_mask(guide_bytes(g, line, 0), g->ones[0]);

    if (in_place)
        return (low & t->by.high[level]) |
               (_mm512_testn_epi16_mask(line, line) & t->by.low[level]);
    return low & t->by.low[level];
}

/* Pushes a key without zero_prints() onto a full line.  Returns false if that
   takes push_full(): if a slot may be zero, or become it, or for widths without
   a packing. */
FR_INLINE bool push_packed(const struct widths *t, uint64_t *line, uint64_t lo,
                           bool in_place)
{
    unsigned pushes = fr_line_pushes(line);
    size_t level = level_of(t, pushes);
    uint64_t print = lo & (~UINT64_C(0) >> (64 - t->by.width[level + 1]));
    __m512i x = _mm512_load_si512(line);
    uint16_t count = (uint16_t)(pushes + 1);

    if (!t->packing[level] || has_zeros(t, level, x, in_place))
        return false;
    x = _mm512_or_si512(pack(t->packing[level], x), first_word(print));
    _mm512_store_si512(line, x);
    memcpy((char *)line + 62, &count, sizeof count);
    return true;
}

/* Pushes onto full lines.  That comes after the other lines are written: a
   branch among them would be mispredicted often. */
FR_INLINE void push_onto_full(const struct batch *b, const struct widths *t,
                              size_t at, unsigned full, unsigned second,
                              bool in_place)
{
    for (; full; full &= full - 1) {
        unsigned i = (unsigned)__builtin_ctz(full);
        uint64_t *line = line_of(b, at + i, second >> i & 1);
        uint64_t lo = b->lo[(at + i) % RING];

        if (!push_packed(t, line, lo, in_place))
            push_full(b->s, line, lo);
    }
}

/* ---- Groups ----------------------------------------------------------- */

/* Returns an entry of a table for each of sixteen levels. */
FR_INLINE __m512i by_level(const uint32_t table[GROUP], __m512i level)
{
    return _mm512_permutexvar_epi32(level, _mm512_load_si512(table));
}

/* Returns the levels of sixteen lines.  The level after no push is 0, and so
   are the upper bytes of every lane. */
FR_INLINE __m512i levels_of(const struct widths *t, __m256i pushes)
{
    __m256i at = _mm256_min_epu16(pushes, _mm256_set1_epi16(63));

    return _mm512_permutexvar_epi8(_mm512_cvtepu16_epi32(at),
                                   _mm512_load_si512(t->level));
}

/* Returns which slots hold the keys.  A line that is searched in place has them
   in low or in high. */
FR_INLINE struct slots mixed_slots(const struct widths *t,
                                   const struct found *found, unsigned choice,
                                   __m512i level, bool in_place)
{
    struct slots all = {by_level(t->by.low, level),
                        by_level(t->by.high, level)};
    struct slots x = slots_of(found, choice, all, true);

    if (in_place)
        x = (struct slots){_mm512_or_si512(x.low, x.high),
                           _mm512_setzero_si512()};
    return x;
}

FR_INLINE enum lines mixed_group_of(struct batch *b, const struct widths *t,
                                    size_t at, unsigned choices, bool in_place)
{
    unsigned full, push, doubt;
    struct found found;
    __m512i level, other;
    struct sixteen c;
    struct shapes is;
    struct writes w;

    if (in_place)
        search_in_place(b, t, at, &found, choices);
    else
        search_by_guides(b, t, at, &found, choices);
    look_ahead(b, at, choices);
    level = levels_of(t, pushes_of(&found, 0));
    other = levels_of(t, pushes_of(&found, choices - 1));
    c = choose_sixteen(b, at, &found,
                       mixed_slots(t, &found, 0, level, in_place),
                       mixed_slots(t, &found, choices - 1, other, in_place),
                       choices, !in_place);
    level = _mm512_mask_mov_epi32(level, (__mmask16)c.second, other);
    is =
        (struct shapes){by_level(t->by.width, level),
                        by_level(t->by.step, level),
                        by_level(t->by.rest, level), by_level(t->by.all, level),
                        by_level(t->by.full, level)};
    full = prepare(b, at, &c, is, false, &w, &push, &doubt);
    write_lines(&w, b->s->refresh, push, 0);
    push_onto_full(b, t, at, full, c.second, in_place);
    search_again(b, at, doubt);
    return lines_of(b->s, &found, choices);
}

/* Processes a group.  Returns which lines it had. */
static __attribute__((noinline)) enum lines mixed_group(struct batch *b,
                                                        const struct widths *w,
                                                        size_t at,
                                                        unsigned choices)
{
    return w->in_place ? mixed_group_of(b, w, at, choices, true)
                       : mixed_group_of(b, w, at, choices, false);
}

#endif
