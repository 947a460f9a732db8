/*
 * cell_rows.h - the rows of a cell that was measured
 */
#ifndef CELL_ROWS_H
#define CELL_ROWS_H

#include "grid.h"

/* Makes c->row.  False if there is no memory. */
bool outcome_rows(struct cell *c);

#endif
