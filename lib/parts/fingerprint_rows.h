/*
 * fingerprint_rows.h - rows of k short fingerprints each
 *
 * The quotient filters (sqf, isqf, qht) are made of these.  An empty slot is
 * zero.  Any bits are a valid array: every index is bounded by the geometry,
 * which fr_rows_check() has checked.
 */
#ifndef FR_FINGERPRINT_ROWS_H
#define FR_FINGERPRINT_ROWS_H

#include "batched.h"
#include "sample.h"
#include "slots.h"

enum { FR_ROW_SLOTS = 64, FR_LONG_ROW = 1024 }; /* the most slots of a row */

struct fr_rows {
    uint64_t rows;
    uint32_t k, width;
};

/* Sets the number of rows to as many whole groups as fit into the bytes, at
   least one. */
static inline void fr_rows_fit(struct fr_rows *r, size_t bytes, uint64_t group)
{
    /* Rows have slots, and groups have rows.
       NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    uint64_t n = fr_slots_fit(bytes / 8, r->width) / (r->k * group);

    r->rows = (n ? n : 1) * group;
}

/* Returns the bytes of all rows, at least one cache line. */
static inline size_t fr_rows_bytes(const struct fr_rows *r)
{
    size_t bytes = fr_slots_words(r->rows * r->k, r->width) * 8;

    return bytes < 64 ? 64 : bytes;
}

/* The number of rows is compared with the bits that there are for them before
   their bytes are computed, so that no product overflows. */
static inline bool fr_rows_check_most(const struct fr_rows *r, size_t bytes,
                                      uint32_t most)
{
    return r->k >= 1 && r->k <= most && r->width >= 1 &&
           r->width <= FR_SLOT_BITS && r->rows >= 1 &&
           r->rows <= bytes * 8 / (r->k * r->width) &&
           fr_rows_bytes(r) == bytes;
}

static inline bool fr_rows_check(const struct fr_rows *r, size_t bytes)
{
    return fr_rows_check_most(r, bytes, FR_ROW_SLOTS);
}

/* A row may lie across two or more cache lines: prefetches each. */
static inline void fr_row_prefetch(const struct fr_rows *r,
                                   const uint64_t *words, uint64_t row)
{
    const char *at = fr_slot_at(words, row * r->k, r->width);
    const char *last = fr_slot_at(words, row * r->k + r->k - 1, r->width);

    for (; at < last; at += 64)
        FR_PREFETCH(at);
    FR_PREFETCH(last);
}

/*
 * Threads may use rows of different spans at the same time: a span is the least
 * number of rows that fill whole 64-bit words, a power of two up to 64.
 * Returns its logarithm.
 */
static inline unsigned fr_rows_span(const struct fr_rows *r)
{
    unsigned even = (unsigned)__builtin_ctz(r->k * r->width);

    return even < 6 ? 6 - even : 0;
}

/* Returns the number of spans, of which the last may be shorter. */
static inline uint64_t fr_rows_spans(const struct fr_rows *r)
{
    return ((r->rows - 1) >> fr_rows_span(r)) + 1;
}

/* Returns how many of the slots that are left one load can hold. */
static inline uint32_t fr_row_share(const struct fr_rows *r, uint32_t left)
{
    uint32_t most = FR_SLOT_BITS / r->width;

    return left < most ? left : most;
}

/* Returns the index of a value in a row, or k; the value 0 finds an empty
   slot. */
static inline uint32_t fr_row_find(const struct fr_rows *r,
                                   const uint64_t *words, uint64_t row,
                                   uint64_t value)
{
    uint64_t bit = row * r->k * r->width, mask = fr_slot_max(r->width);

    for (uint32_t i = 0, n; i < r->k; i += n) {
        uint64_t load;

        n = fr_row_share(r, r->k - i);
        load = fr_bits_get(words, bit + i * r->width, n * r->width);
        for (uint32_t j = 0; j < n; j++, load >>= r->width)
            if ((load & mask) == value)
                return i + j;
    }
    return r->k;
}

/* Returns the number of used slots, estimated from those that begin in the
   sampled lines: see sample.h. */
static inline uint64_t fr_rows_used(const struct fr_rows *r,
                                    const uint64_t *words, uint64_t step)
{
    uint64_t slots = r->rows * r->k, used = 0, read = 0;

    if (step == 1)
        return fr_slots_used(words, slots, r->width);
    for (uint64_t line = 0; line * 512 < slots * r->width;
         line = fr_sample_next(line, step)) {
        uint64_t i = (line * 512 + r->width - 1) / r->width;

        for (; i < slots && i * r->width < (line + 1) * 512; i++, read++)
            used += fr_slot_get(words, i, r->width) != 0;
    }
    return fr_u64((double)used / (double)read * (double)slots);
}

static inline void fr_row_set(const struct fr_rows *r, uint64_t *words,
                              uint64_t at, uint64_t value)
{
    fr_slot_set(words, at, r->width, value);
}

/* Stores a value in an empty slot, or over a slot chosen by the next draw. */
static inline void fr_row_put(const struct fr_rows *r, uint64_t *words,
                              uint64_t row, uint64_t value, uint64_t seed,
                              uint64_t *draws)
{
    uint64_t i = fr_row_find(r, words, row, 0);

    if (i == r->k)
        i = fr_reduce(fr_random(seed, draws), r->k);
    fr_row_set(r, words, row * r->k + i, value);
}

/*
 * Puts a value in front of a row; a full row loses its last one.  Slots move up
 * starting at the far end, so that none is overwritten before it is read.
 */
static inline void fr_row_push(const struct fr_rows *r, uint64_t *words,
                               uint64_t row, uint64_t value)
{
    uint64_t bit = row * r->k * r->width;

    for (uint32_t left = r->k - 1, n; left; left -= n) {
        uint64_t at;

        n = fr_row_share(r, left);
        at = bit + (left - n) * r->width;
        fr_bits_set(words, at + r->width, n * r->width,
                    fr_bits_get(words, at, n * r->width));
    }
    fr_bits_set(words, bit, r->width, value);
}

/* Removes every copy of a value, closes the gaps and returns the number of
   copies. */
static inline uint64_t fr_row_remove(const struct fr_rows *r, uint64_t *words,
                                     uint64_t row, uint64_t value)
{
    uint64_t end = (row + 1) * r->k, to = row * r->k;

    for (uint64_t i = to; i < end; i++) {
        uint64_t here = fr_slot_get(words, i, r->width);

        if (here != value)
            fr_row_set(r, words, to++, here);
    }
    for (uint64_t i = to; i < end; i++)
        fr_row_set(r, words, i, 0);
    return end - to;
}

#endif
