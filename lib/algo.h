/*
 * algo.h - what an algorithm is, to the rest of freshet
 *
 * One const struct fr_algo per file in lib/algo/, all listed in registry.c.
 * Nothing outside lib/ sees this header.
 *
 * An algorithm's state is one struct in three parts:
 *
 *     head    geometry and settings, written by plan(), never changed after
 *     live    scalars that change: a cursor, a count of random draws
 *     cells   the rest, a flexible array that starts on a cache line
 *
 * Live part and cells of an empty filter are all zero.
 */
#ifndef FR_ALGO_H
#define FR_ALGO_H

#include <stdbool.h>

#include "freshet.h"

/* What the user asked for, every number already within its range. */
struct fr_goal {
    uint64_t bytes;    /* room for the state; at least base + 64 */
    double false_drop; /* above 0, below 1 */
    uint64_t expect;   /* distinct keys; 0: unknown */
    uint64_t window;   /* records; 0: as many as fit */
    uint64_t within;   /* ticks; 0: no limit */
    uint64_t seed;     /* for the algorithm's own coin flips */
    double *param;     /* one value per row of fr_algo.params; plan() writes
                          back what it chose for those left automatic */
};

struct fr_algo {
    freshet_algorithm about;
    uint32_t id; /* what blocks store: never changed, never reused */
    const freshet_parameter *params; /* ends at a NULL name */
    size_t head;                     /* bytes of the head */
    size_t base;                     /* bytes before the first cell */

    /*
     * Lay a state out for a goal: write its head, return the bytes of the
     * whole.  It cannot fail: more than goal->bytes means "not enough
     * memory", and check() has the last word on whether the result makes
     * sense.
     */
    size_t (*plan)(void *state, const struct fr_goal *goal);

    /*
     * Is this head, of a state of so many bytes, one that plan() could have
     * written?  It may come from anywhere; only its size, at least base + 64,
     * is known to be right.  Reads the head only.
     */
    bool (*check)(const void *state, size_t bytes);

    /*
     * Can the functions below run on these live scalars and cells?  NULL when
     * they can run on any.  The head has passed check().
     */
    bool (*check_live)(const void *state, size_t bytes);

    /* The verbs, on a batch.  offer returns how many were new. */
    size_t (*offer)(void *state, const freshet_hash *keys, size_t n,
                    uint8_t *seen);
    size_t (*query)(const void *state, const freshet_hash *keys, size_t n,
                    uint8_t *seen);

    /* Fill in slots, used, forgotten, false_drop, false_pass, over_plan. */
    void (*inspect)(const void *state, freshet_info *info);

    /* Fault the pages in that these keys will write; NULL if offer does it as
       well.  Only called while most pages are untouched. */
    void (*fault)(void *state, const freshet_hash *keys, size_t n);

    /* From here on NULL means "cannot", and the public call says so. */

    /* Reads the head only: the cells may not exist yet. */
    void (*expect)(const void *state, const freshet_workload *workload,
                   freshet_rates *rates);
    void (*tick)(void *state, uint64_t now);
    size_t (*forget)(void *state, const freshet_hash *keys, size_t n);
    void (*merge)(void *state, const void *other);
};

enum {
    FR_MAX_PARAMS = 12, /* rows of fr_algo.params */
    FR_MAX_BASE = 1024  /* bytes of fr_algo.base */
};

extern const struct fr_algo *const fr_algos[]; /* ends at NULL */

/* A four-character code, lowest byte first so that a hex dump reads it. */
#define FR_ID(a, b, c, d)                                                      \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 |                \
     (uint32_t)(d) << 24)

/* Fill err, if given, and return status: "return fr_fail(err, ...);" */
int fr_fail(freshet_error *err, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
