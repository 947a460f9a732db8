/*
 * pocket_avx2.c - the pocket filter's loops with AVX2
 *
 * A line is two registers.  Slots of 16, 32 and 64 bits are compared in place.
 * Others are first spread into lanes by a byte shuffle; those of 24 and 48 bits
 * are then aligned, and any other width up to 26 bits needs a shift by its odd
 * bits.
 */
#if defined(__x86_64__)

#    include <immintrin.h>

#    include "pocket_line.h"
#    include "pocket_narrow.h"

enum { SPREAD_MAX = 26, SPREAD_BATCH = 8 };
enum { SEARCH_IS_CHEAP = 1 }; /* for pocket_filling.h */

FR_INLINE __m256i half_of(const uint64_t *line, unsigned i)
{
    return _mm256_load_si256((const void *)(line + i * 4));
}

/* How to spread the slots of a width: for every eight of them, two 16-byte
   loads, a shuffle and shifts. */
struct finder {
    unsigned width; /* 0: not spread */
    __m256i shuffle[8], shift[8], ones;
    uint8_t from[8][2];
};

/* Returns the vectors that a line needs at most; a constant if width is one. */
FR_INLINE unsigned spread_vectors(unsigned width)
{
    return (FR_PLAIN_STACK / width + 7) / 8;
}

/* Sets up one slot: lane i of its vector, starting at the given bit. */
static inline void spread_slot(uint8_t *shuffle, uint32_t *shift, unsigned bit,
                               unsigned from)
{
    for (unsigned b = 0; b < 4; b++) {
        unsigned byte = bit / 8 - from + b;

        shuffle[b] = (uint8_t)(byte < 16 ? byte : 0x80);
    }
    *shift = bit % 8;
}

static inline void spread_vector(struct finder *f, unsigned v, unsigned width)
{
    _Alignas(32) uint8_t shuffle[32];
    _Alignas(32) uint32_t shift[8];

    for (unsigned i = 0; i < 8; i++) {
        unsigned half = (v * 8 + i / 4 * 4) * width / 8;
        unsigned from = half < 48 ? half : 48;

        f->from[v][i / 4] = (uint8_t)from;
        spread_slot(shuffle + i * 4, shift + i, (v * 8 + i) * width, from);
    }
    f->shuffle[v] = _mm256_load_si256((const void *)shuffle);
    f->shift[v] = _mm256_load_si256((const void *)shift);
}

/* For a few keys the preparation does not pay: they are compared slot by
   slot. */
FR_INLINE void finder_init(struct finder *f, unsigned width, size_t n)
{
    f->width = 0;
    f->ones = _mm256_set1_epi32((int)((1u << width % 32) - 1));
    if (width == 16 || width == 24 || width == 32 || width > SPREAD_MAX ||
        n < SPREAD_BATCH)
        return;
    f->width = width;
    for (unsigned v = 0; v < spread_vectors(width); v++)
        spread_vector(f, v, width);
}

FR_INLINE uint64_t find_spread(const struct finder *f, const uint64_t *line,
                               uint64_t print, unsigned width, unsigned slots)
{
    const char *bytes = (const char *)line;
    __m256i wanted = _mm256_set1_epi32((int)print);
    uint64_t found = 0;

#    pragma GCC unroll 3
    for (unsigned v = 0; v < spread_vectors(width); v++) {
        /* analyzer: sees uninitialised vectors; they are set if f->width is */
        __m128i lo = _mm_loadu_si128((const void *)(bytes + f->from[v][0]));
        __m128i hi = _mm_loadu_si128((const void *)(bytes + f->from[v][1]));
        __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(lo), hi, 1);

        /* analyzer: the same */
        x = _mm256_shuffle_epi8(x, f->shuffle[v]);
        x = _mm256_and_si256(_mm256_srlv_epi32(x, f->shift[v]), f->ones);
        x = _mm256_cmpeq_epi32(x, wanted);
        found |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x))
                 << (v * 8);
    }
    return found & ((UINT64_C(1) << slots) - 1);
}

FR_INLINE uint64_t find_16(const uint64_t *line, uint64_t print, unsigned slots)
{
    __m256i wanted = _mm256_set1_epi16((short)print);
    __m256i lo = half_of(line, 0);
    __m256i hi = half_of(line, 1);
    /* Packing to bytes interleaves the halves; the permutation undoes it. */
    __m256i both = _mm256_packs_epi16(_mm256_cmpeq_epi16(lo, wanted),
                                      _mm256_cmpeq_epi16(hi, wanted));
    uint32_t found =
        (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xd8));

    return found & ((UINT64_C(1) << slots) - 1);
}

FR_INLINE uint64_t find_32(const uint64_t *line, uint64_t print, unsigned slots)
{
    __m256i wanted = _mm256_set1_epi32((int)print);
    __m256i lo = half_of(line, 0);
    __m256i hi = half_of(line, 1);
    unsigned a = (unsigned)_mm256_movemask_ps(
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(lo, wanted)));
    unsigned b = (unsigned)_mm256_movemask_ps(
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(hi, wanted)));

    return (a | b << 8) & ((UINT64_C(1) << slots) - 1);
}

/* Loads 12 bytes into each half, for the v-th of three times.  The sixth 12
   bytes would lie beyond the line; they contain no slot, so any bytes do. */
