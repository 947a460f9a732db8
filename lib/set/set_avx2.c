/*
 * set_avx2.c - the set filter's loops with AVX2
 */
#if defined(__x86_64__)

#    include <immintrin.h>

#    include "parts/bits.h"
#    include "set.h"

/* Returns 1 in those of four words that lie less than n behind the start. */
static inline __m256i ones_from(uint64_t start, __m256i words, uint32_t n)
{
    __m256i first = _mm256_set1_epi64x((long long)start);
    __m256i behind =
        _mm256_and_si256(_mm256_sub_epi64(words, first), _mm256_set1_epi64x(7));

    return _mm256_srli_epi64(_mm256_cmpgt_epi64(_mm256_set1_epi64x(n), behind),
                             63);
}

/* Moves the ones to their places; shifts says which six bits of the hash each
   word uses. */
static inline __m256i place(__m256i ones, uint64_t hash, __m256i shifts)
{
    __m256i places =
        _mm256_srlv_epi64(_mm256_set1_epi64x((long long)hash), shifts);

    return _mm256_sllv_epi64(ones,
                             _mm256_and_si256(places, _mm256_set1_epi64x(63)));
}

/* Returns the key's bits in four words. */
static inline __attribute__((always_inline)) __m256i bits_of(freshet_hash key,
                                                             uint32_t k,
                                                             __m256i words,
                                                             __m256i shifts)
{
    uint64_t start = key.lo >> 61;

    if (k <= 8)
        return place(ones_from(start, words, k), key.lo, shifts);
    return _mm256_or_si256(place(_mm256_set1_epi64x(1), key.lo, shifts),
                           place(ones_from(start, words, k - 8),
                                 fr_set_again(key.lo), shifts));
}

static inline __attribute__((always_inline)) uint8_t line_add(uint64_t *words,
                                                              freshet_hash key,
                                                              uint32_t k,
                                                              bool store)
{
    __m256i *line = (void *)words;
    __m256i has_lo = _mm256_load_si256(line);
    __m256i has_hi = _mm256_load_si256(line + 1);
    __m256i lo = bits_of(key, k, _mm256_setr_epi64x(0, 1, 2, 3),
                         _mm256_setr_epi64x(0, 6, 12, 18));
    __m256i hi = bits_of(key, k, _mm256_setr_epi64x(4, 5, 6, 7),
                         _mm256_setr_epi64x(24, 30, 36, 42));

    if (store) {
        _mm256_store_si256(line, _mm256_or_si256(has_lo, lo));
        _mm256_store_si256(line + 1, _mm256_or_si256(has_hi, hi));
    }
    return (uint8_t)(_mm256_testc_si256(has_lo, lo) &
                     _mm256_testc_si256(has_hi, hi));
}

#    include "set_kernel.h"

FR_SET_PATH(avx2);

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
