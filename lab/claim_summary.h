/*
 * claim_summary.h - what came of the claims of one paper
 */
#ifndef CLAIM_SUMMARY_H
#define CLAIM_SUMMARY_H

#include "claim_verdict.h"

struct paper_summary {
    const char *source; /* "bera" */
    size_t cells, count[CLAIM_VERDICTS];
    size_t reason[REASONS];      /* of those that do not hold */
    size_t rates;                /* printed ones of the cells that hold */
    double median, ninth, worst; /* how far these are off, in percent */
};

/*
 * The i-th paper of the claims, in their order.  Returns 1, 0 behind the last,
 * or -1 if there is no memory.
 */
int claims_paper(const struct claims *c, size_t i, struct paper_summary *out);

#endif
