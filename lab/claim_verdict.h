/*
 * claim_verdict.h - whether a claim holds
 *
 * A printed rate is met within 1 % of it, or within 3 s and half a unit of its
 * last printed digit.  s^2 is the variance of one run of the printed size plus
 * that of our mean.  Both come from the seeds' own deviation, and are at least
 * binomial.  A rate that is met, but with 3 s above 5 % of it, could as well be
 * another one: it is undecided.
 *
 * A claim holds if all of its printed rates are met.  Where the algorithm as
 * described does not show them and a variant does, the claim holds as that.
 */
#ifndef CLAIM_VERDICT_H
#define CLAIM_VERDICT_H

#include "claim.h"

/* Judge those whose trials are all measured. */
void claims_judge(struct claims *c);

/* Why a claim does not hold, as far as that is known. */
enum claim_reason {
    REASON_NONE,
    REASON_LEAST,    /* below what any such filter can have */
    REASON_MOST,     /* above it */
    REASON_MISPRINT, /* nearly the same digits would hold */
    REASONS
};

enum claim_reason claim_reason(const struct claim *c);

/* "holds as sampling=early" */
enum { CLAIM_TEXT = 160 };
const char *claim_verdict(char out[CLAIM_TEXT], const struct claim *c);

/* How many have which verdict. */
void claims_count(const struct claims *c, size_t count[CLAIM_VERDICTS]);

/* The trial that the verdict is about. */
const struct trial *claim_judged(const struct claim *c);

/*
 * Returns how far a rate of the judged trial is from print, as a share of what
 * is printed; NaN where nothing is printed or measured.
 */
double claim_off(const struct trial_rate *rate, double printed);

#endif
