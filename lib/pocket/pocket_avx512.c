/*
 * pocket_avx512.c - the pocket filter's loops with AVX-512
 *
 * A line is one register.  Slots of 16, 32 and 64 bits are compared in place.
 * Others are spread into lanes by a permutation of bytes; if their width is not
 * a multiple of eight, a second instruction moves their bits into place.
 */
#if defined(__x86_64__)

#    include <immintrin.h>

#    include "pocket_line.h"
#    include "pocket_narrow.h"

FR_INLINE __m512i in_all_words(uint64_t word)
{
    return _mm512_set1_epi64((long long)word);
}

/* How the slots of a width are spread over two registers, and which bits of a
   match by 16 bits stand for slots: wider lanes need two or four in a row. */
struct finder {
    __m512i byte[2], bit[2];
    uint64_t ones;   /* the bits of a fingerprint, in every lane of a word */
    uint64_t copies; /* 1 in every lane of a word */
    uint64_t slot;
    unsigned width;
};

/* Returns the number of slots in a word of 64 bits once they are spread: as
   many as fit together, wherever in a byte the first of them begins. */
FR_INLINE unsigned slots_in_word(unsigned width)
{
    return width <= 16 ? 4 : width <= 30 || width == 32 ? 2 : 1;
}

/* Sets where the bytes and bits of the words of register v come from. */
FR_INLINE void spread_words(struct finder *f, unsigned v, uint64_t field)
{
    const __m512i first_byte =
        _mm512_set_epi64(0x0808080808080808, 0, 0x0808080808080808, 0,
                         0x0808080808080808, 0, 0x0808080808080808, 0);
    __m512i word = _mm512_add_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
                                    _mm512_set1_epi64((int)v * 8));
    unsigned step = slots_in_word(f->width) * f->width;
    __m512i at = _mm512_mullo_epi32(_mm512_set1_epi64((int)step), word);
    __m512i byte = _mm512_srli_epi64(at, 3);
    __m512i bit = _mm512_and_si512(at, _mm512_set1_epi64(7));

    f->byte[v] = _mm512_add_epi8(_mm512_shuffle_epi8(byte, first_byte),
                                 _mm512_set1_epi64(0x0706050403020100));
    f->bit[v] = _mm512_add_epi8(_mm512_shuffle_epi8(bit, first_byte),
                                in_all_words(field));
}

FR_INLINE void finder_init(struct finder *f, unsigned width, size_t n)
{
    unsigned lanes = slots_in_word(width);
    uint64_t field; /* the first bit of every byte of a word */

    (void)n;
    f->width = width;
    f->slot = ~UINT64_C(0) >> (64 - FR_PLAIN_STACK / width * (4 / lanes));
    if (lanes == 4) {
        field = 0x0800080008000800 + width * UINT64_C(0x0303020201010000);
        f->copies = 0x0001000100010001;
    } else if (lanes == 2) {
        field = 0x1810080018100800 + width * UINT64_C(0x0101010100000000);
        f->copies = 0x0000000100000001;
        f->slot &= 0x5555555555555555;
    } else {
        field = 0x3830282018100800;
        f->copies = 1;
        f->slot &= 0x1111111111111111;
    }
    f->ones = (~UINT64_C(0) >> (64 - width)) * f->copies;
    spread_words(f, 0, field);
    spread_words(f, 1, field);
}

FR_INLINE __m512i spread(const struct finder *f, __m512i line, unsigned v)
{
    return _mm512_multishift_epi64_epi8(f->bit[v],
                                        _mm512_permutexvar_epi8(f->byte[v],
                                                                line));
}

/* Slots of 17 to 30 bits. */
FR_INLINE uint64_t find_middle(const struct finder *f, __m512i line,
                               uint64_t print, unsigned width)
{
    __m512i wanted = _mm512_set1_epi32((int)print);
    __m512i ones = _mm512_set1_epi32((1 << width % 32) - 1);
    __m512i a = _mm512_xor_si512(spread(f, line, 0), wanted);
    __m512i b = _mm512_xor_si512(spread(f, line, 1), wanted);

    return _cvtmask32_u32(_mm512_kunpackw(_mm512_testn_epi32_mask(b, ones),
                                          _mm512_testn_epi32_mask(a, ones)));
}

/* Slots of any width, by what finder_init() prepared. */
FR_INLINE uint64_t find_spread(const struct finder *f, __m512i line,
                               uint64_t print, unsigned width)
{
    __m512i wanted = in_all_words(print * f->copies);
    __m512i ones = in_all_words(f->ones);
    __m512i a = _mm512_xor_si512(spread(f, line, 0), wanted);
    __m512i b = _mm512_xor_si512(spread(f, line, 1), wanted);
    uint64_t found =
        _cvtmask64_u64(_mm512_kunpackd(_mm512_testn_epi16_mask(b, ones),
                                       _mm512_testn_epi16_mask(a, ones)));

    if (slots_in_word(width) < 4)
        found &= found >> 1;
    if (slots_in_word(width) < 2)
        found &= found >> 2;
    return _pext_u64(found, f->slot);
}

