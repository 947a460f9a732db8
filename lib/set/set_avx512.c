/*
 * set_avx512.c - the set filter's loops with AVX-512
 *
 * A line is one register.
 */
#if defined(__x86_64__)

#    include <immintrin.h>

#    include "parts/bits.h"
#    include "set.h"

/* Returns which n words from the start on, the first following the last, a
   round of bits uses. */
static inline __mmask8 words_from(uint64_t start, uint32_t n)
{
    return (__mmask8)((0x0101U * ((1U << n) - 1)) << start >> 8);
}

/* Returns one bit in each of these words: word i takes its place from bit 6 i
   of the hash on, and a rotation uses no more than the six bits. */
static inline __m512i bits_of(uint64_t hash, __mmask8 words)
{
    __m512i place =
        _mm512_srlv_epi64(_mm512_set1_epi64((long long)hash),
                          _mm512_set_epi64(42, 36, 30, 24, 18, 12, 6, 0));

    return _mm512_maskz_rolv_epi64(words, _mm512_set1_epi64(1), place);
}

static inline __attribute__((always_inline)) uint8_t line_add(uint64_t *line,
                                                              freshet_hash key,
                                                              uint32_t k,
                                                              bool store)
{
    uint64_t start = key.lo >> 61;
    __m512i has = _mm512_load_si512(line), bits;

    if (k > 8)
        bits = _mm512_or_si512(bits_of(key.lo, 0xff),
                               bits_of(fr_set_again(key.lo),
                                       words_from(start, k - 8)));
    else
        bits = bits_of(key.lo, words_from(start, k));
    if (store)
        _mm512_store_si512(line, _mm512_or_si512(has, bits));
    bits = _mm512_andnot_si512(has, bits);
    return _mm512_test_epi64_mask(bits, bits) == 0;
}

#    include "set_kernel.h"

FR_SET_PATH(avx512);

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
