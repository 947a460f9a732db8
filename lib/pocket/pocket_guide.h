/*
 * pocket_guide.h - with AVX-512: finds slots by up to 16 bits of a fingerprint
 *
 * Two bytes of every slot are compared.  Which bytes of the line and which bits
 * of the key these are depends on the width and is data in registers, not a
 * branch.  A slot that was found has to be compared whole afterwards.
 */
#ifndef FR_POCKET_GUIDE_H
#define FR_POCKET_GUIDE_H

#include "pocket_line.h"

/* For up to 32 slots, and for those after them. */
struct guide {
    __m512i byte[2]; /* where two bytes of each slot are */
    __m512i bit[2];  /* which bits of the key they are compared with */
    __m512i ones[2]; /* which of their bits belong to the slot */
};

/* Returns whether every slot of a width has two whole bytes. */
FR_INLINE bool has_whole_bytes(unsigned width)
{
    return width == 16 || width == 20 || width >= 22;
}

/*
 * Sets where the bytes of slots v * 32 and so on are.  A slot begins inside a
 * byte: its two bytes begin with that one or with the next, whichever has more
 * bits of the slot.
 */
FR_INLINE void guide_slots(struct guide *g, unsigned v, unsigned width)
{
    const __m512i upto_31 =
        _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
                         17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
                         1, 0);
    const __m512i sixteen = _mm512_set1_epi16(16);
    __m512i slot =
        _mm512_add_epi16(upto_31, _mm512_set1_epi16((short)(v * 32)));
    __m512i all = _mm512_set1_epi16((short)width);
    __m512i at = _mm512_mullo_epi16(slot, all);
    /* Bits of the first byte before the slot, or of the slot before the next
       byte, and bits of the slot in two bytes from either on. */
    __m512i before = _mm512_and_si512(at, _mm512_set1_epi16(7));
    __m512i after = _mm512_and_si512(_mm512_sub_epi16(sixteen, before),
                                     _mm512_set1_epi16(7));
    __m512i here = _mm512_min_epi16(all, _mm512_sub_epi16(sixteen, before));
    __m512i next = _mm512_min_epi16(sixteen, _mm512_sub_epi16(all, after));
    __mmask32 later = _mm512_cmpgt_epi16_mask(next, here);
    __m512i ones = _mm512_set1_epi16(-1), byte, bit;

    before = _mm512_maskz_mov_epi16(~later, before);
    ones =
        _mm512_srlv_epi16(ones, _mm512_sub_epi16(sixteen,
                                                 _mm512_max_epi16(here, next)));
    bit =
        _mm512_mask_mov_epi16(_mm512_sub_epi16(_mm512_setzero_si512(), before),
                              later, after);
    byte = _mm512_srli_epi16(_mm512_add_epi16(at, bit), 3);
    g->ones[v] = _mm512_sllv_epi16(ones, before);
    g->byte[v] =
        _mm512_add_epi8(_mm512_or_si512(byte, _mm512_slli_epi16(byte, 8)),
                        _mm512_set1_epi16(0x100));
    bit = _mm512_and_si512(bit, _mm512_set1_epi16(0xff));
    g->bit[v] = _mm512_add_epi8(_mm512_or_si512(bit, _mm512_slli_epi16(bit, 8)),
                                _mm512_set1_epi16(0x800));
}

FR_INLINE void guide_init(struct guide *g, unsigned width)
{
    guide_slots(g, 0, width);
    guide_slots(g, 1, width);
}

FR_INLINE __m512i guide_bytes(const struct guide *g, __m512i line, unsigned v)
{
    return _mm512_permutexvar_epi8(g->byte[v], line);
}

/* Returns the bits of a key that slots are compared with. */
FR_INLINE __m512i guide_wanted(const struct guide *g, uint64_t lo, unsigned v)
{
    return _mm512_multishift_epi64_epi8(g->bit[v], in_all_words(lo));
}

/* Returns which of 32 slots have the wanted bits, and any lanes after the last
   slot, if the width has_whole_bytes(). */
FR_INLINE uint32_t guide_find_whole(const struct guide *g, const uint64_t *line,
                                    __m512i wanted)
{
    __m512i x = guide_bytes(g, _mm512_load_si512(line), 0);

    return _cvtmask32_u32(_mm512_cmpeq_epi16_mask(x, wanted));
}

/* Does the same for any width. */
FR_INLINE uint32_t guide_find(const struct guide *g, const uint64_t *line,
                              uint64_t lo, unsigned v)
{
    __m512i x = guide_bytes(g, _mm512_load_si512(line), v);

    x = _mm512_xor_si512(x, guide_wanted(g, lo, v));
    return _cvtmask32_u32(_mm512_testn_epi16_mask(x, g->ones[v]));
}

#endif
