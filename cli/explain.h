/*
 * explain.h - describes a filter before it is made: --explain
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "goal.h"

/* Print what the filter of a goal would do.  Returns an exit status. */
int explain(const struct goal *aim);

#endif
