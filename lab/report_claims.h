/*
 * report_claims.h - what came of the published tables, for a report
 */
#ifndef REPORT_CLAIMS_H
#define REPORT_CLAIMS_H

#include <stdio.h>

#include "result_file.h"

/*
 * A summary of one screen, figures of printed against measured with all cells,
 * then every cell.  Nothing where files hold no such results.  False if there
 * is no memory.
 */
bool report_claims(FILE *to, const struct results *files, size_t n);

#endif
