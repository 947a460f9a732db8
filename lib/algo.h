/*
 * algo.h - the interface between an algorithm and the rest of freshet
 *
 * Each file in lib/algo/ defines one const struct fr_algo; registry.c lists
 * all of them.  Nothing outside lib/ includes this header.
 *
 * An algorithm's state is one struct in three parts:
 *
 *     head    geometry and settings, written by plan(), never changed after
 *     live    scalars that change: a cursor, a count of random draws
 *     cells   the rest, a flexible array that starts on a cache line
 *
 * The live part and the cells of an empty filter are all zero.
 */
#ifndef FR_ALGO_H
#define FR_ALGO_H

#include <stdbool.h>

#include "freshet.h"

/* What the user asked for.  Every number is already within its range. */
struct fr_goal {
    uint64_t bytes;          /* budget of the state; at least base + 64 */
    double false_drop;       /* at least 2^-60, below 1 */
    uint64_t expect;         /* distinct keys; 0: unknown */
    uint64_t window;         /* records; 0: as many as the memory holds */
    uint64_t within;         /* ticks; 0: no limit */
    uint64_t seed;           /* for the algorithm's own coin flips */
    const freshet_gap *gaps; /* how far repeats are expected to be, or NULL */
    uint64_t gap_count;
    double *param; /* one value per row of fr_algo.params; plan() writes
                          back what it chose for those left automatic */
};

/* Returns the records from a key to its repeat. */
static inline uint64_t fr_span_of(const freshet_gap *gap)
{
    return gap->span > gap->gap ? gap->span : gap->gap;
}

/* The state of one part of a filter between a split and the next join. */
struct fr_part {
    uint64_t first, end; /* the groups of this part; end is excluded */
    uint64_t base;       /* records before the next block of keys */
    uint64_t record;     /* records that the clock of this part has passed */
    uint64_t now;        /* the last time given by a tick */
    uint64_t offered, fresh, remembered;
    uint64_t live[8]; /* the algorithm's own live scalars */
};

/*
 * How an algorithm works by parts.  The cells form groups that share no byte.
 * Keys of different groups share only the head, which is not written, and the
 * live scalars, of which each part has its own copy.
 */
struct fr_split {
    /* Returns the number of groups, or 0 if this filter cannot be split. */
    uint64_t (*groups)(const void *state);

    /* Writes the part of each key; made by FR_ROUTE in parts/batched.h. */
    void (*route)(const void *state, const freshet_hash *keys, size_t n,
                  uint64_t scale, uint8_t *part);
    /* A key's group is fr_reduce(key.hi, groups): parts are in the order of
       key.hi, and route() may be replaced by comparisons. */
    bool is_ordered;

    /* Copies the filter's clock into part->live and sets its counts to zero. */
    void (*begin)(const void *state, struct fr_part *part);

    /* Offer and query.  Key i comes after part->base + at[i] records; if at is
       NULL, each key directly follows the one before. */
    size_t (*offer)(void *state, struct fr_part *part, const freshet_hash *keys,
                    const uint32_t *at, size_t n, uint8_t *seen);
    size_t (*query)(void *state, struct fr_part *part, const freshet_hash *keys,
                    const uint32_t *at, size_t n, uint8_t *seen);

    /*
     * Adds the part's counts to the filter and gives the filter the part's
     * clock; records is the number of records of all parts together.  The parts
     * are joined one after the other, and all of them end at the same clock.
     */
    void (*join)(void *state, struct fr_part *part, uint64_t records);

    /* The following may be NULL. */
    void (*tick)(void *state, struct fr_part *part, uint64_t now);
    /* Returns the first time of the generation after that of now, or UINT64_MAX
       if there is none. */
    uint64_t (*turn)(const void *state, uint64_t now);
    size_t (*forget)(void *state, struct fr_part *part,
                     const freshet_hash *keys, const uint32_t *at, size_t n);
};

struct fr_algo {
    freshet_algorithm about;
    uint32_t id; /* stored in blocks: never changed, never reused */
    const freshet_parameter *params; /* the last row has a NULL name */
    size_t head;                     /* bytes of the head */
    size_t base;                     /* bytes before the first cell */

    /*
     * Lays a state out for a goal: writes its head and returns the size of the
     * whole state in bytes.  It cannot fail: a size above goal->bytes means
     * that the memory is not enough, and check() decides whether the result is
     * valid.
     */
    size_t (*plan)(void *state, const struct fr_goal *goal);

    /*
     * Returns whether plan() could have written this head for a state of this
     * size.  The head is untrusted; only bytes, at least base + 64, is known to
     * be right.  Reads nothing but the head.
     */
    bool (*check)(const void *state, size_t bytes);

    /* Returns whether the functions below can run on these live scalars and
       cells.  NULL: they can run on any.  The head has passed check(). */
    bool (*check_live)(const void *state, size_t bytes);

    /* Offer and query of a batch.  Both return the number of new keys. */
    size_t (*offer)(void *state, const freshet_hash *keys, size_t n,
                    uint8_t *seen);
    size_t (*query)(const void *state, const freshet_hash *keys, size_t n,
                    uint8_t *seen);

    /* Prefetches the cells of keys that are offered or queried soon.  NULL: the
       algorithm does not. */
    void (*prefetch)(const void *state, const freshet_hash *keys, size_t n);

    /* Fills in what freshet_info has from slots on. */
    void (*inspect)(const void *state, freshet_info *info);

    /* The same, from one run of lines of each "step": see parts/sample.h.
       NULL: the algorithm cannot be sampled. */
    void (*sample)(const void *state, uint64_t step, freshet_info *info);

    /* Fills in the line that offering the key to an empty filter writes, and
       the other line that it reads.  NULL: a key has more lines, or offer
       faults their pages in equally well. */
    void (*lines)(void *state, freshet_hash key, uint64_t *lines[2]);

    /* A NULL below means that the algorithm lacks the ability; the public call
       reports that. */

    /* Reads the head only: the cells may not exist yet. */
    void (*expect)(const void *state, const freshet_workload *workload,
                   freshet_rates *rates);
    void (*tick)(void *state, uint64_t now);
    size_t (*forget)(void *state, const freshet_hash *keys, size_t n);
    void (*merge)(void *state, const void *other);
    const struct fr_split *split;
};

enum {
    FR_MAX_PARAMS = 12, /* most rows of fr_algo.params, without the last */
    FR_MAX_BASE = 1024  /* largest fr_algo.base */
};

extern const struct fr_algo *const fr_algos[]; /* the last entry is NULL */
/* Those whose ids only saved filters have; the last entry is NULL. */
extern const struct fr_algo *const fr_older_algos[];

/* A four-character code, lowest byte first: a hex dump shows its letters. */
#define FR_ID(a, b, c, d)                                                      \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 |                \
     (uint32_t)(d) << 24)

/* Fills in err unless it is NULL, and returns status, so that callers can write
   "return fr_fail(err, ...);" */
int fr_fail(freshet_error *err, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
