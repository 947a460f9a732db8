/*
 * set_avx2.c - the set filter's loops with AVX2
 */
#if defined(__x86_64__)

#    include <immintrin.h>

#    include "parts/bits.h"
#    include "set.h"

/* Returns one bit in each of four words that lie less than k behind the start;
   places says which six bits of the hash each word uses. */
static inline __attribute__((always_inline)) __m256i bits_of(uint64_t hash,
                                                             __m256i places,
                                                             __m256i behind,
                                                             int k)
{
    __m256i place =
        _mm256_srlv_epi64(_mm256_set1_epi64x((long long)hash), places);
    __m256i in = _mm256_cmpgt_epi64(_mm256_set1_epi64x(k), behind);
    __m256i one = _mm256_srli_epi64(in, 63);

    return _mm256_sllv_epi64(one,
                             _mm256_and_si256(place, _mm256_set1_epi64x(63)));
}

static inline __attribute__((always_inline)) uint8_t line_add(uint64_t *words,
                                                              freshet_hash key,
                                                              uint32_t k,
                                                              bool store)
{
    const __m256i seven = _mm256_set1_epi64x(7);
    __m256i start = _mm256_set1_epi64x((long long)(key.lo >> 61));
    __m256i lo_at = _mm256_setr_epi64x(0, 6, 12, 18);
    __m256i hi_at = _mm256_setr_epi64x(24, 30, 36, 42);
    __m256i lo_behind =
        _mm256_and_si256(_mm256_sub_epi64(_mm256_setr_epi64x(0, 1, 2, 3),
                                          start),
                         seven);
    __m256i hi_behind =
        _mm256_and_si256(_mm256_sub_epi64(_mm256_setr_epi64x(4, 5, 6, 7),
                                          start),
                         seven);
    __m256i lo = bits_of(key.lo, lo_at, lo_behind, (int)k);
    __m256i hi = bits_of(key.lo, hi_at, hi_behind, (int)k);
    __m256i *line = (void *)words;
    __m256i has_lo = _mm256_load_si256(line);
    __m256i has_hi = _mm256_load_si256(line + 1);
    int seen;

    if (k > 8) {
        uint64_t again = fr_set_again(key.lo);

        lo = _mm256_or_si256(lo, bits_of(again, lo_at, lo_behind, (int)k - 8));
        hi = _mm256_or_si256(hi, bits_of(again, hi_at, hi_behind, (int)k - 8));
    }
    seen = _mm256_testc_si256(has_lo, lo) & _mm256_testc_si256(has_hi, hi);
    if (store) {
        _mm256_store_si256(line, _mm256_or_si256(has_lo, lo));
        _mm256_store_si256(line + 1, _mm256_or_si256(has_hi, hi));
    }
    return (uint8_t)seen;
}

#    include "set_kernel.h"

FR_SET_PATH(avx2);

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
