/*
 * claim_summary.h - summarises the claims of one paper
 */
#ifndef CLAIM_SUMMARY_H
#define CLAIM_SUMMARY_H

#include "claim_verdict.h"

struct paper_summary {
    const char *source; /* "bera" */
    size_t cells, count[CLAIM_VERDICTS];
    size_t reason[REASONS];      /* of those that do not hold */
    size_t rates;                /* number of printed rates in the cells that
                                    hold */
    double median, ninth, worst; /* their differences, in percent */
};

/*
 * Summarises the i-th paper of the claims, in order.  Returns 1, 0 after the
 * last, or -1 if there is no memory.
 */
int claims_paper(const struct claims *c, size_t i, struct paper_summary *out);

#endif
