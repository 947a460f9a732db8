/*
 * pocket_age.h - the ages of a line's fingerprints, in one word
 *
 *     bit 0                                44      48          64
 *     | age string, newest end first        | level | generation |
 *
 * A line's slots are sorted by age, so their generations can be written as a
 * string in the order of the slots: a 0 for every slot, a 1 wherever a
 * generation ended.  "001011..." is two slots of this generation, one of the
 * last, none of the one before that, and so on.
 *
 *     a new slot           shift a 0 in at the bottom
 *     a generation passes  shift a 1 in at the bottom
 *     slot q to the front  take its 0 out, shift a 0 in
 *     still alive          the 0s below the ninth 1
 *
 * Read as a number and cut after the ninth 1, the string is also the best
 * measure found for the load of a line: it compares live slots first, then
 * those of a window shortened by one generation, by two ...
 *
 * The word stores the string with its lowest nine bits inverted, so that a line
 * of zeros is nine generations old and empty; the level of the line, which is
 * the index of its width; and the low bits of the generation in which it was
 * last written.
 */
#ifndef FR_POCKET_AGE_H
#define FR_POCKET_AGE_H

#include "pocket_line.h"

enum {
    FR_AGE_BITS = 44,
    FR_AGE_SLOTS = 35,                /* 44 bits less nine */
    FR_AGE_DEAD = FR_POCKET_SPAN + 1, /* older generations expire */
    FR_AGE_WORD = FR_LINE_WORDS - 1,  /* index of the age word in the line */
    FR_AGE_STACK = FR_AGE_WORD * 64   /* bits before it, for the stack */
};

struct fr_age {
    uint64_t string; /* cut after its ninth 1 */
    unsigned alive;  /* slots that have not expired */
    unsigned level;
};

/* Returns the position of the n-th 1, counted from 0; the string must have
   it. */
FR_INLINE unsigned fr_age_select(uint64_t string, unsigned n)
{
#ifdef __BMI2__
    return (unsigned)__builtin_ctzll(
        __builtin_ia32_pdep_di(UINT64_C(1) << n, string));
#else
    while (n--)
        string &= string - 1;
    return (unsigned)__builtin_ctzll(string);
#endif
}

/* Decodes the age word as of now. */
FR_INLINE struct fr_age fr_age_read(uint64_t word, uint64_t now)
{
    const uint64_t dead = (UINT64_C(1) << FR_AGE_DEAD) - 1;
    uint64_t passed = (now - (word >> 48)) & 0xffff;
    struct fr_age age;
    unsigned end;

    passed = passed < FR_AGE_DEAD ? passed : FR_AGE_DEAD;
    age.string = (word ^ dead) & ((UINT64_C(1) << FR_AGE_BITS) - 1);
    age.string = age.string << passed | ((UINT64_C(1) << passed) - 1);
    /* If the ninth 1 was shifted out at the top, all slots may be live. */
    age.string |= dead << FR_AGE_BITS;
    end = fr_age_select(age.string, FR_AGE_DEAD - 1);
    age.string &= (UINT64_C(2) << end) - 1;
    age.alive = end - (FR_AGE_DEAD - 1);
    age.level = word >> FR_AGE_BITS & 15;
    return age;
}

FR_INLINE uint64_t fr_age_write(const struct fr_age *age, uint64_t now)
{
    const uint64_t dead = (UINT64_C(1) << FR_AGE_DEAD) - 1;
    uint64_t kept = age->string & ((UINT64_C(1) << FR_AGE_BITS) - 1);

    return (kept ^ dead) | (uint64_t)age->level << FR_AGE_BITS | now << 48;
}

/* Returns the string position of live slot q. */
FR_INLINE unsigned fr_age_at(const struct fr_age *age, unsigned q)
{
    return fr_age_select(~age->string, q);
}

/* Moves the first of the found slots to the front, or adds a new one if none
   was found. */
FR_INLINE void fr_age_front(struct fr_age *age, uint64_t found)
{
    uint64_t new = -(uint64_t)(found == 0);
    unsigned q = (unsigned)__builtin_ctzll(found | UINT64_C(1) << 63) & 63;
    uint64_t below;

    q &= (unsigned)~new;
    below = ((UINT64_C(1) << fr_age_at(age, q)) - 1) | new;
    age->string = (age->string & ~(below << 1 | 1)) | (age->string & below)
                                                          << 1;
}

static inline void fr_age_remove(struct fr_age *age, unsigned q)
{
    uint64_t below = (UINT64_C(1) << fr_age_at(age, q)) - 1;

    age->string = (age->string & below) | (age->string >> 1 & ~below);
}

#endif
