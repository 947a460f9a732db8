/*
 * report_curves.h - writes the figures of a report
 */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include <stdio.h>

#include "claim.h"
#include "result_file.h"

/* Writes measured over published rates, with a colour for each algorithm.
   Returns false if there is no memory. */
bool report_agreement(FILE *to, const struct claims *c);

/* Writes rates and fill along each stream that has points. */
bool report_curves(FILE *to, const struct results *files, size_t n);

#endif
