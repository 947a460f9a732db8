/*
 * streams.h - streams whose truth is known, for tests of error rates
 */
#ifndef STREAMS_H
#define STREAMS_H

#include "harness.h"

/* What a filter made of a stream. */
struct outcome {
    uint64_t fresh, drops;    /* records truly new; of them, called seen */
    uint64_t repeats, passes; /* records truly seen; of them, called new */
    freshet_workload workload;
};

/* x spread over [0, n), as the library does. */
static inline uint64_t spread(uint64_t x, uint64_t n)
{
    __extension__ typedef unsigned __int128 wide;

    return (uint64_t)((wide)x * n >> 64);
}

/* The universe from which n draws meet the given share of different keys. */
static inline uint64_t universe_for(double n, double share)
{
    double low = 1, high = 1e6 * n;

    for (int i = 0; i < 100; i++) {
        double u = (low + high) / 2;

        if (-u * expm1(-n / u) < share * n)
            low = u;
        else
            high = u;
    }
    return (uint64_t)low;
}

/* n uniform draws, the given share of them new: the published streams. */
static inline struct outcome run_uniform(freshet *f, uint64_t n, double share)
{
    uint64_t universe = universe_for((double)n, share), random = 1;
    struct outcome o = {.workload = {.distinct = universe, .records = n}};
    uint8_t *met = calloc(universe, 1);

    assert_non_null(met);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t key = spread(roll(&random), universe);
        int seen = offer(f, key);

        o.repeats += met[key];
        o.passes += met[key] && seen == FRESHET_NEW;
        o.fresh += !met[key];
        o.drops += !met[key] && seen == FRESHET_SEEN;
        met[key] = 1;
    }
    free(met);
    return o;
}

/*
 * n new keys; in the second half every fifth is followed by a question about
 * the key that has "gap" others between it and now.
 */
static inline struct outcome run_endless(freshet *f, uint64_t n, uint64_t gap)
{
    struct outcome o = {.workload = {.gap = gap}};

    for (uint64_t key = 0; key < n; key++) {
        int seen = offer(f, key);

        if (key < n / 2)
            continue;
        o.fresh++;
        o.drops += seen == FRESHET_SEEN;
        if (key % 5 == 0) {
            o.repeats++;
            o.passes += query(f, key - gap) == FRESHET_NEW;
        }
    }
    return o;
}

/* Is this what the filter's theory says, but for a share it may be off? */
static inline void assert_expected(const freshet *f, const struct outcome *o,
                                   double slack)
{
    freshet_rates r = expect_of(f, o->workload);

    assert_non_null(r.theory);
    assert_rate(o->drops, o->fresh, r.false_drop, slack);
    assert_rate(o->passes, o->repeats, r.false_pass, slack);
}

#endif
