/*
 * claim.h - published claims, how they are measured here, and the verdicts on
 * them
 *
 * Rates of these streams depend only on the bits per record.  So a claim is
 * measured with a part of the records in the same part of the memory: 1/1000 if
 * that counts 50000 errors of each kind, more if not, up to 1/20 for rates so
 * small that this counts only 3000, and never less than 2 KiB; or at the
 * printed size.  It is measured with at least five seeds, and their mean
 * counts.
 *
 * There are up to three trials: the algorithm as described, on the stream of
 * the tables (gen/shuffled.c); the variant that was measured, if one is known;
 * and the last of these on a uniform stream with one seed, which is shown and
 * not judged.
 *
 * claim_verdict.h describes the verdicts.
 */
#ifndef CLAIM_H
#define CLAIM_H

#include "fault.h"
#include "published.h"
#include "result_row.h"

enum { CLAIM_TRIALS = 3, CLAIM_RUNS = 10 };

enum claim_outcome {
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
    double mean, deviation; /* when all are measured; deviation of one run: 0 */
};

/* A filter on a stream that should reproduce the printed rates. */
struct trial {
    char algorithm[48]; /* in the form of lab run */
    char stream[64];    /* without its seed */
    const char *label;  /* "sampling=early"; NULL: the algorithm as described */
    bool beside;        /* shown, not judged */
    unsigned runs;      /* number of seeds, from 1 up */
    struct trial_rate fpr, fnr;
};

struct claim {
    struct published printed;
    unsigned scale;
    uint64_t memory; /* of the trials, headers included */
    struct trial trial[CLAIM_TRIALS];
    size_t trials;
    double least, most; /* in percent: lowest and highest FPR of filters of this
                           kind; NaN if unknown */

    /* Results of claims_judge(). */
    enum claim_outcome verdict;
    size_t judged;    /* the trial that the verdict is about */
    const char *swap; /* the algorithm to which this FPR belongs, or NULL */
    double misprint;  /* an FPR of nearly the same digits that holds, or NaN */
};

struct claims {
    struct claim *claim;
    size_t n;
    bool full; /* at the printed sizes */
};

/* Returns the name of the experiment in results. */
const char *claims_experiment(const struct claims *c);

/*
 * Makes the claims of the named tables, such as "bera7", or of all if none is
 * named.  Returns false and sets *why on error; to be freed in any case.
 */
bool claims_make(struct claims *c, char *const *names, size_t n, bool full,
                 struct fault *why);

/* Returns whether both have the same trials. */
bool claims_alike(const struct claim *a, const struct claim *b);

/* Enters a measurement in all claims that need it.  Returns whether there are
   any. */
bool claims_enter(struct claims *c, const struct row *row);

void claims_free(struct claims *c);

#endif