/* Slots of three bytes: spreads sixteen to four bytes each, then four. */
FR_INLINE uint64_t find_24(__m512i line, uint64_t print)
{
    const __m512i at =
        _mm512_set_epi32(0x002f2e2d, 0x002c2b2a, 0x00292827, 0x00262524,
                         0x00232221, 0x00201f1e, 0x001d1c1b, 0x001a1918,
                         0x00171615, 0x00141312, 0x0011100f, 0x000e0d0c,
                         0x000b0a09, 0x00080706, 0x00050403, 0x00020100);
    const __mmask64 low = 0x7777777777777777;
    __m512i wanted = _mm512_set1_epi32((int)print);
    __m512i a = _mm512_maskz_permutexvar_epi8(low, at, line);
    __m512i b =
        _mm512_maskz_permutexvar_epi8(low,
                                      _mm512_add_epi8(at,
                                                      _mm512_set1_epi8(0x30)),
                                      line);

    return _cvtmask32_u32(_mm512_kunpackw(_mm512_cmpeq_epi32_mask(b, wanted),
                                          _mm512_cmpeq_epi32_mask(a, wanted)));
}

/* Slots of six bytes: spreads eight to eight bytes each, then two. */
FR_INLINE uint64_t find_48(__m512i line, uint64_t print)
{
    const __m512i at = _mm512_set_epi64(0x00002f2e2d2c2b2a, 0x0000292827262524,
                                        0x0000232221201f1e, 0x00001d1c1b1a1918,
                                        0x0000171615141312, 0x000011100f0e0d0c,
                                        0x00000b0a09080706, 0x0000050403020100);
    const __mmask64 low = 0x3f3f3f3f3f3f3f3f;
    __m512i wanted = in_all_words(print);
    __m512i a = _mm512_maskz_permutexvar_epi8(low, at, line);
    __m512i b =
        _mm512_maskz_permutexvar_epi8(low,
                                      _mm512_add_epi8(at,
                                                      _mm512_set1_epi8(0x30)),
                                      line);
    unsigned found = _cvtmask8_u32(_mm512_cmpeq_epi64_mask(a, wanted));

    return found | _cvtmask8_u32(_mm512_cmpeq_epi64_mask(b, wanted)) << 8;
}

FR_INLINE uint64_t find_any(const struct finder *f, const uint64_t *at,
                            uint64_t print, unsigned width)
{
    __m512i line = _mm512_load_si512(at);

    if (width == 16)
        return _cvtmask32_u32(
            _mm512_cmpeq_epi16_mask(line, _mm512_set1_epi16((short)print)));
    if (width == 24)
        return find_24(line, print);
    if (width == 32)
        return _cvtmask16_u32(
            _mm512_cmpeq_epi32_mask(line, _mm512_set1_epi32((int)print)));
    if (width == 48)
        return find_48(line, print);
    if (width == 64)
        return _cvtmask8_u32(
            _mm512_cmpeq_epi64_mask(line, in_all_words(print)));
    if (width != f->width)
        return fr_line_find_plain(at, print, width, FR_PLAIN_STACK / width);
    if (width > 16 && width <= 30)
        return find_middle(f, line, print, width);
    return find_spread(f, line, print, width);
}

FR_INLINE uint64_t line_find(const struct finder *f, const uint64_t *line,
                             uint64_t print, unsigned width, unsigned slots)
{
    return find_any(f, line, print, width) & ((UINT64_C(1) << slots) - 1);
}

/* Shifts the line, as one number, up by a width below a bit, which is in all
   lanes of 32 bits; all words of down are 64 less the width in their low bits,
   those of first the fingerprint shifted up by that. */
FR_INLINE void rotate(uint64_t *line, __m512i first, __m512i bit, __m512i down)
{
    const __m512i below = _mm512_set_epi32(-1, 448, -1, 384, -1, 320, -1, 256,
                                           -1, 192, -1, 128, -1, 64, -1, 0);
    __m512i all = _mm512_load_si512(line);
    __m512i lower = _mm512_alignr_epi64(all, first, 7);
    __m512i moved = _mm512_shrdv_epi64(lower, all, down);
    __m512i kept =
        _mm512_sllv_epi64(_mm512_set1_epi64(-1), _mm512_subs_epu16(bit, below));

    /* kept ? all : moved */
    _mm512_store_si512(line, _mm512_ternarylogic_epi64(kept, all, moved, 0xca));
}

FR_INLINE void line_rotate(uint64_t *line, uint64_t print, unsigned n,
                           unsigned width)
{
    rotate(line, in_all_words(print << (64 - width)), _mm512_set1_epi32((int)n),
           _mm512_set1_epi64(64 - (int)width));
}

