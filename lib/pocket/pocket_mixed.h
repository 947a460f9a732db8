/*
 * pocket_mixed.h - a batch of keys, without a window, with AVX-512: lines of
 * any widths
 *
 * While a filter fills up, its lines narrow and their widths differ.  A line is
 * then searched for up to 16 bits of the fingerprint, by tables in which the
 * width is data and not a branch.  The slot that was found is compared
 * afterwards; where more than one has these bits, or where it was another
 * key's, the key is processed once more, exactly.
 */
#ifndef FR_POCKET_MIXED_H
#define FR_POCKET_MIXED_H

#include "pocket_groups.h"

/* ---- Widths as data --------------------------------------------------- */

enum { MIXED_LEVELS = 8 }; /* widths that a filter without a window can have */

/* Where 16 bits of every slot of a width are: in which two bytes, and from
   which bit of them on.  A line has up to 32 slots, or twice that. */
struct guide {
    __m512i byte[2], shift[2], ones[2];
    uint64_t slots; /* a bit for each slot */
};

/* The widths of a filter. */
struct widths {
    struct guide guide[MIXED_LEVELS];
    _Alignas(64) uint64_t width[MIXED_LEVELS];
    _Alignas(64) uint64_t ones[MIXED_LEVELS]; /* the bits of a fingerprint */
    _Alignas(64) uint64_t last[MIXED_LEVELS]; /* the bit of the last slot */
    _Alignas(64) uint64_t full[MIXED_LEVELS]; /* pushes after which the next one
                                                 narrows the line */
    const struct packing
        *packing[MIXED_LEVELS]; /* to the next width, or NULL */
    uint8_t level_of[64];       /* by pushes */
};

FR_INLINE void guide_init(struct guide *g, unsigned width, unsigned slots)
{
    const __m512i upto_31 =
        _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
                         17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
                         1, 0);
    int ones = width < 16 ? (1 << width) - 1 : 0xffff;

    for (int v = 0; v < 2; v++) {
        __m512i slot =
            _mm512_add_epi16(upto_31, _mm512_set1_epi16((short)(v * 32)));
        __m512i bit = _mm512_mullo_epi16(slot, _mm512_set1_epi16((short)width));
        __m512i byte = _mm512_srli_epi16(bit, 3);

        byte = _mm512_or_si512(byte, _mm512_slli_epi16(byte, 8));
        g->byte[v] = _mm512_add_epi8(byte, _mm512_set1_epi16(0x100));
        g->shift[v] = _mm512_and_si512(bit, _mm512_set1_epi16(7));
        g->ones[v] =
            _mm512_sllv_epi16(_mm512_set1_epi16((short)ones), g->shift[v]);
    }
    g->slots = (UINT64_C(1) << slots) - 1;
}

static void widths_init(struct widths *w, const struct pocket *s)
{
    const __m512i zero = _mm512_setzero_si512();
    unsigned pushes = 0;

    /* by_level() reads whole tables, of which a filter may use a part. */
    _mm512_store_si512(w->width, zero);
    _mm512_store_si512(w->ones, zero);
    _mm512_store_si512(w->last, zero);
    _mm512_store_si512(w->full, zero);
    for (unsigned i = 0; i < s->levels && i < MIXED_LEVELS; i++) {
        bool last = i + 1 == s->levels;

        guide_init(&w->guide[i], s->width[i], s->slots[i]);
        w->width[i] = s->width[i];
        w->ones[i] = ~UINT64_C(0) >> (64 - s->width[i]);
        w->last[i] = UINT64_C(1) << (s->slots[i] - 1);
        w->full[i] = last ? UINT64_MAX : s->slots[i];
        w->packing[i] = last ? NULL : packing_of(s->width[i], s->width[i + 1]);
        for (; pushes < 64 && (last || pushes <= s->slots[i]); pushes++)
            w->level_of[pushes] = (uint8_t)i;
    }
}

FR_INLINE uint64_t guide_match(const struct guide *g, __m512i line,
                               __m512i wanted, unsigned v)
{
    __m512i slots = _mm512_permutexvar_epi8(g->byte[v], line);

    wanted = _mm512_sllv_epi16(wanted, g->shift[v]);
    return _cvtmask32_u32(
        _mm512_testn_epi16_mask(_mm512_xor_si512(slots, wanted), g->ones[v]));
}

