/*
 * filter_keys.h - gives the keys of a decision to a filter
 */
#ifndef FILTER_KEYS_H
#define FILTER_KEYS_H

#include "decider.h"

/* Decides all keys, each at its time and by its operation; operation is the
   default. */
void filter_keys(freshet *f, enum decider_operation operation,
                 const struct decision *b);

#endif
