/*
 * report_claims.h - writes the comparison with published tables
 */
#ifndef REPORT_CLAIMS_H
#define REPORT_CLAIMS_H

#include <stdio.h>

#include "result_file.h"

/*
 * Writes a summary of one screen, figures of printed and measured rates of all
 * cells, then every cell.  Writes nothing if files have no such results.
 * Returns false if there is no memory.
 */
bool report_claims(FILE *to, const struct results *files, size_t n);

#endif
