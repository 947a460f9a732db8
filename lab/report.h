/*
 * report.h - results as a page to read
 *
 * One file of HTML with all it needs inside: figures, style and script.
 */
#ifndef REPORT_H
#define REPORT_H

#include "result_file.h"

/* False if there is no memory. */
bool report_write(FILE *to, const struct results *files, size_t n);

#endif
