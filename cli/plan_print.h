/*
 * plan_print.h - prints the rows of freshet plan
 */
#ifndef PLAN_PRINT_H
#define PLAN_PRINT_H

#include "plan_rows.h"

/* Prints the titles of the columns.  expect: --expect was given. */
void plan_print_titles(bool expect);
void plan_print_row(const struct plan_row *row);

/* Prints a row as one JSON object. */
void plan_print_json(const struct plan_row *row);

/* Prints where and when those filters settle that do. */
void plan_print_stability(const struct plan_row *rows, size_t n);

#endif
