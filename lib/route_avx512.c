/*
 * route_avx512.c - sorts the keys of a block by their parts, with AVX-512
 *
 * For few parts, one after the other: no address of a store depends on the
 * store before it, as it does where every key is counted in memory.
 */
#if defined(__x86_64__)

#    include <immintrin.h>

#    include "route.h"

enum {
    CHUNK = 1024 /* keys that stay in the first-level cache while each part
                    takes its own */
};

/* ---- Which part ------------------------------------------------------- */

static void find(const uint64_t *first, unsigned parts,
                 const freshet_hash *keys, size_t n, uint8_t *part)
{
    const __m512i odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        __m512i hi =
            _mm512_permutex2var_epi64(_mm512_loadu_si512(keys + i), odd,
                                      _mm512_loadu_si512(keys + i + 4));
        __m512i in = _mm512_setzero_si512();

        for (unsigned q = 1; q < parts; q++) {
            __m512i least = _mm512_set1_epi64((long long)first[q]);
            __mmask8 is_in = _mm512_cmpge_epu64_mask(hi, least);

            in = _mm512_sub_epi64(in, _mm512_movm_epi64(is_in));
        }
        _mm_storel_epi64((__m128i *)(void *)(part + i),
                         _mm512_cvtepi64_epi8(in));
    }
    for (; i < n; i++) {
        part[i] = 0;
        for (unsigned q = 1; q < parts; q++)
            part[i] = (uint8_t)(part[i] + (keys[i].hi >= first[q]));
    }
}

/* Returns which of the next 64 keys, or of n if there are fewer, belong to a
   part. */
static inline uint64_t keys_of(const uint8_t *part, size_t n, unsigned q)
{
    __m512i wanted = _mm512_set1_epi8((char)q);
    __mmask64 all;

    if (n >= 64)
        return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(part), wanted);
    all = _bzhi_u64(~0ULL, (unsigned)n);
    return _mm512_mask_cmpeq_epi8_mask(all, _mm512_maskz_loadu_epi8(all, part),
                                       wanted);
}

/* ---- Sorting ---------------------------------------------------------- */

static void count(const uint8_t *part, size_t n, unsigned parts,
                  uint32_t *counts)
{
    for (unsigned q = 0; q < parts; q++) {
        uint64_t sum = 0;

        for (size_t i = 0; i < n; i += 64)
            sum += (uint64_t)_mm_popcnt_u64(keys_of(part + i, n - i, q));
        counts[q] += (uint32_t)sum;
    }
}

/* Writes the numbers of the keys of part q, of n keys from number "from" on.
   Returns how many there are. */
static size_t list(const uint8_t *part, size_t from, size_t n, unsigned q,
                   uint32_t *at)
{
    __m512i number =
        _mm512_add_epi32(_mm512_set1_epi32((int)from),
                         _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
                                          4, 3, 2, 1, 0));
    uint32_t *to = at;

    for (size_t i = 0; i < n; i += 64) {
        uint64_t keys = keys_of(part + i, n - i, q);

        for (unsigned j = 0; j < 4; j++, keys >>= 16) {
            __m512i own = _mm512_maskz_compress_epi32((__mmask16)keys, number);
            unsigned m = (unsigned)__builtin_popcount((uint16_t)keys);

            _mm512_mask_storeu_epi32(to, (__mmask16)_bzhi_u32(0xffff, m), own);
            to += m;
            number = _mm512_add_epi32(number, _mm512_set1_epi32(16));
        }
    }
    return (size_t)(to - at);
}

static void gather(const freshet_hash *keys, const uint32_t *at, size_t n,
                   freshet_hash *sorted)
{
    for (size_t i = 0; i < n; i++)
        sorted[i] = keys[at[i]];
}

static void move(const freshet_hash *keys, size_t from, size_t n,
                 const uint8_t *part, unsigned parts, uint32_t *next,
                 freshet_hash *sorted, uint32_t *at)
{
    for (size_t i = 0; i < n; i += CHUNK)
        for (unsigned q = 0; q < parts; q++) {
            uint32_t *to = at + next[q];
            size_t m =
                list(part + i, from + i, n - i < CHUNK ? n - i : CHUNK, q, to);

            if (sorted)
                gather(keys, to, m, sorted + next[q]);
            next[q] += (uint32_t)m;
        }
}

const struct fr_route_path fr_route_avx512 = {
    .name = "avx512",
    .most = 8,
    .find = find,
    .count = count,
    .move = move,
};

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
