/*
 * claim_report.h - prints claims as text and JSON
 */
#ifndef CLAIM_REPORT_H
#define CLAIM_REPORT_H

#include "claim.h"

/* Prints the claims from first up to end, which belong to one table. */
void claim_report_table(const struct claims *c, size_t first, size_t end);

/* Returns the end of the table of claim i. */
size_t claim_report_end(const struct claims *c, size_t i);

/* Prints how many cells of each paper hold, how closely, and those that do
   not. */
void claim_report_summary(const struct claims *c);

/* Prints one object for each claim. */
void claim_report_json(const struct claims *c);

#endif
