/*
 * streams.h - what the tests of the generators share
 */
#ifndef GEN_STREAMS_H
#define GEN_STREAMS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen.h"
#include "truth.h"

static inline struct gen *open_gen(const char *spec)
{
    struct fault why = {""};
    struct gen *g = NULL;

    if (gen_open(&g, spec, &why) < 0)
        fail_msg("%s: %s", spec, why.text);
    return g;
}

/* All of a short stream, with its truth. */
struct stream {
    struct gen *gen;
    size_t n;
    uint64_t *key;
    uint8_t *repeat;
};

static inline struct stream read_stream(const char *spec)
{
    struct stream s = {.gen = open_gen(spec)};
    struct truth t;

    s.n = gen_records(s.gen);
    assert_true(s.n > 0 && s.n < 100000000);
    s.key = malloc(s.n * sizeof *s.key);
    s.repeat = malloc(s.n);
    assert_true(s.key && s.repeat);
    assert_int_equal(truth_open(&t, s.gen, NULL), 0);
    assert_int_equal(truth_next(&t, s.key, s.repeat, s.n), s.n);
    assert_int_equal(gen_next(s.gen, s.key, NULL, 0), 0);
    truth_close(&t);
    return s;
}

static inline void drop_stream(struct stream *s)
{
    gen_free(s->gen);
    free(s->key);
    free(s->repeat);
}

static inline size_t count_new(const struct stream *s)
{
    size_t fresh = 0;

    for (size_t i = 0; i < s->n; i++)
        fresh += !s->repeat[i];
    return fresh;
}

/* A count is within five deviations of what it is expected to be. */
#define assert_count(count, wanted, deviation)                                 \
    do {                                                                       \
        double c_ = (double)(count), w_ = (wanted), d_ = (deviation);          \
        if (!(fabs(c_ - w_) <= 5 * d_ + 1e-9))                                 \
            fail_msg("%s is %.6g, wanted %.6g +- %.3g", #count, c_, w_, d_);   \
    } while (0)

/* The same for successes in n trials of probability p. */
#define assert_binomial(count, n, p)                                           \
    assert_count(count, (double)(n) * (p), sqrt((double)(n) * (p) * (1 - (p))))

/* Chi-square over cells with their expectations; degrees = cells - 1. */
static inline void assert_chi_square(const double *seen, const double *wanted,
                                     size_t cells)
{
    double sum = 0, free = (double)cells - 1;

    for (size_t i = 0; i < cells; i++)
        sum += (seen[i] - wanted[i]) * (seen[i] - wanted[i]) / wanted[i];
    if (fabs(sum - free) > 5 * sqrt(2 * free))
        fail_msg("chi-square is %.1f at %.0f degrees of freedom", sum, free);
}

#endif
