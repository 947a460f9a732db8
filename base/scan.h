/*
 * scan.h - finds the next byte of interest, 16 or 8 bytes at a time
 *
 * Nothing outside [p, end) is read.  SCAN_PORTABLE chooses the path without
 * SSE2, for machines that lack it and for the test that both paths agree.
 */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(SCAN_PORTABLE)
#    define SCAN_SSE2 1
#    include <emmintrin.h>

static inline __m128i scan_load(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline __m128i scan_equal(__m128i bytes, char c)
{
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

#else

/* Sets the top bit of each byte below n, and perhaps of a byte above such a
   one: only the lowest bit set is sure to be right, and only that is used. */
static inline uint64_t scan_below(uint64_t bytes, uint64_t n)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);

    return (bytes - ones * n) & ~bytes & ones << 7;
}

static inline uint64_t scan_same(uint64_t bytes, char c)
{
    uint64_t all = UINT64_C(0x0101010101010101) * (unsigned char)c;

    return scan_below(bytes ^ all, 1);
}

/* Loads eight bytes, the first one lowest in any byte order. */
static inline uint64_t scan_word(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
#    if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#    endif
    return word;
}

#endif

/* Returns the first quote, backslash or control character, or end. */
static inline const char *scan_string(const char *p, const char *end)
{
#ifdef SCAN_SSE2
    const __m128i control = _mm_set1_epi8(0x1f);

    for (; end - p >= 16; p += 16) {
        __m128i b = scan_load(p);
        __m128i hit =
            _mm_or_si128(_mm_or_si128(scan_equal(b, '"'), scan_equal(b, '\\')),
                         _mm_cmpeq_epi8(_mm_min_epu8(b, control), b));
        unsigned mask = (unsigned)_mm_movemask_epi8(hit);

        if (mask)
            return p + __builtin_ctz(mask);
    }
#else
    for (; end - p >= 8; p += 8) {
        uint64_t b = scan_word(p);
        uint64_t hit =
            scan_same(b, '"') | scan_same(b, '\\') | scan_below(b, 0x20);

        if (hit)
            return p + __builtin_ctzll(hit) / 8;
    }
#endif
    for (; p < end; p++)
        if (*p == '"' || *p == '\\' || (unsigned char)*p < 0x20)
            break;
    return p;
}

/* Returns the first byte c, or end: memchr() without the cost of a call. */
static inline const char *scan_byte(const char *p, const char *end, char c)
{
#ifdef SCAN_SSE2
    for (; end - p >= 16; p += 16) {
        unsigned mask =
            (unsigned)_mm_movemask_epi8(scan_equal(scan_load(p), c));

        if (mask)
            return p + __builtin_ctz(mask);
    }
#else
    for (; end - p >= 8; p += 8) {
        uint64_t hit = scan_same(scan_word(p), c);

        if (hit)
            return p + __builtin_ctzll(hit) / 8;
    }
#endif
    while (p < end && *p != c)
        p++;
    return p;
}

#endif
