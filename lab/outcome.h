/*
 * outcome.h - the rows of a cell that was measured
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "grid.h"

/* Makes c->row.  False if there is no memory. */
bool outcome_rows(struct cell *c);

#endif
