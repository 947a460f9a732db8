/*
 * pocket_groups.h - with AVX-512: groups of sixteen keys of a batch
 *
 * What is computed for every key, its lines, its choice between them and the
 * place where it goes, is computed for eight or sixteen keys at once.  Only the
 * search and the writing of a line take instructions for each line.  All lines
 * of a group are searched before any of them is written, so keys of a group
 * that have a line in common are processed one by one.
 */
#ifndef FR_POCKET_GROUPS_H
#define FR_POCKET_GROUPS_H

#include "pocket_ahead.h"

/* ---- What a search finds ---------------------------------------------- */

/* What was found in the lines of a group; the index of an array is the choice.
   The bit of a slot is in low or, from slot 32 on, in high, unless struct
   widths says otherwise. */
struct found {
    _Alignas(64) uint32_t low[2][GROUP], high[2][GROUP];
    _Alignas(32) uint16_t pushes[2][GROUP];
};

/* The slots of one line of sixteen keys. */
struct slots {
    __m512i low, high;
};

FR_INLINE __m512i in_all_lanes(unsigned x)
{
    return _mm512_set1_epi32((int)x);
}

/* Returns the lanes that are not zero. */
FR_INLINE unsigned non_zero(__m512i x)
{
    return _mm512_test_epi32_mask(x, x);
}

/* Returns the number of the lowest bit of each lane, from 1 on, or 0. */
FR_INLINE __m512i lowest_bit(__m512i x)
{
    __m512i minus = _mm512_sub_epi32(_mm512_setzero_si512(), x);

    return _mm512_sub_epi32(in_all_lanes(32),
                            _mm512_lzcnt_epi32(_mm512_and_si512(x, minus)));
}

/* Returns the number of each key's first slot, from 1 on, or 0. */
FR_INLINE __m512i first_slot(struct slots x, bool many)
{
    __m512i first = lowest_bit(x.low);

    if (!many)
        return first;
    return _mm512_mask_add_epi32(first,
                                 (__mmask16)(~non_zero(x.low) &
                                             non_zero(x.high)),
                                 lowest_bit(x.high), in_all_lanes(32));
}

/* Returns the slots that were found, of those that there are. */
FR_INLINE struct slots slots_of(const struct found *found, unsigned choice,
                                struct slots all, bool many)
{
    __m512i low = _mm512_load_si512(found->low[choice]);
    __m512i high = _mm512_setzero_si512();

    if (many)
        high =
            _mm512_and_si512(_mm512_load_si512(found->high[choice]), all.high);
    return (struct slots){_mm512_and_si512(low, all.low), high};
}

FR_INLINE __m256i pushes_of(const struct found *found, unsigned choice)
{
    return _mm256_load_si256((const void *)found->pushes[choice]);
}

/* The widths of the lines of a group: all the last one, all the first one with
   room for a push, or any. */
enum lines { LINES_LAST, LINES_FIRST, LINES_ANY };

FR_INLINE enum lines lines_of_pair(const struct pocket *s, struct fr_pair p)
{
    unsigned a = fr_line_pushes(p.line[0]), b = fr_line_pushes(p.line[1]);

    if (a >= s->settled && b >= s->settled)
        return LINES_LAST;
    return a < s->slots[0] && b < s->slots[0] ? LINES_FIRST : LINES_ANY;
}

/* Returns which lines a group has, by the least and the most pushes. */
FR_INLINE enum lines lines_of(const struct pocket *s, const struct found *found,
                              unsigned choices)
{
    __m256i a = pushes_of(found, 0), b = pushes_of(found, choices - 1);
    __m256i least = _mm256_min_epu16(a, b), most = _mm256_max_epu16(a, b);
    __m256i settled = _mm256_set1_epi16((short)s->settled);
    __m256i room = _mm256_set1_epi16(s->slots[0]);

    if (!_mm256_cmplt_epu16_mask(least, settled))
        return LINES_LAST;
    return _mm256_cmpge_epu16_mask(most, room) ? LINES_ANY : LINES_FIRST;
}

/* ---- The choice between two lines ------------------------------------- */

/* The lines that get sixteen keys, the first slots in them that were found, or
   0, and their pushes; masks of the keys that were found, and of those that go
   into their second line. */
struct sixteen {
    __m512i line[2], slot;
    __m256i pushes;
    unsigned hit, second;
};

FR_INLINE __m512i either(const uint64_t *first, const uint64_t *second,
                         unsigned which)
{
    return _mm512_mask_load_epi64(_mm512_load_si512(first), (__mmask8)which,
                                  second);
}