/* Returns the slots that have the wanted bits; many: there may be more than 32
   slots. */
FR_INLINE uint64_t guide_find(const struct guide *g, const uint64_t *at,
                              __m512i wanted, bool many)
{
    __m512i line = _mm512_load_si512(at);
    uint64_t found = guide_match(g, line, wanted, 0);

    if (many)
        found |= guide_match(g, line, wanted, 1) << 32;
    return found & g->slots;
}

/* ---- Groups ----------------------------------------------------------- */

/* Searches the lines of a group.  Returns the least and the most pushes. */
FR_INLINE struct pushes mixed_search(const struct batch *b,
                                     const struct widths *w, size_t at,
                                     struct found *found, unsigned choices,
                                     bool many)
{
    struct pushes all = {UINT16_MAX, 0};

#pragma GCC unroll 1
    for (unsigned i = 0; i < GROUP; i++) {
        __m512i wanted = _mm512_set1_epi16((short)b->lo[(at + i) % RING]);

#pragma GCC unroll 2
        for (unsigned j = 0; j < choices; j++) {
            const uint64_t *line = line_of(b, at + i, j);
            unsigned pushes = fr_line_pushes(line);
            unsigned level = w->level_of[pushes < 63 ? pushes : 63];

            all.least = pushes < all.least ? pushes : all.least;
            all.most = pushes > all.most ? pushes : all.most;
            found->pushes[j][i] = pushes;
            found->level[j][i] = level;
            found->in[j][i] = guide_find(&w->guide[level], line, wanted, many);
        }
        fetch_lines(b, at + i + FR_AHEAD, choices);
    }
    return all;
}

/* Returns the keys of which more than one slot has 16 bits. */
FR_INLINE unsigned ambiguous(const struct found *found, unsigned k)
{
    __m512i minus = _mm512_set1_epi64(-1);
    __m512i a = _mm512_load_si512(found->in[0] + k);
    __m512i b = _mm512_load_si512(found->in[1] + k);

    return _mm512_test_epi64_mask(a, _mm512_add_epi64(a, minus)) |
           _mm512_test_epi64_mask(b, _mm512_add_epi64(b, minus)) |
           (_mm512_test_epi64_mask(a, a) & _mm512_test_epi64_mask(b, b));
}

/* Returns the words at the addresses of the keys in a mask, and words of rest
   for the others. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion" /* in gcc's macro, at -O0 */
FR_INLINE __m512i words_at(__m512i address, unsigned keys, __m512i rest)
{
    return _mm512_mask_i64gather_epi64(rest, (__mmask8)keys, address, NULL, 1);
}
#pragma GCC diagnostic pop

/* Returns the keys that were found by 16 bits in a slot, beginning at the given
   bit of the line, that is not theirs. */
FR_INLINE unsigned mistaken(const struct eight *c, __m512i bit, __m512i print,
                            __m512i ones)
{
    __m512i byte =
        _mm512_min_epu64(_mm512_srli_epi64(bit, 3), _mm512_set1_epi64(56));
    __m512i slot = words_at(_mm512_add_epi64(c->line, byte), c->hit, print);

    bit = _mm512_sub_epi64(bit, _mm512_slli_epi64(byte, 3));
    slot = _mm512_and_si512(_mm512_srlv_epi64(slot, bit), ones);
    return _mm512_mask_cmpneq_epi64_mask((__mmask8)c->hit, slot, print);
}

/* Pushes onto a full line.  Returns false if that takes push_full(): if a slot
   may be zero, or become it, or for widths without a packing. */
FR_INLINE bool push_packed(const struct widths *t, uint64_t *line, uint64_t lo)
{
    unsigned pushes = fr_line_pushes(line), level = t->level_of[pushes];
    const struct guide *g = &t->guide[level];
    uint64_t print = lo & t->ones[level + 1];
    __m512i x = _mm512_load_si512(line);
    __m512i slots = _mm512_permutexvar_epi8(g->byte[0], x);
    uint64_t zeros = _mm512_testn_epi16_mask(slots, g->ones[0]) & g->slots;
    uint16_t count = (uint16_t)(pushes + 1);

    if (zeros || !print || !t->packing[level])
        return false;
    x = _mm512_or_si512(pack(t->packing[level], x), first_word(print));
    _mm512_store_si512(line, x);
    memcpy((char *)line + 62, &count, sizeof count);
    return true;
}

