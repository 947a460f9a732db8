/*
 * cell_rows.h - makes the rows of a measured cell
 */
#ifndef CELL_ROWS_H
#define CELL_ROWS_H

#include "grid.h"

/* Makes c->row.  Returns false if there is no memory. */
bool cell_make_rows(struct cell *c);

/* Writes the columns of theory, which must be empty. */
void cell_theory(struct row *row, const struct measure *m);

#endif
