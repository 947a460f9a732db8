/*
 * bf_make.h - making a filter for BF.* commands
 */
#ifndef BF_MAKE_H
#define BF_MAKE_H

#include "bf_place.h"

enum bf_full_policy { BF_POLICY_ERROR, BF_POLICY_EVICT };
extern int bf_full_policy; /* freshet.full-policy */

/*
 * Make a filter of a shape where there is nothing, and tell replicas exactly
 * which.  False after having answered with an error.
 */
bool bf_make(struct bf_place *p, const struct bf_shape *shape);

#endif
