/*
 * claim.h - what a paper prints, how it is tried here, and what comes of it
 *
 * Rates of these streams depend on the bits per record alone.  So a claim is
 * tried with a hundredth of the records in a hundredth of the memory, as long
 * as that leaves a million records and 2 KiB; or at the size that is printed.
 * Where that is less than a million, it is tried with several seeds, and their
 * mean counts: one run of 100000 records can be off by 5 % for no reason.
 *
 * A claim holds if every printed rate is met within 5 % of it or 0.15 points.
 * Where that is known to take a variant of the described algorithm, the variant
 * is tried beside it, and both are shown.
 */
#ifndef CLAIM_H
#define CLAIM_H

#include "fault.h"
#include "published.h"
#include "result_row.h"

enum { CLAIM_TRIALS = 2, CLAIM_RUNS = 10 };

enum verdict {
    CLAIM_OPEN, /* not all trials are measured */
    CLAIM_HOLDS,
    CLAIM_HOLDS_AS, /* a variant */
    CLAIM_FAILS,
    CLAIM_VERDICTS
};

/* A filter that should show what is printed. */
struct trial {
    char algorithm[48]; /* as lab run takes it */
    const char *label;  /* "sampling=off"; NULL: the algorithm as described */
    struct {
        double fpr, fnr; /* percent; NaN: not measured */
    } run[CLAIM_RUNS];
    double fpr, fnr; /* their means, when all are measured */
};

struct claim {
    struct published printed;
    unsigned scale;
    unsigned runs; /* with the seeds from 1 up */
    char stream[64];
    uint64_t memory; /* of the trials, header included */
    struct trial trial[CLAIM_TRIALS];
    size_t trials;
    double bound; /* percent: no filter drops fewer; NaN where none is told */
    enum verdict verdict;
    size_t judged;    /* the trial the verdict is about */
    const char *swap; /* the algorithm whose FPR this is, or NULL */
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

/* Judge those whose trials are all measured. */
void claims_judge(struct claims *c);

/* "holds as sampling=off" */
enum { CLAIM_TEXT = 128 };
const char *claim_verdict(char out[CLAIM_TEXT], const struct claim *c);

/* How many have which verdict. */
void claims_count(const struct claims *c, size_t count[CLAIM_VERDICTS]);

void claims_free(struct claims *c);

#endif
