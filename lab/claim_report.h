/*
 * claim_report.h - claims for people and for programs
 */
#ifndef CLAIM_REPORT_H
#define CLAIM_REPORT_H

#include "claim.h"

/* The claims from first up to end, which are of one table. */
void verdicts_table(const struct claims *c, size_t first, size_t end);

/* Where the table of claim i ends. */
size_t verdicts_end(const struct claims *c, size_t i);

/* How many cells hold of each paper, how near, and those that do not. */
void verdicts_summary(const struct claims *c);

/* One object for each claim. */
void verdicts_json(const struct claims *c);

#endif