/* Does what choose() does for one key; x and y are the slots that hold the keys
   in their first and second lines. */
FR_INLINE struct sixteen choose_sixteen(const struct batch *b, size_t at,
                                        const struct found *found,
                                        struct slots x, struct slots y,
                                        unsigned choices, bool many)
{
    __m256i more = pushes_of(found, choices - 1), few = pushes_of(found, 0);
    unsigned in_x = non_zero(_mm512_or_si512(x.low, x.high));
    unsigned in_y = non_zero(_mm512_or_si512(y.low, y.high));
    unsigned lighter = _mm256_test_epi16_mask(_mm256_sub_epi16(more, few),
                                              _mm256_set1_epi16(1 << 14));
    struct sixteen c = {.hit = in_x | in_y};
    __mmask16 second;

    c.second = (in_y & ~in_x) | (lighter & ~c.hit);
    second = (__mmask16)c.second;
    c.line[0] = either(b->line[0] + at % RING, b->line[1] + at % RING, second);
    at += EIGHT;
    c.line[1] = either(b->line[0] + at % RING, b->line[1] + at % RING,
                       c.second >> EIGHT);
    x.low = _mm512_mask_blend_epi32(second, x.low, y.low);
    x.high = _mm512_mask_blend_epi32(second, x.high, y.high);
    c.slot = first_slot(x, many);
    c.pushes = _mm256_mask_blend_epi16(second, few, more);
    return c;
}

/* ---- Comparing whole slots -------------------------------------------- */

