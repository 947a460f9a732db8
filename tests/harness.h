/*
 * harness.h - common parts of all unit tests
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "freshet.h"

#define assert_near(actual, wanted, slack)                                     \
    do {                                                                       \
        double a_ = (actual), w_ = (wanted);                                   \
        if (!(fabs(a_ - w_) <= (slack)))                                       \
            fail_msg(#actual " is %g, wanted %g +- %g", a_, w_,                \
                     (double)(slack));                                         \
    } while (0)

/*
 * Asserts that the hits of n trials with probability p are within five standard
 * deviations of the binomial, plus the share of p by which the theory may be
 * wrong.  With a fixed seed the result is always the same.
 */
#define assert_rate(hits, n, p, theory_slack)                                  \
    do {                                                                       \
        double h_ = (double)(hits), n_ = (double)(n), p_ = (p);                \
        double slack_ =                                                        \
            5 * sqrt(p_ * (1 - p_) / n_) + p_ * (theory_slack) + 5 / n_;       \
        if (!(fabs(h_ / n_ - p_) <= slack_))                                   \
            fail_msg(#hits " is %g of %g, a rate of %g; wanted %g +- %g", h_,  \
                     n_, h_ / n_, p_, slack_);                                 \
    } while (0)

/* make_filter(.algorithm = "sbf", .memory = 4096): sets options by name. */
#define OPTIONS(...)                                                           \
    (&(freshet_options){.size = sizeof(freshet_options), __VA_ARGS__})
#define make_filter(...)     make_filter_(OPTIONS(__VA_ARGS__))
#define try_filter(err, ...) try_filter_(OPTIONS(__VA_ARGS__), (err))

static inline freshet *make_filter_(const freshet_options *options)
{
    freshet_error err;
    freshet *f;

    if (freshet_create(&f, options, &err) < 0)
        fail_msg("%s: %s", options->algorithm, err.message);
    return f;
}

static inline int try_filter_(const freshet_options *options,
                              freshet_error *err)
{
    freshet *f;
    int status = freshet_create(&f, options, err);

    freshet_free(f);
    return status;
}

/* Offers an integer as a key of eight bytes. */
static inline int offer(freshet *f, uint64_t key)
{
    return freshet_offer(f, &key, sizeof key);
}

static inline int query(const freshet *f, uint64_t key)
{
    return freshet_query(f, &key, sizeof key);
}

static inline freshet_hash hash_of(const freshet *f, uint64_t key)
{
    return freshet_hash_key(f, &key, sizeof key);
}

/* An exact copy of a filter; free it with release(), which also frees the
   block. */
struct copy {
    freshet *filter;
    void *block;
};

static inline struct copy copy_of(const freshet *f)
{
    struct copy c;
    size_t bytes;
    const void *from = freshet_block(f, &bytes);

    c.block = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(c.block);
    memcpy(c.block, from, bytes);
    assert_int_equal(freshet_attach(&c.filter, c.block, bytes, NULL),
                     FRESHET_OK);
    return c;
}

static inline void release(struct copy *c)
{
    freshet_free(c->filter);
    free(c->block);
}

/* Compares the states after the 256-byte headers, which also count calls. */
static inline void assert_same_state(const freshet *a, const freshet *b)
{
    size_t bytes, other;
    const char *at = freshet_block(a, &bytes), *bt = freshet_block(b, &other);

    assert_int_equal(bytes, other);
    if (memcmp(at + 256, bt + 256, bytes - 256) != 0)
        fail_msg("the states differ");
}

/* Compares the whole blocks, counters included. */
static inline void assert_same_block(const freshet *a, const freshet *b)
{
    size_t bytes, other;
    const void *at = freshet_block(a, &bytes), *bt = freshet_block(b, &other);

    assert_int_equal(bytes, other);
    assert_memory_equal(at, bt, bytes);
}

/* Returns a reproducible random number from a running state (SplitMix64). */
static inline uint64_t roll(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline freshet_info info_of(const freshet *f)
{
    freshet_info info = {.size = sizeof info};

    freshet_get_info(f, &info);
    return info;
}

static inline freshet_rates expect_of(const freshet *f, freshet_workload w)
{
    freshet_rates rates = {.size = sizeof rates};

    w.size = sizeof w;
    assert_int_equal(freshet_expect(&rates, f, &w, NULL), FRESHET_OK);
    return rates;
}

/* Verdicts of a filter on keys drawn from a universe, compared with the
   truth. */
struct drawn {
    uint64_t fresh, repeats; /* the true numbers */
    uint64_t drops, passes;  /* the errors */
};

static inline struct drawn draw_from(freshet *f, uint64_t universe,
                                     uint64_t records)
{
    uint8_t *known = calloc(universe, 1);
    struct drawn d = {0};
    uint64_t random = 1;

    assert_non_null(known);
    for (uint64_t i = 0; i < records; i++) {
        uint64_t key = roll(&random) % universe;
        int seen = offer(f, key);

        d.fresh += !known[key];
        d.drops += !known[key] && seen;
        d.passes += known[key] && !seen;
        known[key] = 1;
    }
    d.repeats = records - d.fresh;
    free(known);
    return d;
}

#endif
