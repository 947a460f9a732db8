/*
 * claim.h - what a paper prints, how it is tried here, and what comes of it
 *
 * Rates of these streams depend on the bits per record alone.  So a claim is
 * tried with a share of the records in the same share of the memory: 1/1000 if
 * that counts 50000 errors of each kind, more if not, up to 1/20 for rates so
 * small that even that counts 3000, and never less than 2 KiB; or at the size
 * that is printed.  It is tried with five seeds at least; their mean counts.
 *
 * Up to three trials stand beside each other: the algorithm as it is described
 * on the stream that the tables were made with (gen/shuffled.c); the variant
 * that was measured, where one is known; and the latter of them on a uniform
 * stream, with one seed, which is shown and not judged.
 *
 * claim_verdict.h judges.
 */
#ifndef CLAIM_H
#define CLAIM_H

#include "fault.h"
#include "published.h"
#include "result_row.h"

enum { CLAIM_TRIALS = 3, CLAIM_RUNS = 10 };

enum verdict {
    CLAIM_OPEN, /* not all trials are measured */
    CLAIM_HOLDS,
    CLAIM_HOLDS_AS, /* a variant */
    CLAIM_UNDECIDED,
    CLAIM_FAILS,
    CLAIM_VERDICTS
};

/* One rate over the seeds, in percent; NaN: not measured. */
struct trial_rate {
    double run[CLAIM_RUNS];
    double mean, deviation; /* when all are measured; of one run: 0 */
};

/* A filter on a stream that should show what is printed. */
struct trial {
    char algorithm[48]; /* as lab run takes it */
    char stream[64];    /* without its seed */
    const char *label;  /* "sampling=early"; NULL: the algorithm as described */
    bool beside;        /* shown, not judged */
    unsigned runs;      /* with the seeds from 1 up */
    struct trial_rate fpr, fnr;
};

struct claim {
    struct published printed;
    unsigned scale;
    uint64_t memory; /* of the trials, header included */
    struct trial trial[CLAIM_TRIALS];
    size_t trials;
    double least, most; /* percent: no filter of this kind drops fewer, or
                           more; NaN where no bound is told */

    /* What claims_judge() found. */
    enum verdict verdict;
    size_t judged;    /* the trial the verdict is about */
    const char *swap; /* the algorithm whose FPR this is, or NULL */
    double misprint;  /* an FPR of nearly the same digits that holds, or NaN */
};

struct claims {
    struct claim *claim;
    size_t n;
    bool full; /* at the printed sizes */
};

/* The experiment's name in results. */
const char *claims_experiment(const struct claims *c);

/*
 * Those of the tables that are named, as "bera7"; of all if none is.  False and
 * a sentence; to be freed in any case.
 */
bool claims_make(struct claims *c, char *const *names, size_t n, bool full,
                 struct fault *why);

/* Do both have the same trials? */
bool claims_alike(const struct claim *a, const struct claim *b);

/* Enter a measurement wherever it belongs.  True if it does anywhere. */
bool claims_enter(struct claims *c, const struct row *row);

void claims_free(struct claims *c);

#endif
