/*
 * pocket_line.h - one line: a stack of fingerprints in 64 bytes
 *
 *     bit 0                                          448   496    512
 *     | newest | next | ... | oldest |  nothing        |     | push |
 *     | newest | next | ... | oldest |  nothing        |   age      |
 *
 * The line is one 512-bit number.  Pushing shifts it up by a slot's width and
 * puts the new fingerprint at the bottom; moving slot q to the front does the
 * same to the lowest q + 1 slots only.  Zero is an empty slot.  Without a
 * window the top 16 bits count pushes; with one, the top word is the age word
 * of pocket_age.h.
 *
 * Plain C for every machine.  The SIMD paths replace find and rotate where
 * they can do better, and nothing else.
 */
#ifndef FR_POCKET_LINE_H
#define FR_POCKET_LINE_H

#include <string.h>

#include "pocket.h"

/* Sanitizers check the same accesses in functions that are called, and those
   are compiled in a tenth of the time. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define FR_INLINE static inline
#else
#    define FR_INLINE static inline __attribute__((always_inline))
#endif

FR_INLINE uint64_t *fr_line(const struct pocket *s, uint64_t i)
{
    return (uint64_t *)((uintptr_t)s + s->first) + i * FR_LINE_WORDS;
}

/* Returns a key's fingerprint at a width: its low bits, but never zero. */
FR_INLINE uint64_t fr_print(uint64_t lo, unsigned width)
{
    uint64_t print = lo & (~UINT64_C(0) >> (64 - width));

    return print + (print == 0);
}

/* Returns slot i.  Widths are at most 56, or 64, so one unaligned load contains
   it. */
FR_INLINE uint64_t fr_line_get(const uint64_t *line, unsigned i, unsigned width)
{
    unsigned bit = i * width, byte = bit / 8 < 56 ? bit / 8 : 56;
    uint64_t word;

    memcpy(&word, (const char *)line + byte, sizeof word);
    return word >> (bit - byte * 8) & (~UINT64_C(0) >> (64 - width));
}

/* Returns which of the first slots hold the fingerprint, one bit each. */
FR_INLINE uint64_t fr_line_find_plain(const uint64_t *line, uint64_t print,
                                      unsigned width, unsigned slots)
{
    uint64_t found = 0;

    for (unsigned i = 0; i < slots; i++)
        found |= (uint64_t)(fr_line_get(line, i, width) == print) << i;
    return found;
}

/* Returns word i of a 512-bit mask of the lowest n bits. */
FR_INLINE uint64_t fr_low_bits(unsigned n, unsigned i)
{
    unsigned below = i * 64;

    if (n <= below)
        return 0;
    return n - below >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (n - below)) - 1;
}

/* Moves the slots in the lowest n bits up by one, over the last of them; print
   becomes slot 0.  Does nothing if n is 0. */
FR_INLINE void fr_line_rotate_plain(uint64_t *line, uint64_t print, unsigned n,
                                    unsigned width)
{
    uint64_t below = print << (64 - width); /* the bits to shift in */

    for (unsigned i = 0; i < FR_LINE_WORDS; i++) {
        uint64_t word = line[i], mask = fr_low_bits(n, i);
        uint64_t moved =
            width == 64 ? below : word << width | below >> (64 - width);

        line[i] = (moved & mask) | (word & ~mask);
        below = word;
    }
}

/* Changes slot i alone.  Not for the hot path. */
static inline void fr_line_put(uint64_t *line, unsigned i, unsigned width,
                               uint64_t print)
{
    unsigned word = i * width / 64, shift = i * width % 64;
    uint64_t ones = ~UINT64_C(0) >> (64 - width);

    line[word] = (line[word] & ~(ones << shift)) | print << shift;
    /* A slot of at most 64 bits that begins a word does not leave it.
       NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    if (shift + width > 64)
        line[word + 1] =
            (line[word + 1] & ~(ones >> (64 - shift))) | print >> (64 - shift);
    /* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult) */
}