/* ---- Narrowing -------------------------------------------------------- */

/* How the slots of a full line become those of the next width, from slot 1 on.
   Each byte comes from one byte if both widths are whole bytes. */
struct packing {
    uint8_t from, to;
    uint64_t there; /* bytes of the slots from 1 on */
    _Alignas(64) uint8_t byte[64];
};

#    define AFTER_FIRST(slots, bytes)                                          \
        ((~UINT64_C(0) >> (64 - (slots) * (bytes))) << (bytes))

static const struct packing packings[] = {
    {64, 48, AFTER_FIRST(7, 6), {0,  0,  0,  0,  0,  0,  0,  1,  2,  3,
                                 4,  5,  8,  9,  10, 11, 12, 13, 16, 17,
                                 18, 19, 20, 21, 24, 25, 26, 27, 28, 29,
                                 32, 33, 34, 35, 36, 37, 40, 41, 42, 43,
                                 44, 45, 48, 49, 50, 51, 52, 53}},
    {48, 32, AFTER_FIRST(10, 4), {0,  0,  0,  0,  0,  1,  2,  3,  6,  7,  8,
                                  9,  12, 13, 14, 15, 18, 19, 20, 21, 24, 25,
                                  26, 27, 30, 31, 32, 33, 36, 37, 38, 39, 42,
                                  43, 44, 45, 48, 49, 50, 51, 54, 55, 56, 57}},
    {32, 24, AFTER_FIRST(15, 3), {0,  0,  0,  0,  1,  2,  4,  5,  6,  8,
                                  9,  10, 12, 13, 14, 16, 17, 18, 20, 21,
                                  22, 24, 25, 26, 28, 29, 30, 32, 33, 34,
                                  36, 37, 38, 40, 41, 42, 44, 45, 46, 48,
                                  49, 50, 52, 53, 54, 56, 57, 58}},
    {24, 16, AFTER_FIRST(20, 2), {0,  0,  0,  1,  3,  4,  6,  7,  9,  10, 12,
                                  13, 15, 16, 18, 19, 21, 22, 24, 25, 27, 28,
                                  30, 31, 33, 34, 36, 37, 39, 40, 42, 43, 45,
                                  46, 48, 49, 51, 52, 54, 55, 57, 58}},
    {32, 26, 0, {0}},
};

/* Returns the packing from one width to another, or NULL. */
static inline const struct packing *packing_of(unsigned from, unsigned to)
{
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (packings[i].from == from && packings[i].to == to)
            return &packings[i];
    return NULL;
}

/* From 32 to 26 bits: two slots become 52 bits of a word, and such words are
   packed behind the first 26 bits of the line. */
FR_INLINE __m512i pack_26(__m512i line)
{
    const __m512i low = _mm512_set1_epi64(0x3ffffff);
    const __m512i high = _mm512_set1_epi64(0x3ffffffLL << 26);
    __m512i x = _mm512_maskz_mov_epi32(0x7fff, line); /* 15 slots */
    __m512i a, b, c;

    x = _mm512_or_si512(_mm512_and_si512(x, low),
                        _mm512_and_si512(_mm512_srli_epi64(x, 6), high));
    a = _mm512_permutexvar_epi64(_mm512_set_epi64(0, 6, 5, 4, 3, 1, 0, 0), x);
    a = _mm512_srlv_epi64(a, _mm512_set_epi64(64, 46, 34, 22, 10, 50, 38, 64));
    b = _mm512_permutexvar_epi64(_mm512_set_epi64(0, 7, 6, 5, 4, 2, 1, 0), x);
    b = _mm512_sllv_epi64(b, _mm512_set_epi64(64, 6, 18, 30, 42, 2, 14, 26));
    c = _mm512_permutexvar_epi64(_mm512_set_epi64(0, 0, 7, 6, 5, 3, 2, 1), x);
    c = _mm512_sllv_epi64(c, _mm512_set_epi64(64, 64, 70, 82, 94, 54, 66, 78));
    return _mm512_or_si512(_mm512_or_si512(a, b), c);
}

/* Packs a full line, none of whose slots may become zero.  Slot 0 and what is
   after the last slot are zero. */
FR_INLINE __m512i pack(const struct packing *p, __m512i line)
{
    if (!p->there)
        return pack_26(line);
    return _mm512_maskz_permutexvar_epi8(p->there, _mm512_load_si512(p->byte),
                                         line);
}

FR_INLINE __m512i first_word(uint64_t word)
{
    return _mm512_maskz_set1_epi64(1, (long long)word);
}

#    define FR_POCKET_GROUPS /* for pocket_kernel.h */
#    include "pocket_kernel.h"

FR_POCKET_PATH(avx512);

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
