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
    double false_drop; /* at least 2^-60, below 1 */
    uint64_t expect;   /* distinct keys; 0: unknown */
    uint64_t window;   /* records; 0: as many as fit */
    uint64_t within;   /* ticks; 0: no limit */
    uint64_t seed;     /* for the algorithm's own coin flips */
    double *param;     /* one value per row of fr_algo.params; plan() writes
                          back what it chose for those left automatic */
};

/* What one part of a filter keeps for itself until it is joined. */
struct fr_part {
    uint64_t first, end; /* its groups, the last one excluded */
    uint64_t base;       /* records before the block that is next */
    uint64_t record;     /* records that its clock has passed */
    uint64_t now;        /* the last tick it was told */
    uint64_t offered, fresh, remembered;
    uint64_t live[8]; /* the algorithm's own live scalars */
};

/*
 * How an algorithm works by parts.  Its cells are groups that share no byte:
 * keys of different groups have nothing in common but the head, which is only
 * read, and the live scalars, of which each part has its own.
 */
struct fr_split {
    /* The number of groups; 0: this filter cannot be split. */
    uint64_t (*groups)(const void *state);

    /* The part of each key: FR_ROUTE in parts/batched.h writes it. */
    void (*route)(const void *state, const freshet_hash *keys, size_t n,
                  uint64_t scale, uint8_t *part);

    /* Copy the filter's clock into part->live, with counts at zero. */
    void (*begin)(const void *state, struct fr_part *part);

    /* The verbs.  Key i comes after part->base + at[i] records; where at is
       NULL, it follows the one before. */
    size_t (*offer)(void *state, struct fr_part *part, const freshet_hash *keys,
                    const uint32_t *at, size_t n, uint8_t *seen);
    size_t (*query)(void *state, struct fr_part *part, const freshet_hash *keys,
                    const uint32_t *at, size_t n, uint8_t *seen);

    /*
     * So many records have passed in all: add what the part counted to the
     * filter, and take over its clock.  The parts are joined one after the
     * other, and all of them end at the same clock.
     */
    void (*join)(void *state, struct fr_part *part, uint64_t records);

    /* These may be NULL. */
    void (*tick)(void *state, struct fr_part *part, uint64_t now);
    uint64_t (*turn)(const void *state, uint64_t now); /* the first time of the
                          generation after that of now; UINT64_MAX: never */
    size_t (*forget)(void *state, struct fr_part *part,
                     const freshet_hash *keys, const uint32_t *at, size_t n);
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
    const struct fr_split *split;
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
