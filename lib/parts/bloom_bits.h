/*
 * bloom_bits.h - what the Bloom filters have in common
 *
 * A plain Bloom filter of m bits, a multiple of 64, k of them for a key; how
 * many keys it takes; and the theory of filters that forget by the window.
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

/* The share of ones that n keys make of m zeros. */
double fr_bloom_fill(double m, double k, double n);

/* The chance that a new key finds its k bits set by n others. */
double fr_bloom_rate(double m, double k, double n);

/* How many keys m bits take until that chance is rate. */
double fr_bloom_room(double m, double k, double rate);

/* The k that is best for n keys, and the one that is best for a rate. */
double fr_bloom_k_for_keys(double m, double n);
double fr_bloom_k_for_rate(double rate);

/*
 * The k of a window: as given, if not 0; or what the rate needs, or fewer
 * when n keys, if not 0, crowd the bits.
 */
double fr_bloom_k(double given, double m, double n, double rate);

/* What each of n filters may do so that together they stay within rate. */
double fr_bloom_share(double rate, double n);

/* ---- Filters that never forget ---------------------------------------- */

/* Their head, and the rest of the line it is on. */
struct fr_bloom_head {
    uint64_t m, room; /* cells; keys it was planned for */
    uint32_t k, unused;
    uint64_t pad[5]; /* nothing is live but the cells */
};
_Static_assert(sizeof(struct fr_bloom_head) == 64, "part of the format");

/* What fr_algo wants of them, for so many cells in a 64-bit word. */
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
 * A filter that forgets by generations, to theory.  Each takes a period of
 * records.  A key is known for sure while its generation is current or one of
 * the full ones before; after that it is known with the chance tail, then
 * tail squared, and so on.  Never forgetting is a period without end; an
 * exact sliding window is generations of one record.
 */
struct fr_window {
    double m, k;   /* bits of a filter, and of a key in it */
    double period; /* records in a generation */
    double full;   /* generations known besides the current one */
    double settle; /* full generations until the load grows no more */
    double tail;
    bool timed; /* a generation ends by the clock; period is a guess */
    bool once;  /* only what is called new is added */

    /* The chance of a false drop t records after an empty start. */
    double (*drop)(const struct fr_window *w, double t);

    double universe; /* used by fr_window_expect(): 0 if all keys differ */
    double settled;  /* likewise: false drops, long after the start */
};

/* How many different keys so many records hold. */
double fr_window_keys(const struct fr_window *w, double records);

/* A drop function: all generations in one filter. */
double fr_window_joint_drop(const struct fr_window *w, double t);

/* A drop function: a filter for each generation, over the same positions. */
double fr_window_each_drop(const struct fr_window *w, double t);

void fr_window_expect(struct fr_window *w, const freshet_workload *workload,
                      freshet_rates *rates);

/* A window that was asked for is kept, unless falsely dropped keys are lost. */
static inline void fr_window_inspect(bool once, freshet_info *info)
{
    if ((info->window || info->within) && !once)
        info->forgotten = 0;
}

#endif
