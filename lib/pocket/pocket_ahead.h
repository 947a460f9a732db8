/*
 * pocket_ahead.h - with AVX-512: the lines of the keys of a batch, found and
 * prefetched before their turn
 */
#ifndef FR_POCKET_AHEAD_H
#define FR_POCKET_AHEAD_H

#include "pocket_full.h"
#include "pocket_guide.h"

enum { EIGHT = 8, GROUP = 2 * EIGHT, RING = 2 * FR_AHEAD };

/* The keys of a batch.  The arrays have the keys of the present group and the
   FR_AHEAD keys after it, at their numbers modulo RING; look_ahead() adds those
   of one more group. */
struct batch {
    const struct pocket *s;
    const freshet_hash *keys;
    uint8_t *seen;
    size_t n, fresh;
    struct finder f;   /* of the last width */
    struct guide last; /* of the last width */
    struct fr_place at;
    _Alignas(64) uint64_t line[2][RING]; /* addresses */
    _Alignas(64) uint64_t lo[RING];      /* of the keys */
    _Alignas(64) uint32_t group[RING];   /* low bits of its number, in which
                                            the lines of a key are */
};

/* Returns what fr_reduce() returns, for numbers below 2^32. */
FR_INLINE __m512i reduce_eight(__m512i hi, uint64_t below)
{
    __m512i n = in_all_words(below);
    __m512i low = _mm512_srli_epi64(_mm512_mul_epu32(hi, n), 32);
    __m512i high = _mm512_mul_epu32(_mm512_srli_epi64(hi, 32), n);

    return _mm512_srli_epi64(_mm512_add_epi64(low, high), 32);
}

/* Sets lo of eight keys from key i on and returns their hi.  The last key takes
   the places of keys after it. */
FR_INLINE __m512i load_eight(struct batch *b, size_t i)
{
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    size_t left = i < b->n ? b->n - i : 0, keys = left < EIGHT ? left : EIGHT;
    unsigned words = (1u << 2 * keys) - 1;
    __m512i last = _mm512_broadcast_i64x2(
        _mm_loadu_si128((const void *)(b->keys + b->n - 1)));
    __m512i x = _mm512_mask_loadu_epi64(last, (__mmask8)words, b->keys + i);
    __m512i y = _mm512_mask_loadu_epi64(last, (__mmask8)(words >> EIGHT),
                                        b->keys + i + 4);

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
        b->group[i % RING] = (uint32_t)fr_reduce(b->keys[i].hi, b->at.groups);
    }
}

/* Finds the lines of eight keys from key i on, a multiple of eight: as
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

/* Prefetches the lines of key i. */
FR_INLINE void fetch_lines(const struct batch *b, size_t i, unsigned choices)
{
    FR_PREFETCH(line_of(b, i, 0));
    if (choices == 2)
        FR_PREFETCH(line_of(b, i, 1));
}

/* Prefetches, while key i of the present group is searched, the lines of every
   other key of a later group.  Those of all of them at once would wait for each
   other; look_ahead() prefetches the rest. */
FR_INLINE void fetch_some(const struct batch *b, size_t i, unsigned choices)
{
    if (i % 2 == 0)
        fetch_lines(b, i + FR_AHEAD, choices);
}

/*
 * Prefetches what fetch_some() left, and finds the lines of the keys that come
 * FR_AHEAD keys after the present group.  To be called when the group was
 * searched: what was found is stored slot by slot and loaded as a whole, for
 * which a processor waits until all is stored, and this is what it can do in
 * the meantime.
 */
FR_INLINE void look_ahead(struct batch *b, size_t at, unsigned choices)
{
#pragma GCC unroll 1
    for (size_t i = 1; i < GROUP; i += 2)
        fetch_lines(b, at + i + FR_AHEAD, choices);
    find_lines(b, at + GROUP + FR_AHEAD, choices);
    find_lines(b, at + GROUP + FR_AHEAD + EIGHT, choices);
}

/* Returns whether any two of sixteen numbers are equal. */
FR_INLINE bool any_equal(const uint32_t *sixteen)
{
    __m512i equal = _mm512_conflict_epi32(_mm512_load_si512(sixteen));

    return _mm512_test_epi32_mask(equal, equal) != 0;
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

#endif