FR_INLINE __m256i twelve_bytes_twice(const uint64_t *line, unsigned v)
{
    const char *at = (const char *)line + v * 24;
    const char *next = v < 2 ? at + 12 : at;

    return _mm256_inserti128_si256(_mm256_castsi128_si256(
                                       _mm_loadu_si128((const void *)at)),
                                   _mm_loadu_si128((const void *)next), 1);
}

/* Slots of three bytes: spreads eight of them to four bytes each, twice, then
   the last four. */
FR_INLINE uint64_t find_24(const uint64_t *line, uint64_t print, unsigned slots)
{
    const __m256i spread =
        _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,
                         0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    __m256i wanted = _mm256_set1_epi32((int)print);
    unsigned found = 0;

#    pragma GCC unroll 3
    for (unsigned v = 0; v < 3; v++) {
        __m256i x = twelve_bytes_twice(line, v);

        x = _mm256_cmpeq_epi32(_mm256_shuffle_epi8(x, spread), wanted);
        found |= (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x)) << v * 8;
    }
    return found & ((UINT64_C(1) << slots) - 1);
}

/* Slots of six bytes: spreads four of them to eight bytes each, three times. */
FR_INLINE uint64_t find_48(const uint64_t *line, uint64_t print, unsigned slots)
{
    const __m256i spread =
        _mm256_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1,
                         0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1);
    __m256i wanted = _mm256_set1_epi64x((long long)print);
    unsigned found = 0;

#    pragma GCC unroll 3
    for (unsigned v = 0; v < 3; v++) {
        __m256i x = twelve_bytes_twice(line, v);

        x = _mm256_cmpeq_epi64(_mm256_shuffle_epi8(x, spread), wanted);
        found |= (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(x)) << v * 4;
    }
    return found & ((UINT64_C(1) << slots) - 1);
}

FR_INLINE uint64_t find_64(const uint64_t *line, uint64_t print, unsigned slots)
{
    __m256i wanted = _mm256_set1_epi64x((long long)print);
    __m256i lo = _mm256_cmpeq_epi64(half_of(line, 0), wanted);
    __m256i hi = _mm256_cmpeq_epi64(half_of(line, 1), wanted);
    unsigned a = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(lo));
    unsigned b = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(hi));

    return (a | b << 4) & ((UINT64_C(1) << slots) - 1);
}

FR_INLINE uint64_t line_find(const struct finder *f, const uint64_t *line,
                             uint64_t print, unsigned width, unsigned slots)
{
    if (width == 16)
        return find_16(line, print, slots);
    if (width == 32)
        return find_32(line, print, slots);
    if (width == 24)
        return find_24(line, print, slots);
    if (width == 48)
        return find_48(line, print, slots);
    if (width == 64)
        return find_64(line, print, slots);
    if (width == f->width)
        return find_spread(f, line, print, width, slots);
    return fr_line_find_plain(line, print, width, slots);
}

/* Returns a mask of the lowest n bits over four words; below has the number of
   bits before each word. */
FR_INLINE __m256i low_bits(unsigned n, __m256i below)
{
    __m256i bits = _mm256_subs_epu16(_mm256_set1_epi64x((long long)n), below);
    __m256i ones = _mm256_set1_epi64x(-1);

    return _mm256_andnot_si256(_mm256_sllv_epi64(ones, bits), ones);
}

FR_INLINE __m256i select_bits(__m256i mask, __m256i yes, __m256i no)
{
    return _mm256_or_si256(_mm256_and_si256(mask, yes),
                           _mm256_andnot_si256(mask, no));
}

/* Shifts the line, as one number, up by a width below bit n. */
FR_INLINE void line_rotate(uint64_t *line, uint64_t print, unsigned n,
                           unsigned width)
{
    __m256i lo = half_of(line, 0);
    __m256i hi = half_of(line, 1);
    /* The next lower word of each word. */
    __m256i turned = _mm256_permute4x64_epi64(lo, 0x93);
    __m256i under_lo = _mm256_blend_epi32(turned, _mm256_setzero_si256(), 3);
    __m256i under_hi =
        _mm256_blend_epi32(_mm256_permute4x64_epi64(hi, 0x93), turned, 3);
    __m128i up = _mm_cvtsi32_si128((int)width);
    __m128i down = _mm_cvtsi32_si128((int)(64 - width));
    __m256i first = _mm256_set_epi64x(0, 0, 0, (long long)print);

    under_lo = _mm256_or_si256(_mm256_srl_epi64(under_lo, down), first);
    under_lo = _mm256_or_si256(under_lo, _mm256_sll_epi64(lo, up));
    under_hi = _mm256_or_si256(_mm256_srl_epi64(under_hi, down),
                               _mm256_sll_epi64(hi, up));
    lo = select_bits(low_bits(n, _mm256_set_epi64x(192, 128, 64, 0)), under_lo,
                     lo);
    hi = select_bits(low_bits(n, _mm256_set_epi64x(448, 384, 320, 256)),
                     under_hi, hi);
    _mm256_store_si256((void *)line, lo);
    _mm256_store_si256((void *)(line + 4), hi);
}

#    include "pocket_kernel.h"

FR_POCKET_PATH(avx2);

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