/* Moves the slots after q down by one, over slot q; the last becomes empty. */
static inline void fr_line_remove(uint64_t *line, unsigned q, unsigned width,
                                  unsigned slots)
{
    for (; q + 1 < slots; q++)
        fr_line_put(line, q, width, fr_line_get(line, q + 1, width));
    fr_line_put(line, q, width, 0);
}

/*
 * Puts print in front of the first n slots, all in use, and packs all of them
 * at a smaller width; the slots after them become empty, up to the given bit.
 * Slots are collected a word at a time; each is read one step ahead, before the
 * word in which it begins is overwritten.
 */
FR_INLINE void fr_line_narrow(uint64_t *line, uint64_t print, unsigned n,
                              unsigned from, unsigned to, unsigned end)
{
    uint64_t gathered = print, next = fr_line_get(line, 0, from);
    unsigned bits = to, word = 0;

#pragma GCC unroll 24
    for (unsigned i = 0; i < n; i++) {
        uint64_t slot = fr_print(next, to);

        next = fr_line_get(line, i + 1, from);
        gathered |= slot << bits;
        bits += to;
        if (bits >= 64) {
            line[word++] = gathered;
            bits -= 64;
            gathered = slot >> (to - bits); /* the bits that did not fit; to <
                                               64 */
        }
    }
    for (; word < FR_LINE_WORDS; word++) {
        line[word] = gathered | (line[word] & ~fr_low_bits(end, word));
        gathered = 0;
    }
}

/* Empties the slots from n on, up to the given bit. */
static inline void fr_line_clear(uint64_t *line, unsigned n, unsigned width,
                                 unsigned end)
{
    for (unsigned i = 0; i < FR_LINE_WORDS; i++)
        line[i] &= fr_low_bits(n * width, i) | ~fr_low_bits(end, i);
}

/* Values that all keys of a batch share, because a division is expensive. */
struct fr_place {
    uint64_t *lines;
    uint64_t groups, group; /* numbers of groups and of lines in a group */
};

FR_INLINE struct fr_place fr_place_of(const struct pocket *s, unsigned choices)
{
    uint64_t group = choices == 1 ? 1 : s->group;

    return (struct fr_place){fr_line(s, 0), s->lines / group, group};
}

/* A key's candidate lines; twice the same one if there is no choice. */
struct fr_pair {
    uint64_t *line[2];
};

FR_INLINE struct fr_pair fr_pair_at(struct fr_place at, freshet_hash key,
                                    unsigned choices)
{
    uint64_t *base =
        at.lines + fr_reduce(key.hi, at.groups) * at.group * FR_LINE_WORDS;
    uint64_t a, b;

    if (choices == 1)
        return (struct fr_pair){{base, base}};
    /* The high bits of the hash choose the group, the low bits the lines
       in it. */
    a = key.hi & (at.group - 1);
    b = key.hi >> 6 & (at.group - 1);
    b = a ^ (b + (b == 0));
    return (struct fr_pair){
        {base + a * FR_LINE_WORDS, base + b * FR_LINE_WORDS}};
}

/* Returns the second line if second is 1, the first if 0, without a branch. */
FR_INLINE uint64_t *fr_second_if(struct fr_pair p, uint64_t second)
{
    ptrdiff_t apart = p.line[1] - p.line[0];

    return p.line[0] + (apart & -(ptrdiff_t)second);
}

/* Returns the pushes onto a line without ages: exact below 2^15, then modulo
   2^15. */
FR_INLINE unsigned fr_line_pushes(const uint64_t *line)
{
    return (unsigned)(line[FR_LINE_WORDS - 1] >> 48);
}

/* Returns the index of the width of a line with this number of pushes. */
FR_INLINE unsigned fr_line_level(const struct pocket *s, unsigned pushed)
{
    unsigned level = 0;

    for (unsigned i = 0; i + 1 < s->levels; i++)
        level += s->slots[i] < pushed;
    return level;
}

#endif
