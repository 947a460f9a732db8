/*
 * pocket_groups.h - a batch of keys, without a window, with AVX-512: groups of
 * sixteen keys
 *
 * What is computed for every key, its lines, its choice between them and the
 * place where it goes, is computed for eight keys at once.  Only the search and
 * the writing of a line take instructions for each line.  All lines of a group
 * are searched before any of them is written, so keys of a group that have a
 * line in common are processed one by one.
 *
 * Groups whose lines all have one width are processed here, others in
 * pocket_mixed.h.
 */
#ifndef FR_POCKET_GROUPS_H
#define FR_POCKET_GROUPS_H

#include "pocket_full.h"

enum { EIGHT = 8, GROUP = 2 * EIGHT, RING = 2 * FR_AHEAD };

/* ---- The lines of keys ------------------------------------------------ */

/* The keys of a batch.  The arrays have the keys from the present group to
   FR_AHEAD keys after it, at their numbers modulo RING. */
struct batch {
    const struct pocket *s;
    const freshet_hash *keys;
    uint8_t *seen;
    size_t n, fresh;
    struct finder f;
    struct fr_place at;
    _Alignas(64) uint64_t line[2][RING]; /* addresses */
    _Alignas(64) uint64_t lo[RING];      /* of the keys */
    _Alignas(64) uint32_t group[RING];   /* low bits of its number */
};

/* Returns what fr_reduce() returns, for numbers below 2^32. */
FR_INLINE __m512i reduce_eight(__m512i hi, uint64_t below)
{
    __m512i n = in_all_words(below);
    __m512i low = _mm512_srli_epi64(_mm512_mul_epu32(hi, n), 32);
    __m512i high = _mm512_mul_epu32(_mm512_srli_epi64(hi, 32), n);

    return _mm512_srli_epi64(_mm512_add_epi64(low, high), 32);
}

/* Sets lo of up to eight keys from key i on and returns their hi. */
FR_INLINE __m512i load_eight(struct batch *b, size_t i)
{
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    size_t keys = b->n - i < EIGHT ? b->n - i : EIGHT;
    unsigned words = (1u << 2 * keys) - 1;
    __m512i x = _mm512_maskz_loadu_epi64((__mmask8)words, b->keys + i);
    __m512i y =
        _mm512_maskz_loadu_epi64((__mmask8)(words >> EIGHT), b->keys + i + 4);

    _mm512_store_si512(b->lo + i % RING, _mm512_permutex2var_epi64(x, even, y));
    return _mm512_permutex2var_epi64(x, odd, y);
}

/* Does what find_lines() does if there are too many groups for it. */
static __attribute__((noinline)) void find_far_lines(struct batch *b, size_t i,
                                                     unsigned choices)
{
    for (size_t end = i + EIGHT; i < end && i < b->n; i++) {
        struct fr_pair p = fr_pair_at(b->at, b->keys[i], choices);

        b->line[0][i % RING] = (uintptr_t)p.line[0];
        b->line[1][i % RING] = (uintptr_t)p.line[1];
    }
}

/* Finds the lines of up to eight keys from key i on, a multiple of eight: as
   fr_pair_at() does. */
FR_INLINE void find_lines(struct batch *b, size_t i, unsigned choices)
{
    __m512i hi = load_eight(b, i), group = reduce_eight(hi, b->at.groups);
    __m512i in_group = in_all_words(b->at.group - 1);
    __m512i line = _mm512_mullo_epi64(group, in_all_words(b->at.group * 64));
    __m512i step = _mm512_and_si512(_mm512_srli_epi64(hi, 6), in_group);
    __m512i one = _mm512_and_si512(hi, in_group), other;

    step = _mm512_mask_set1_epi64(step, _mm512_testn_epi64_mask(step, step), 1);
    other = choices == 2 ? _mm512_xor_si512(one, step) : one;
    line = _mm512_add_epi64(line, in_all_words((uintptr_t)b->at.lines));
    _mm512_store_si512(b->line[0] + i % RING,
                       _mm512_add_epi64(line, _mm512_slli_epi64(one, 6)));
    _mm512_store_si512(b->line[1] + i % RING,
                       _mm512_add_epi64(line, _mm512_slli_epi64(other, 6)));
    _mm256_store_si256((void *)(b->group + i % RING),
                       _mm512_cvtepi64_epi32(group));
    if (b->at.groups > UINT32_MAX)
        find_far_lines(b, i, choices);
}

FR_INLINE uint64_t *line_of(const struct batch *b, size_t i, unsigned choice)
{
    return (uint64_t *)(uintptr_t)b->line[choice][i % RING];
}

FR_INLINE struct fr_pair pair_of(const struct batch *b, size_t i)
{
    return (struct fr_pair){{line_of(b, i, 0), line_of(b, i, 1)}};
}

