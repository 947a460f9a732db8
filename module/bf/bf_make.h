/*
 * bf_make.h - making a filter for BF.* commands
 */
#ifndef BF_MAKE_H
#define BF_MAKE_H

#include "bf_place.h"

enum bf_full_policy { BF_POLICY_ERROR, BF_POLICY_EVICT };
extern int bf_full_policy; /* freshet.full-policy */

/*
 * Makes a filter of a shape at an empty key, and replicates a command that
 * makes the same one.  Returns false after answering with an error.
 */
bool bf_make(struct bf_place *p, const struct bf_shape *shape);

#endif