/* Returns eight of sixteen lanes, as words. */
FR_INLINE __m512i eight_words(__m512i lanes, unsigned half)
{
    return _mm512_cvtepu32_epi64(half ? _mm512_extracti64x4_epi64(lanes, 1)
                                      : _mm512_castsi512_si256(lanes));
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

/* Returns which of eight keys were found in a slot, beginning at the given bit
   of the line, that is not theirs. */
FR_INLINE unsigned mistaken(__m512i line, unsigned hit, __m512i bit,
                            __m512i print, __m512i ones)
{
    __m512i byte =
        _mm512_min_epu64(_mm512_srli_epi64(bit, 3), _mm512_set1_epi64(56));
    __m512i slot = words_at(_mm512_add_epi64(line, byte), hit, print);

    bit = _mm512_sub_epi64(bit, _mm512_slli_epi64(byte, 3));
    slot = _mm512_and_si512(_mm512_srlv_epi64(slot, bit), ones);
    return _mm512_mask_cmpneq_epi64_mask((__mmask8)hit, slot, print);
}

/* ---- Writing ---------------------------------------------------------- */

/* How sixteen lines are written: see write_line(). */
struct writes {
    _Alignas(64) uint64_t line[GROUP], first[GROUP];
    _Alignas(64) uint32_t bits[GROUP], down[GROUP];
    _Alignas(32) uint16_t pushes[GROUP];
};

/* Does what line_rotate() and count_push() do: the lowest bits move up; down is
   64 less the width, and first is the fingerprint shifted up by it. */
FR_INLINE void write_line(const struct writes *w, unsigned i, __m512i down)
{
    uint64_t *line = (uint64_t *)(uintptr_t)w->line[i];

    rotate(line, in_all_words(w->first[i]), in_all_lanes(w->bits[i]), down);
    memcpy((char *)line + 62, &w->pushes[i], sizeof w->pushes[i]);
}

/* Writes the lines of a group, or only those of new keys if a repeat changes
   nothing.  Bits that do not move are written as they were.  A width of 0:
   every line has its own. */
FR_INLINE void write_lines(const struct writes *w, bool refresh, unsigned push,
                           unsigned width)
{
    const __m512i down = in_all_lanes(64 - width);

    if (refresh) {
#pragma GCC unroll 1
        for (unsigned i = 0; i < GROUP; i++)
            write_line(w, i, width ? down : in_all_lanes(w->down[i]));
        return;
    }
    for (; push; push &= push - 1) {
        unsigned i = (unsigned)__builtin_ctz(push);

        write_line(w, i, width ? down : in_all_lanes(w->down[i]));
    }
}

/* Returns the numbers of pushes after some of the keys are pushed: exact below
   2^15, then modulo 2^15. */
FR_INLINE __m256i pushes_after(__m256i pushes, unsigned push)
{
    __m256i high = _mm256_and_si256(pushes, _mm256_set1_epi16(-0x8000));
    __m256i one = _mm256_maskz_set1_epi16((__mmask16)push, 1);

    return _mm256_or_si256(_mm256_add_epi16(pushes, one), high);
}

/* Sets the verdicts of sixteen keys. */
FR_INLINE void tell(struct batch *b, size_t at, unsigned hit)
{
    __m128i seen = _mm_maskz_set1_epi8((__mmask16)hit, FRESHET_SEEN);

    b->fresh += GROUP - (unsigned)__builtin_popcount(hit);
    _mm_storeu_si128((void *)(b->seen + at), seen);
}

/* Processes keys whose search did not decide. */
FR_INLINE void search_again(struct batch *b, size_t at, unsigned doubt)
{
    for (; doubt; doubt &= doubt - 1) {
        size_t i = at + (unsigned)__builtin_ctz(doubt);

        b->fresh -= b->seen[i] == FRESHET_NEW;
        b->seen[i] = young_step(b->s, &b->f, pair_of(b, i), b->lo[i % RING]);
        b->fresh += b->seen[i] == FRESHET_NEW;
    }
}

/* ---- A group, after its lines are searched ----------------------------- */

/* The widths of the lines that get sixteen keys; how many bits move if a key is
   found (the number of its slot in struct sixteen, times step, plus rest) and
   if it is pushed (all); and the pushes after which a push narrows the line. */
struct shapes {
    __m512i width, step, rest, all, full;
};

/* Returns which keys have a fingerprint of zero at the last width, and perhaps
   at others.  A slot has 1 instead, which was not searched for. */
FR_INLINE unsigned zero_prints(const struct batch *b, size_t at)
{
    __m512i ones = in_all_words(~UINT64_C(0) >> (64 - b->f.width));
    const uint64_t *lo = b->lo + at % RING;
    unsigned low = _mm512_testn_epi64_mask(_mm512_load_si512(lo), ones);

    return low |
           (unsigned)_mm512_testn_epi64_mask(_mm512_load_si512(lo + EIGHT),
                                             ones)
               << EIGHT;
}

/* Prepares how the lines of half of the keys are written.  Returns the keys
   that were found in a slot that is not theirs, unless the search was exact. */
FR_INLINE unsigned prepare_eight(const struct batch *b, size_t at,
                                 const struct sixteen *c, struct shapes is,
                                 __m512i bits, unsigned half, bool exact,
                                 struct writes *w)
{
    __m512i width = eight_words(is.width, half), bit = eight_words(bits, half);
    __m512i down = _mm512_sub_epi64(_mm512_set1_epi64(64), width);
    __m512i ones = _mm512_srlv_epi64(_mm512_set1_epi64(-1), down);
    __m512i lo = _mm512_load_si512(b->lo + (at + half * EIGHT) % RING);
    __m512i print = _mm512_and_si512(lo, ones);
    unsigned hit = c->hit >> half * EIGHT & 0xff;
    unsigned doubt = 0;

    if (!exact && hit)
        doubt = mistaken(c->line[half], hit, _mm512_sub_epi64(bit, width),
                         print, ones);
    _mm512_store_si512(w->line + half * EIGHT, c->line[half]);
    _mm512_store_si512(w->first + half * EIGHT, _mm512_sllv_epi64(print, down));
    return doubt << half * EIGHT;
}

/* Prepares how the lines of a group are written, and sets the verdicts, which
   are preliminary for the keys in *doubt.  Returns the keys whose lines have to
   be narrowed first, which *push does not contain. */
FR_INLINE unsigned prepare(struct batch *b, size_t at, const struct sixteen *c,
                           struct shapes is, bool exact, struct writes *w,
                           unsigned *push, unsigned *doubt)
{
    __m512i bits = _mm512_mask_add_epi32(is.all, (__mmask16)c->hit, is.rest,
                                         _mm512_mullo_epi16(c->slot, is.step));
    unsigned full;

    *doubt = zero_prints(b, at);
    *push = ~(c->hit | *doubt) & 0xffff;
    full = *push &
           _mm512_cmpeq_epi32_mask(_mm512_cvtepu16_epi32(c->pushes), is.full);
    *push &= ~full;
    *doubt |= prepare_eight(b, at, c, is, bits, 0, exact, w);
    *doubt |= prepare_eight(b, at, c, is, bits, 1, exact, w);
    _mm512_store_si512(w->bits,
                       _mm512_maskz_mov_epi32((__mmask16) ~(full | *doubt),
                                              bits));
    _mm512_store_si512(w->down, _mm512_sub_epi32(in_all_lanes(64), is.width));
    _mm256_store_si256((void *)w->pushes, pushes_after(c->pushes, *push));
    tell(b, at, c->hit);
    return full;
}

#endif