/* Prefetches the lines of key i, if there is one. */
FR_INLINE void fetch_lines(const struct batch *b, size_t i, unsigned choices)
{
    if (i >= b->n)
        return;
    FR_PREFETCH(line_of(b, i, 0));
    if (choices == 2)
        FR_PREFETCH(line_of(b, i, 1));
}

/* Returns whether any two of sixteen numbers are equal. */
FR_INLINE bool any_equal(const uint32_t *sixteen)
{
    __m512i x = _mm512_load_si512(sixteen);
    unsigned equal = 0;

#define FR_TURN(by)                                                            \
    equal |= _mm512_cmpeq_epi32_mask(x, _mm512_alignr_epi32(x, x, by))
    FR_TURN(1);
    FR_TURN(2);
    FR_TURN(3);
    FR_TURN(4);
    FR_TURN(5);
    FR_TURN(6);
    FR_TURN(7);
    FR_TURN(8);
#undef FR_TURN
    return equal != 0;
}

/* Returns whether any two keys of a group have a line in common. */
static __attribute__((noinline)) bool share_a_line(const struct batch *b,
                                                   size_t at)
{
    for (size_t i = at; i < at + GROUP; i++)
        for (size_t k = at; k < at + GROUP; k += EIGHT) {
            __m512i one = _mm512_load_si512(b->line[0] + k % RING);
            __m512i other = _mm512_load_si512(b->line[1] + k % RING);
            unsigned same = 0;

            for (unsigned j = 0; j < 2; j++) {
                __m512i x = in_all_words(b->line[j][i % RING]);

                same |= _mm512_cmpeq_epi64_mask(one, x);
                same |= _mm512_cmpeq_epi64_mask(other, x);
            }
            if (i - k < EIGHT)
                same &= ~(1u << (i - k)); /* the key itself */
            if (same)
                return true;
        }
    return false;
}

/* ---- The choice between two lines ------------------------------------- */

/* What a search found in the lines of a group. */
struct found {
    _Alignas(64) uint64_t in[2][GROUP]; /* slots that hold the key */
    _Alignas(64) uint64_t pushes[2][GROUP];
    _Alignas(64) uint64_t level[2][GROUP]; /* if lines are of any width */
};

/* Without a choice, the other line is the same one, and holds no key. */
FR_INLINE void no_other_line(struct found *found)
{
    memset(found->in[1], 0, sizeof found->in[1]);
    memcpy(found->pushes[1], found->pushes[0], sizeof found->pushes[1]);
}

/* The lines that get eight keys; masks of the keys that were found, and of
   those that go into their second line. */
struct eight {
    __m512i line, found, pushes;
    unsigned hit, second;
};

FR_INLINE __m512i either(const uint64_t *first, const uint64_t *second,
                         unsigned which)
{
    return _mm512_mask_load_epi64(_mm512_load_si512(first), (__mmask8)which,
                                  second);
}

/* Does what choose() does for one key; k is 0 or 8, the place in the group. */
FR_INLINE struct eight choose_eight(const struct batch *b, size_t at,
                                    const struct found *found, unsigned k)
{
    __m512i in_a = _mm512_load_si512(found->in[0] + k);
    __m512i in_b = _mm512_load_si512(found->in[1] + k);
    __m512i fewer = _mm512_sub_epi64(_mm512_load_si512(found->pushes[1] + k),
                                     _mm512_load_si512(found->pushes[0] + k));
    unsigned lighter =
        _mm512_test_epi64_mask(fewer, _mm512_set1_epi64(1 << 14));
    unsigned a = _mm512_test_epi64_mask(in_a, in_a);
    unsigned b_only = _mm512_test_epi64_mask(in_b, in_b) & ~a;
    struct eight c = {.hit = a | b_only};

    c.second = b_only | (lighter & ~c.hit);
    c.line = either(b->line[0] + at % RING, b->line[1] + at % RING, c.second);
    c.found = _mm512_mask_blend_epi64((__mmask8)c.second, in_a, in_b);
    c.pushes = either(found->pushes[0] + k, found->pushes[1] + k, c.second);
    return c;
}

/* ---- Writing ---------------------------------------------------------- */

/* How eight lines are written: see write_line(). */
struct writes {
    _Alignas(64) uint64_t line[EIGHT], bits[EIGHT], first[EIGHT], down[EIGHT],
        pushes[EIGHT];
};

/* Does what line_rotate() and count_push() do: the lowest bits move up; down is
   64 less the width, and first is the fingerprint shifted up by it. */
FR_INLINE void write_line(const struct writes *w, unsigned i, __m512i down)
{
    uint64_t *line = (uint64_t *)(uintptr_t)w->line[i];
    uint16_t pushes = (uint16_t)w->pushes[i];

    rotate(line, in_all_words(w->first[i]), in_all_words(w->bits[i]), down);
    memcpy((char *)line + 62, &pushes, sizeof pushes);
}

