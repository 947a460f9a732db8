/*
 * report.h - writes results as an HTML page
 *
 * The page is one file that contains figures, style and script.
 */
#ifndef REPORT_H
#define REPORT_H

#include "result_file.h"

/* Returns false if there is no memory. */
bool report_write(FILE *to, const struct results *files, size_t n);

#endif
