/*
 * bloom_bits.h - bits, load and theory that all Bloom filters here share
 *
 * A plain Bloom filter has m bits, a multiple of 64, and k of them for each
 * key.  This file has its operations, the number of keys it can hold, and the
 * theory of filters that forget by generations.
 */
#ifndef FR_BLOOM_BITS_H
#define FR_BLOOM_BITS_H

#include "algo.h"
#include "batched.h"
#include "bits.h"
#include "cells.h"

enum { FR_BLOOM_MAX_K = 32 };

/* Rows of a parameter table. */
#define FR_BLOOM_K                                                             \
    {                                                                          \
        "k", 0, FR_BLOOM_MAX_K, 0, 1, NULL,                                    \
            "bits per key; 0: from the wanted rate and the load"               \
    }
#define FR_BLOOM_ADD                                                           \
    {                                                                          \
        "add", 0, 1, 0, 1, "always|new",                                       \
            "records that are remembered: all, or those called new"            \
    }

/* ---- Bits ------------------------------------------------------------- */

static inline uint64_t fr_bloom_at(uint64_t m, freshet_hash key, uint32_t i)
{
    return fr_reduce(fr_nth(key, i), m);
}

static inline bool fr_bloom_has(const uint64_t *bits, uint64_t m, uint32_t k,
                                freshet_hash key)
{
    for (uint32_t i = 0; i < k; i++)
        if (fr_cell_get(bits, fr_bloom_at(m, key, i), 1) == 0)
            return false;
    return true;
}

static inline void fr_bloom_add(uint64_t *bits, uint64_t m, uint32_t k,
                                freshet_hash key)
{
    for (uint32_t i = 0; i < k; i++)
        fr_cell_fill(bits, fr_bloom_at(m, key, i), 1);
}

static inline void fr_bloom_touch(const uint64_t *bits, uint64_t m, uint32_t k,
                                  freshet_hash key)
{
    for (uint32_t i = 0; i < k; i++)
        FR_PREFETCH(&bits[fr_bloom_at(m, key, i) / 64]);
}

/* ---- Load ------------------------------------------------------------- */

/* Returns the share of ones that n keys leave among m bits. */
double fr_bloom_fill(double m, double k, double n);

/* Returns the chance that a new key finds its k bits set by n other keys. */
double fr_bloom_rate(double m, double k, double n);

/* Returns the number of keys after which m bits have that chance at rate. */
double fr_bloom_room(double m, double k, double rate);

/* Return the best k for n keys, and the best k for a false-drop rate. */
double fr_bloom_k_for_keys(double m, double n);
double fr_bloom_k_for_rate(double rate);

/* Returns the k of a window: the given one unless it is 0; otherwise the k that
   the rate needs, or fewer when n keys, unless n is 0, would crowd the bits. */
double fr_bloom_k(double given, double m, double n, double rate);

/* Returns the rate that each of n filters may have so that all of them together
   stay within rate. */
double fr_bloom_share(double rate, double n);

/* ---- Filters that never forget ---------------------------------------- */

/* The head of these filters, padded to a cache line. */
struct fr_bloom_head {
    uint64_t m, room; /* cells; keys that the filter is planned for */
    uint32_t k, unused;
    uint64_t pad[5]; /* only the cells are live */
};
_Static_assert(sizeof(struct fr_bloom_head) == 64, "part of the format");

/* Functions for their fr_algo; per_word is the number of cells in a 64-bit
   word. */
size_t fr_bloom_plan(struct fr_bloom_head *s, const struct fr_goal *goal,
                     unsigned per_word);
bool fr_bloom_check(const struct fr_bloom_head *s, size_t bytes,
                    unsigned per_word);
void fr_bloom_expect(const void *state, const freshet_workload *workload,
                     freshet_rates *rates);
void fr_bloom_inspect(const struct fr_bloom_head *s, uint64_t used,
                      freshet_info *info);

/* ---- Windows ---------------------------------------------------------- */

/*
 * The model of a filter that forgets by generations of period records each.  A
 * key is certainly known while its generation is the current one or one of the
 * "full" generations before; one generation later it is known with chance tail,
 * then tail squared, and so on.  A filter that never forgets has an infinite
 * period; an exact sliding window has generations of one record.
 */
struct fr_window {
    double m, k;   /* bits of a filter; bits of a key in it */
    double period; /* records in a generation */
    double full;   /* generations that are known besides the current one */
    double settle; /* generations after which the load no longer grows */
    double tail;
    bool timed; /* generations end by the clock; period is an estimate */
    bool once;  /* only keys called new are added */

    /* Returns the chance of a false drop t records after an empty start. */
    double (*drop)(const struct fr_window *w, double t);

    double universe; /* set by fr_window_expect(): keys; 0 if all differ */
    double settled;  /* set by fr_window_expect(): late false drops */
};

/* Returns the expected number of different keys among the records. */
double fr_window_keys(const struct fr_window *w, double records);

/* A drop function for all generations in one filter. */
double fr_window_joint_drop(const struct fr_window *w, double t);

/* A drop function for one filter per generation, all with the same
   positions. */
double fr_window_each_drop(const struct fr_window *w, double t);

void fr_window_expect(struct fr_window *w, const freshet_workload *workload,
                      freshet_rates *rates);

/* Nothing is forgotten inside a requested window, except falsely dropped keys
   that were never stored. */
static inline void fr_window_inspect(bool once, freshet_info *info)
{
    if ((info->window || info->within) && !once)
        info->forgotten = 0;
}

#endif
