/*
 * pocket_sse2.c - the pocket filter's loops with SSE2, which every x86-64 has
 *
 * Slots of 16 and 32 bits are compared in place, the rest is plain C.
 */
#if defined(__x86_64__)

#    include <emmintrin.h>

#    include "pocket_line.h"

FR_INLINE __m128i quarter(const uint64_t *line, unsigned i)
{
    return _mm_load_si128((const void *)(line + i * 2));
}

FR_INLINE uint64_t find_16(const uint64_t *line, uint64_t print, unsigned slots)
{
    __m128i wanted = _mm_set1_epi16((short)print);
    uint64_t found = 0;

    for (unsigned i = 0; i < 4; i += 2) {
        __m128i a = _mm_cmpeq_epi16(quarter(line, i), wanted);
        __m128i b = _mm_cmpeq_epi16(quarter(line, i + 1), wanted);

        found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_packs_epi16(a, b))
                 << (i * 8);
    }
    return found & ((UINT64_C(1) << slots) - 1);
}

FR_INLINE uint64_t find_32(const uint64_t *line, uint64_t print, unsigned slots)
{
    __m128i wanted = _mm_set1_epi32((int)print);
    uint64_t found = 0;

    for (unsigned i = 0; i < 4; i++) {
        __m128i same = _mm_cmpeq_epi32(quarter(line, i), wanted);

        found |= (uint64_t)(unsigned)_mm_movemask_ps(_mm_castsi128_ps(same))
                 << (i * 4);
    }
    return found & ((UINT64_C(1) << slots) - 1);
}

/* In this order: each uses the one before. */
#    include "pocket_lanes.h"

#    include "pocket_kernel.h"

FR_POCKET_PATH(sse2);

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
