/*
 * promise.h - what this library promises, and whether a measurement keeps it
 *
 * A promise is one measurement and the rates that it must not exceed.  There
 * are three kinds, which their group names:
 *
 * pocket    The pocket filter on an endless stream, of which one record in a
 *           hundred is a repeat at one gap.  The memory is the keys of the gap
 *           times the bits for each, headers included.  The second half of the
 *           stream counts, when the filter is long full.  Some have no bound:
 *           they show how many bits are just enough, with one bit less.
 * suffices  As many keys as memory holds without loss: no error at all.
 * bera7     What the planner chooses for the streams of a published table, when
 *           it knows the number of keys and makes the fewest errors.  Rates
 *           depend on the bits per record alone, so a hundredth of the records
 *           in a hundredth of the memory show them; where that is below 64 KiB,
 *           and our header no longer small, the printed size is run.  At 256
 *           and 512 MB with 15 % distinct keys both rates must be below those
 *           of every published filter, elsewhere their sum.
 */
#ifndef PROMISE_H
#define PROMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "grid.h"

enum { PROMISE_GROUP = 16, PROMISE_DETAIL = 40 };

enum promise_verdict {
    PROMISE_OPEN,    /* not measured yet */
    PROMISE_SHOWN,   /* it has no bound */
    PROMISE_KEPT,    /* measured, within its bounds */
    PROMISE_EXCEEDED /* measured, above one of them */
};

/* Rates; NaN: no bound, or not measured. */
struct promise_rates {
    double fpr, fnr, sum;
};

struct promise {
    char group[PROMISE_GROUP];   /* "pocket", "bera7" */
    char detail[PROMISE_DETAIL]; /* what is special about it: "17 bits" */
    char stream[80];
    const char *algorithm; /* "auto": planned with the number of keys */
    uint64_t memory, window;
    double error; /* 0: the library's default */
    bool steady;  /* only the second half of the stream counts */
    struct promise_rates most, measured;
    enum promise_verdict verdict;
};

struct promises {
    struct promise *promise;
    size_t n;
};

/* Makes the promises of these groups, or of all if none is named.  Returns
   false and sets *why on error; to be freed in any case. */
bool promises_make(struct promises *c, char *const *groups, size_t n,
                   struct fault *why);

/* Adds one cell for each promise, in order. */
bool promises_add(const struct promises *c, struct grid *g, struct fault *why);

/* Judges a promise by the row of its whole stream. */
void promise_judge(struct promise *c, const struct row *row);

/* Returns the number of promises with this verdict. */
size_t promises_count(const struct promises *c, enum promise_verdict verdict);

void promises_free(struct promises *c);

#endif
