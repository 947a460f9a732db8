/*
 * reportcurves.h - the figures of a report
 */
#ifndef REPORTCURVES_H
#define REPORTCURVES_H

#include <stdio.h>

#include "claim.h"
#include "result_file.h"

/* Measured over published, each algorithm in its colour.  False if there is
   no memory. */
bool report_agreement(FILE *to, const struct claims *c);

/* Rates and fill along each stream that has points. */
bool report_curves(FILE *to, const struct results *files, size_t n);

#endif