/* Pushes onto full lines.  That comes after the other lines are written: a
   branch among them would be mispredicted often. */
FR_INLINE void push_onto_full(const struct batch *b, const struct widths *t,
                              size_t at, const struct writes *w, unsigned full)
{
    for (; full; full &= full - 1) {
        unsigned i = (unsigned)__builtin_ctz(full);
        uint64_t *line = (uint64_t *)(uintptr_t)w->line[i];
        uint64_t lo = b->lo[(at + i) % RING];

        if (!push_packed(t, line, lo))
            push_full(b->s, line, lo);
    }
}

/* Processes keys whose search by 16 bits did not decide. */
FR_INLINE void search_again(struct batch *b, size_t at, unsigned doubt)
{
    for (; doubt; doubt &= doubt - 1) {
        size_t i = at + (unsigned)__builtin_ctz(doubt);

        b->fresh -= b->seen[i] == FRESHET_NEW;
        b->seen[i] = young_step(b->s, &b->f, pair_of(b, i), b->lo[i % RING]);
        b->fresh += b->seen[i] == FRESHET_NEW;
    }
}

/* Writes the lines of eight keys, or only those of new keys if a repeat changes
   nothing.  Bits that do not move are written as they were. */
FR_INLINE void write_mixed(const struct writes *w, bool refresh, unsigned push)
{
    if (refresh) {
#pragma GCC unroll 1
        for (unsigned i = 0; i < EIGHT; i++)
            write_line(w, i, in_all_words(w->down[i]));
        return;
    }
    for (; push; push &= push - 1) {
        unsigned i = (unsigned)__builtin_ctz(push);

        write_line(w, i, in_all_words(w->down[i]));
    }
}

/* Returns an entry of a table for each of eight levels. */
FR_INLINE __m512i by_level(const uint64_t table[MIXED_LEVELS], __m512i level)
{
    return _mm512_permutexvar_epi64(level, _mm512_load_si512(table));
}

FR_INLINE void mixed_eight(struct batch *b, const struct widths *t, size_t at,
                           unsigned k, const struct found *found)
{
    struct eight c = choose_eight(b, at, found, k);
    __m512i level = either(found->level[0] + k, found->level[1] + k, c.second);
    __m512i width = by_level(t->width, level), ones = by_level(t->ones, level);
    __m512i down = _mm512_sub_epi64(_mm512_set1_epi64(64), width);
    __m512i lo = _mm512_load_si512(b->lo + at % RING);
    __m512i print = prints_of(lo, ones);
    __m512i bits = moving_bits(c.found, by_level(t->last, level), width);
    unsigned doubt = _mm512_testn_epi64_mask(lo, ones), full, push;
    struct writes w;

    if (c.hit)
        doubt |= ambiguous(found, k) |
                 mistaken(&c, _mm512_sub_epi64(bits, width), print, ones);
    push = ~(c.hit | doubt) & 0xff;
    full = push & _mm512_cmpeq_epi64_mask(c.pushes, by_level(t->full, level));
    bits = _mm512_maskz_mov_epi64((__mmask8) ~(full | doubt), bits);
    _mm512_store_si512(w.line, c.line);
    _mm512_store_si512(w.bits, bits);
    _mm512_store_si512(w.first, _mm512_sllv_epi64(print, down));
    _mm512_store_si512(w.down, down);
    _mm512_store_si512(w.pushes, pushes_after(c.pushes, push & ~full));
    tell(b, at, c.hit);
    write_mixed(&w, b->s->refresh, push & ~full);
    push_onto_full(b, t, at, &w, full);
    search_again(b, at, doubt);
}

FR_INLINE struct pushes mixed_group_of(struct batch *b, const struct widths *w,
                                       size_t at, unsigned choices, bool many)
{
    struct found found;
    struct pushes all = mixed_search(b, w, at, &found, choices, many);

    if (choices == 1) {
        no_other_line(&found);
        memcpy(found.level[1], found.level[0], sizeof found.level[1]);
    }
    for (unsigned k = 0; k < GROUP; k += EIGHT)
        mixed_eight(b, w, at + k, k, &found);
    return all;
}

