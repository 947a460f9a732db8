/*
 * siphash.h - SipHash-2-4 with 128 bits of output
 *
 * Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012;
 * the longer output is the variant that the authors published later.  Without
 * the key, what it returns cannot be told from random bits by any method that
 * is known, even for keys of an attacker's choice.
 */
#ifndef FR_SIPHASH_H
#define FR_SIPHASH_H

#include <string.h>

#include "freshet.h"

struct fr_sip {
    uint64_t v0, v1, v2, v3;
};

static inline uint64_t fr_sip_rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void fr_sip_round(struct fr_sip *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = fr_sip_rotate(s->v1, 13) ^ s->v0;
    s->v3 = fr_sip_rotate(s->v3, 16) ^ s->v2;
    s->v0 = fr_sip_rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = fr_sip_rotate(s->v1, 17) ^ s->v2;
    s->v3 = fr_sip_rotate(s->v3, 21) ^ s->v0;
    s->v2 = fr_sip_rotate(s->v2, 32);
}

static inline void fr_sip_word(struct fr_sip *s, uint64_t word)
{
    s->v3 ^= word;
    fr_sip_round(s);
    fr_sip_round(s);
    s->v0 ^= word;
}

/* Returns 64 bits of the output after four rounds. */
static inline uint64_t fr_sip_finish(struct fr_sip *s)
{
    for (int i = 0; i < 4; i++)
        fr_sip_round(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

static inline freshet_hash fr_siphash(const uint64_t key[2], const void *data,
                                      size_t len)
{
    struct fr_sip s = {key[0] ^ UINT64_C(0x736f6d6570736575),
                       key[1] ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
                       key[0] ^ UINT64_C(0x6c7967656e657261),
                       key[1] ^ UINT64_C(0x7465646279746573)};
    const char *p = data, *whole = p + (len & ~(size_t)7);
    uint64_t word, last = 0;
    freshet_hash hash;

    for (; p < whole; p += 8) {
        memcpy(&word, p, 8);
        fr_sip_word(&s, word);
    }
    if (len & 7)
        memcpy(&last, p, len & 7);
    fr_sip_word(&s, last | (uint64_t)len << 56);
    s.v2 ^= 0xee;
    hash.lo = fr_sip_finish(&s);
    s.v1 ^= 0xdd;
    hash.hi = fr_sip_finish(&s);
    return hash;
}

#endif
