/*
 * explain.h - describes a filter before it is made: --explain
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "goal.h"

/* Prints the expected behaviour of a filter.  Returns an exit status. */
int explain(const struct goal *goal);

#endif
