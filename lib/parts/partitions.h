/*
 * partitions.h - common parts of the sampling Bloom filters of one family
 *
 * M bits in k partitions of s bits; a key has one bit in each.  rsbf, bsbf,
 * bsbfsd and rlbsbf differ only in which records they store and which bits they
 * reset to make room.
 *
 * Each record draws exactly one random number, used or not, so that the bits
 * that later records would reset are known in advance and can be prefetched.
 */
#ifndef FR_PARTITIONS_H
#define FR_PARTITIONS_H

#include "algo.h"
#include "batched.h"
#include "bits.h"
#include "cells.h"

enum { FR_MAX_PARTS = 32 };

/* The head of such a filter begins with this. */
struct fr_parts {
    uint64_t s; /* bits of one partition, a multiple of 64 */
    uint64_t seed;
    uint32_t k, unused;
};

size_t fr_parts_plan(struct fr_parts *p, const struct fr_goal *goal, uint32_t k,
                     size_t base);
bool fr_parts_check(const struct fr_parts *p, size_t cell_bytes);
uint64_t fr_parts_ones(const struct fr_parts *p, const uint64_t *bits,
                       uint32_t i);
void fr_parts_inspect(const struct fr_parts *p, const uint64_t *bits,
                      freshet_info *info);

/* The only parameter of most of the family. */
extern const freshet_parameter fr_parts_params[];
enum { FR_PARTS_K };

/* ---- Bits ------------------------------------------------------------- */

/* Returns the random number of record n, in the form of a hash. */
static inline freshet_hash fr_parts_random(const struct fr_parts *p, uint64_t n)
{
    uint64_t random = fr_random_at(p->seed, n);

    return (freshet_hash){random, fr_mix(random)};
}

/* Returns the position in partition i that the n-th hash of h selects. */
static inline uint64_t fr_parts_spot(const struct fr_parts *p, freshet_hash h,
                                     uint32_t i, uint32_t n)
{
    return i * p->s + fr_reduce(fr_nth(h, n), p->s);
}

/* Returns the position of a key, or of a random number, in partition i. */
static inline uint64_t fr_parts_at(const struct fr_parts *p, freshet_hash h,
                                   uint32_t i)
{
    return fr_parts_spot(p, h, i, i);
}

static inline void fr_parts_touch(const struct fr_parts *p,
                                  const uint64_t *bits, freshet_hash h)
{
    for (uint32_t i = 0; i < p->k; i++)
        FR_PREFETCH(&bits[fr_parts_at(p, h, i) / 64]);
}

static inline uint8_t fr_parts_probe(const struct fr_parts *p,
                                     const uint64_t *bits, freshet_hash key)
{
    for (uint32_t i = 0; i < p->k; i++)
        if (!fr_cell_get(bits, fr_parts_at(p, key, i), 1))
            return FRESHET_NEW;
    return FRESHET_SEEN;
}

static inline void fr_parts_set(const struct fr_parts *p, uint64_t *bits,
                                freshet_hash key)
{
    for (uint32_t i = 0; i < p->k; i++)
        fr_cell_fill(bits, fr_parts_at(p, key, i), 1);
}

/* Resets one random bit in each partition. */
static inline void fr_parts_reset(const struct fr_parts *p, uint64_t *bits,
                                  freshet_hash random)
{
    for (uint32_t i = 0; i < p->k; i++)
        fr_cell_decrement(bits, fr_parts_at(p, random, i), 1);
}

/*
 * Defines the functions that are the same for all filters whose only parameter
 * is k.  The struct of NAME begins with "struct fr_parts parts" and ends with
 * "uint64_t bit[]", and its theory is called NAME_theory.
 */
#define FR_PARTITIONED(name)                                                   \
    static size_t name##_plan(void *state, const struct fr_goal *goal)         \
    {                                                                          \
        struct name *s = state;                                                \
                                                                               \
        if (goal->param[FR_PARTS_K] == 0)                                      \
            goal->param[FR_PARTS_K] =                                          \
                fr_parts_wanted_k(&name##_theory, goal->false_drop);           \
        return fr_parts_plan(&s->parts, goal, fr_u32(goal->param[FR_PARTS_K]), \
                             sizeof *s);                                       \
    }                                                                          \
                                                                               \
    static bool name##_check(const void *state, size_t bytes)                  \
    {                                                                          \
        const struct name *s = state;                                          \
                                                                               \
        return fr_parts_check(&s->parts, bytes - sizeof *s);                   \
    }                                                                          \
                                                                               \
    static void name##_expect(const void *state, const freshet_workload *w,    \
                              freshet_rates *rates)                            \
    {                                                                          \
        fr_parts_expect(&name##_theory, state, w, rates);                      \
    }                                                                          \
                                                                               \
    static void name##_inspect(const void *state, freshet_info *info)          \
    {                                                                          \
        const struct name *s = state;                                          \
                                                                               \
        fr_parts_inspect(&s->parts, s->bit, info);                             \
    }                                                                          \
                                                                               \
    static uint8_t name##_probe(const struct name *s, freshet_hash key)        \
    {                                                                          \
        return fr_parts_probe(&s->parts, s->bit, key);                         \
    }

/* ---- Theory ----------------------------------------------------------- */

/* The average record at one time, and its effect on the filter. */
struct fr_parts_record {
    double t;      /* number of records up to this one */
    double ones;   /* share of the bits that are set */
    double fresh;  /* chance that it is called new */
    double zero;   /* chance that a given one of its bits is zero */
    double stored; /* result: chance that its bits are set afterwards */
    double resets; /* result: bits reset in each partition */
};

/* The theory of an algorithm, the claims of its paper, and the names of
   both. */
struct fr_parts_theory {
    void (*law)(const struct fr_parts *p, struct fr_parts_record *record);

    /*
     * The paper's recurrence for y, the k-th root of X: a record adds
     * up - down * y to it.  X is the chance that all bits of a key are set,
     * whether the key is new or not.
     */
    void (*claim)(const struct fr_parts *p, double t, double y, double *up,
                  double *down);

    const char *steady, *finite, *published; /* for freshet_rates.theory */

    /* Returns the record from which on the number of ones stays the same.  NULL
       or 0: never. */
    double (*frozen)(const struct fr_parts *p);
};

/*
 * Returns the fewest partitions with which an endless stream of new keys is
 * dropped at this rate at most; the most there are if none does.
 */
double fr_parts_wanted_k(const struct fr_parts_theory *theory,
                         double false_drop);

void fr_parts_expect(const struct fr_parts_theory *theory,
                     const struct fr_parts *p, const freshet_workload *workload,
                     freshet_rates *rates);

#endif
