/*
 * verdict.h - the verdicts on records, and their counts
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "freshet.h"

/* The first two are those of the library. */
enum verdict {
    VERDICT_NEW = FRESHET_NEW,
    VERDICT_REPEAT = FRESHET_SEEN,
    VERDICT_FIRST_REPEAT, /* of its key, if the decider distinguishes it */
    VERDICT_UNDECIDED,    /* no server answered: passed */
    VERDICT_MISSING_PASSED,
    VERDICT_MISSING_DROPPED,
    VERDICT_MALFORMED_PASSED,
    VERDICT_MALFORMED_DROPPED,
    VERDICT_HEADER,       /* a file's header: passed */
    VERDICT_HEADER_AGAIN, /* the same as the last file's: dropped */
    VERDICTS
};

/* A set of verdicts has a bit for each. */
#define VERDICT_BIT(verdict) (1u << VERDICT_##verdict)

enum {
    VERDICTS_REPEATS = VERDICT_BIT(REPEAT) | VERDICT_BIT(FIRST_REPEAT),
    VERDICTS_COMPARED = VERDICT_BIT(NEW) | VERDICTS_REPEATS,
    VERDICTS_MALFORMED =
        VERDICT_BIT(MALFORMED_PASSED) | VERDICT_BIT(MALFORMED_DROPPED),
    /* Not compared. */
    VERDICTS_PASSED = VERDICT_BIT(UNDECIDED) | VERDICT_BIT(MISSING_PASSED) |
                      VERDICT_BIT(MALFORMED_PASSED) | VERDICT_BIT(HEADER),
    VERDICTS_DROPPED = VERDICT_BIT(MISSING_DROPPED) |
                       VERDICT_BIT(MALFORMED_DROPPED) |
                       VERDICT_BIT(HEADER_AGAIN),
    VERDICTS_ALL = (1u << VERDICTS) - 1
};

struct engine_counts {
    uint64_t verdict[VERDICTS]; /* records */
    uint64_t late;              /* compared, and older than the window */
    uint64_t bytes_read;
};

/* Returns the number of records whose verdict is one of a set. */
static inline uint64_t counts_of(const struct engine_counts *counts,
                                 unsigned verdicts)
{
    uint64_t sum = 0;

    for (unsigned v = 0; v < VERDICTS; v++)
        if (verdicts >> v & 1)
            sum += counts->verdict[v];
    return sum;
}

static inline void counts_merge(struct engine_counts *counts,
                                const struct engine_counts *more)
{
    for (unsigned v = 0; v < VERDICTS; v++)
        counts->verdict[v] += more->verdict[v];
    counts->late += more->late;
    counts->bytes_read += more->bytes_read;
}

enum { COUNTS_BLOCK = 128 }; /* so that a count fits a byte */

/* Returns how often a verdict occurs in a block.  The length is a constant, so
   that compilers vectorise the loop. */
static inline uint8_t counts_in_block(const uint8_t *verdict, unsigned of)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < COUNTS_BLOCK; i++)
        sum = (uint8_t)(sum + (verdict[i] == of));
    return sum;
}

/* Counts n verdicts, of which nearly all are of the first two kinds. */
static inline void counts_add(struct engine_counts *counts,
                              const uint8_t *verdict, size_t n)
{
    for (; n >= COUNTS_BLOCK; n -= COUNTS_BLOCK, verdict += COUNTS_BLOCK) {
        unsigned left = COUNTS_BLOCK;

        for (unsigned v = 0; left; v++) {
            uint8_t sum = counts_in_block(verdict, v);

            counts->verdict[v] += sum;
            left -= sum;
        }
    }
    for (size_t i = 0; i < n; i++)
        counts->verdict[verdict[i]]++;
}

#endif
