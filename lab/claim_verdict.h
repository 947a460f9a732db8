/*
 * claim_verdict.h - decides whether a claim holds
 *
 * A printed rate is met within 1 % of it, or within 3 s and half a unit of its
 * last printed digit.  s^2 is the variance of one run of the printed size plus
 * that of our mean.  Both come from the deviation between seeds, and are at
 * least binomial.  If a rate is met, but 3 s is above 5 % of it, the claim is
 * undecided.
 *
 * A claim holds if all of its printed rates are met.  If the algorithm as
 * described does not meet them and a variant does, the claim holds as that
 * variant.
 */
#ifndef CLAIM_VERDICT_H
#define CLAIM_VERDICT_H

#include "claim.h"

/* Judges the claims whose trials are all measured. */
void claims_judge(struct claims *c);

/* Why a claim does not hold, if that is known. */
enum claim_reason {
    REASON_NONE,
    REASON_LEAST,    /* below the rate of any such filter */
    REASON_MOST,     /* above the rate of any such filter */
    REASON_MISPRINT, /* nearly the same digits would hold */
    REASONS
};

enum claim_reason claim_reason(const struct claim *c);

/* Writes the verdict, such as "holds as sampling=early". */
enum { CLAIM_TEXT = 160 };
const char *claim_verdict(char out[CLAIM_TEXT], const struct claim *c);

/* Counts the claims with each verdict. */
void claims_count(const struct claims *c, size_t count[CLAIM_VERDICTS]);

/* Returns the trial that the verdict is about. */
const struct trial *claim_judged(const struct claim *c);

/*
 * Returns the difference of a rate from the printed one, as a share of the
 * printed one; NaN if it is not printed or not measured.
 */
double claim_off(const struct trial_rate *rate, double printed);

#endif