/* Processes a group.  Returns the least and the most pushes of its lines. */
static __attribute__((noinline)) struct pushes mixed_group(
    struct batch *b, const struct widths *w, size_t at, unsigned choices)
{
    if (choices == 1)
        return mixed_group_of(b, w, at, 1, true);
    return b->s->width[b->s->levels - 1] < 16
               ? mixed_group_of(b, w, at, 2, true)
               : mixed_group_of(b, w, at, 2, false);
}

/* ---- Batches ---------------------------------------------------------- */

FR_INLINE uint8_t one_step(const struct pocket *s, const struct finder *f,
                           struct fr_pair p, uint64_t lo, unsigned width,
                           unsigned choices)
{
    unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

    if (a >= s->settled && b >= s->settled)
        return even_step(s, f, p, lo, width, FR_PLAIN_STACK / width, choices);
    if (a < s->slots[0] && b < s->slots[0])
        return even_step(s, f, p, lo, FR_FIRST_WIDTH,
                         FR_PLAIN_STACK / FR_FIRST_WIDTH, choices);
    return young_step(s, f, p, lo);
}

/* Processes keys that have lines in common, or that are no whole group. */
FR_INLINE void one_by_one(struct batch *b, size_t at, size_t end,
                          unsigned width, unsigned choices)
{
    for (size_t i = at; i < end; i++) {
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

/* Finds the lines of the keys that come after the present group. */
FR_INLINE void look_ahead(struct batch *b, size_t at, unsigned choices)
{
    for (size_t i = at + FR_AHEAD; i < at + FR_AHEAD + GROUP; i += EIGHT)
        if (i < b->n)
            find_lines(b, i, choices);
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

/* Finds and prefetches the lines of the first keys. */
FR_INLINE void look_at_first(struct batch *b, unsigned choices)
{
    b->at = fr_place_of(b->s, choices);
    for (size_t i = 0; i < FR_AHEAD && i < b->n; i++) {
        if (i % EIGHT == 0)
            find_lines(b, i, choices);
        fetch_lines(b, i, choices);
    }
}

/* The widths of the lines of a group: all the last one, all the first one with
   room for a push, or any. */
enum lines { LINES_LAST, LINES_FIRST, LINES_ANY };

/* Returns the pushes of the lines of the first key. */
FR_INLINE struct pushes first_pushes(const struct batch *b)
{
    unsigned x = fr_line_pushes(line_of(b, 0, 0));
    unsigned y = fr_line_pushes(line_of(b, 0, 1));

    return x < y ? (struct pushes){x, y} : (struct pushes){y, x};
}

FR_INLINE enum lines lines_of(const struct pocket *s, struct pushes all)
{
    if (all.least >= s->settled)
        return LINES_LAST;
    return all.most < s->slots[0] ? LINES_FIRST : LINES_ANY;
}

/* Processes a group if its lines are of that kind. */
FR_INLINE bool group_of(struct batch *b, size_t at, enum lines lines,
                        unsigned width, unsigned choices)
{
    if (lines == LINES_LAST)
        return even_group(b, at, (struct pushes){b->s->settled, UINT16_MAX},
                          width, choices);
    if (lines == LINES_FIRST)
        return even_group(b, at, (struct pushes){0, b->s->slots[0] - 1u},
                          FR_FIRST_WIDTH, choices);
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
    look_at_first(&b, choices);
    lines = lines_of(s, first_pushes(&b));
    for (; at + GROUP <= n; at += GROUP) {
        look_ahead(&b, at, choices);
        if (any_equal(b.group + at % RING) && share_a_line(&b, at)) {
            one_by_one(&b, at, at + GROUP, width, choices);
        } else if (!group_of(&b, at, lines, width, choices)) {
            if (!ready)
                widths_init(&w, s);
            ready = true;
            lines = lines_of(s, mixed_group(&b, &w, at, choices));
        }
    }
    one_by_one(&b, at, n, width, choices);
    return b.fresh;
}

#endif
