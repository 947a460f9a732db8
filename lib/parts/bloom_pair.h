/*
 * bloom_pair.h - two Bloom filters, cleared in turn
 *
 * The memory is divided into two halves.  After each window of records,
 * repeats included, the senior half, which was cleared longer ago, is cleared
 * and becomes the junior one.
 */
#ifndef FR_BLOOM_PAIR_H
#define FR_BLOOM_PAIR_H

#include <math.h>
#include <string.h>

#include "bloom_bits.h"

struct fr_halves {
    uint64_t m; /* bits of a half */
    uint64_t window;
    uint32_t k, unused;
    uint64_t count;  /* live from here: records since the last clearing */
    uint64_t junior; /* 0 or 1: the half that was cleared last */
    uint64_t pad[3];
};
_Static_assert(sizeof(struct fr_halves) == 64, "part of the format");

static inline size_t fr_halves_words(const struct fr_halves *s)
{
    return s->m / 64;
}

static inline size_t fr_halves_at(const struct fr_halves *s, uint64_t half)
{
    return half ? fr_halves_words(s) : 0;
}

/* Plans halves that each hold the keys of "load" windows within a rate; k is
   the only parameter. */
static inline size_t fr_halves_plan(struct fr_halves *s,
                                    const struct fr_goal *goal, double load,
                                    double rate)
{
    size_t words = (goal->bytes - sizeof *s) / 16;
    double *k = &goal->param[0], m = (double)words * 64;

    *k = fr_bloom_k(*k, m, (double)goal->window * load, rate);
    s->m = words * 64;
    s->k = fr_u32(*k);
    s->window = goal->window;
    if (!s->window)
        s->window = fr_u64(fmax(1, fr_bloom_room(m, *k, rate) / load));
    return sizeof *s + words * 16;
}

static inline bool fr_halves_check(const void *state, size_t bytes)
{
    const struct fr_halves *s = state;

    return s->m == (bytes - sizeof *s) / 16 * 64 && s->k >= 1 &&
           s->k <= FR_BLOOM_MAX_K && s->window >= 1 && s->unused == 0;
}

static inline bool fr_halves_check_live(const void *state, size_t bytes)
{
    const struct fr_halves *s = state;

    (void)bytes;
    return s->junior <= 1;
}

/* Counts one record, and clears a half at the end of a window.  To be called
   after each record. */
static inline void fr_halves_count(struct fr_halves *s, uint64_t *bits)
{
    if (++s->count < s->window)
        return;
    s->count = 0;
    s->junior = !s->junior;
    memset(bits + fr_halves_at(s, s->junior), 0, s->m / 8);
}

/* Returns the chance that a new key is found in a half with that many ones. */
static inline double fr_halves_drop(const struct fr_halves *s, uint64_t ones)
{
    return pow((double)ones / (double)s->m, s->k);
}

static inline void fr_halves_expect(
    const struct fr_halves *s, double (*drop)(const struct fr_window *, double),
    const freshet_workload *w, freshet_rates *rates)
{
    struct fr_window law = {.m = (double)s->m,
                            .k = s->k,
                            .period = (double)s->window,
                            .full = 1,
                            .settle = 1,
                            .drop = drop};

    fr_window_expect(&law, w, rates);
}

#endif
