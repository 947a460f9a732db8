/*
 * pocket_neon.c - the pocket filter's loops with NEON, which every ARMv8 has
 *
 * Slots of 16 and 32 bits are compared in place, the rest is plain C.  NEON
 * has no instruction that gathers one bit per lane: lanes are masked with
 * their own bit and added up.
 */
#if defined(__aarch64__)

#    include <arm_neon.h>

#    include "pocket_line.h"

FR_INLINE uint64_t find_16(const uint64_t *line, uint64_t print, unsigned slots)
{
    static const uint16_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint16x8_t bits = vld1q_u16(bit), wanted = vdupq_n_u16((uint16_t)print);
    uint64_t found = 0;

    for (unsigned i = 0; i < 4; i++) {
        uint16x8_t x = vreinterpretq_u16_u64(vld1q_u64(line + i * 2));

        found |= (uint64_t)vaddvq_u16(vandq_u16(vceqq_u16(x, wanted), bits))
                 << (i * 8);
    }
    return found & ((UINT64_C(1) << slots) - 1);
}

FR_INLINE uint64_t find_32(const uint64_t *line, uint64_t print, unsigned slots)
{
    static const uint32_t bit[4] = {1, 2, 4, 8};
    uint32x4_t bits = vld1q_u32(bit), wanted = vdupq_n_u32((uint32_t)print);
    uint64_t found = 0;

    for (unsigned i = 0; i < 4; i++) {
        uint32x4_t x = vreinterpretq_u32_u64(vld1q_u64(line + i * 2));

        found |= (uint64_t)vaddvq_u32(vandq_u32(vceqq_u32(x, wanted), bits))
                 << (i * 4);
    }
    return found & ((UINT64_C(1) << slots) - 1);
}

/* In this order: each uses the one before. */
#    include "pocket_lanes.h"

#    include "pocket_kernel.h"

FR_POCKET_PATH(neon);

#else

typedef int fr_not_for_this_machine; /* C requires at least one declaration */

#endif
