/*
 * filter_keys.h - the keys of a decision, given to a filter
 */
#ifndef FILTER_KEYS_H
#define FILTER_KEYS_H

#include "decider.h"

/* Decide all keys, each at its time and by its operation: the decision's, or
   where it has none this one. */
void filter_keys(freshet *f, enum decider_operation operation,
                 const struct decision *b);

#endif