/* Returns the fingerprints of eight keys. */
FR_INLINE __m512i prints_of(__m512i lo, __m512i ones)
{
    return no_zero_64(_mm512_and_si512(lo, ones));
}

/* Returns how many bits of each line move: those up to the first slot that was
   found, or up to the last one of the line. */
FR_INLINE __m512i moving_bits(__m512i found, __m512i last, __m512i width)
{
    __m512i slot = _mm512_or_si512(found, last);
    __m512i minus = _mm512_sub_epi64(_mm512_setzero_si512(), slot);
    __m512i zeros = _mm512_lzcnt_epi64(_mm512_and_si512(slot, minus));

    return _mm512_mul_epu32(_mm512_sub_epi64(_mm512_set1_epi64(64), zeros),
                            width);
}

/* Returns the numbers of pushes after some of the keys are pushed: exact below
   2^15, then modulo 2^15. */
FR_INLINE __m512i pushes_after(__m512i pushes, unsigned push)
{
    __m512i high = _mm512_and_si512(pushes, _mm512_set1_epi64(0x8000));
    __m512i one = _mm512_maskz_set1_epi64((__mmask8)push, 1);

    return _mm512_or_si512(_mm512_add_epi64(pushes, one), high);
}

/* Sets the verdicts of eight keys. */
FR_INLINE void tell(struct batch *b, size_t at, unsigned hit)
{
    __m512i seen = _mm512_maskz_set1_epi64((__mmask8)hit, FRESHET_SEEN);

    b->fresh += EIGHT - (unsigned)__builtin_popcount(hit);
    _mm_storel_epi64((void *)(b->seen + at), _mm512_cvtepi64_epi8(seen));
}

/* ---- Lines of one width ------------------------------------------------ */

/* Numbers of pushes. */
struct pushes {
    unsigned least, most;
};

/* Searches the lines of a group.  Returns false if the pushes of any line are
   others. */
FR_INLINE bool even_search(const struct batch *b, size_t at,
                           struct found *found, const uint64_t *prints,
                           struct pushes limits, unsigned width,
                           unsigned choices)
{
    const struct finder f = b->f; /* in registers */
    unsigned span = limits.most - limits.least, outside = 0;

#pragma GCC unroll 1
    for (unsigned i = 0; i < GROUP; i++) {
#pragma GCC unroll 2
        for (unsigned j = 0; j < choices; j++) {
            const uint64_t *line = line_of(b, at + i, j);
            unsigned pushes = fr_line_pushes(line);

            outside |= pushes - limits.least > span;
            found->pushes[j][i] = pushes;
            found->in[j][i] =
                line_find(&f, line, prints[i], width, FR_PLAIN_STACK / width);
        }
        fetch_lines(b, at + i + FR_AHEAD, choices);
    }
    return !outside;
}

FR_INLINE void even_eight(struct batch *b, size_t at, unsigned k,
                          const struct found *found, __m512i prints,
                          unsigned width)
{
    const __m512i down = _mm512_set1_epi64(64 - (int)width);
    const __m512i last = _mm512_set1_epi64(1LL << (FR_PLAIN_STACK / width - 1));
    struct eight c = choose_eight(b, at, found, k);
    __m512i bits = moving_bits(c.found, last, _mm512_set1_epi64(width));
    struct writes w;

    _mm512_store_si512(w.line, c.line);
    _mm512_store_si512(w.bits, bits);
    _mm512_store_si512(w.first, _mm512_sllv_epi64(prints, down));
    _mm512_store_si512(w.pushes, pushes_after(c.pushes, ~c.hit));
    tell(b, at, c.hit);
    if (b->s->refresh) {
#pragma GCC unroll 1
        for (unsigned i = 0; i < EIGHT; i++)
            write_line(&w, i, down);
        return;
    }
    for (unsigned left = ~c.hit & 0xff; left; left &= left - 1)
        write_line(&w, (unsigned)__builtin_ctz(left), down);
}

/* Processes a group if the pushes of all lines are within limits: then they
   have the width, and room for a push unless it is the last width. */
FR_INLINE bool even_group(struct batch *b, size_t at, struct pushes limits,
                          unsigned width, unsigned choices)
{
    __m512i ones = in_all_words(~UINT64_C(0) >> (64 - width));
    _Alignas(64) uint64_t prints[GROUP];
    struct found found;

    for (unsigned k = 0; k < GROUP; k += EIGHT)
        _mm512_store_si512(prints + k,
                           prints_of(_mm512_load_si512(b->lo + (at + k) % RING),
                                     ones));
    if (!even_search(b, at, &found, prints, limits, width, choices))
        return false;
    if (choices == 1)
        no_other_line(&found);
    for (unsigned k = 0; k < GROUP; k += EIGHT)
        even_eight(b, at + k, k, &found, _mm512_load_si512(prints + k), width);
    return true;
}

#endif
