/*
 * decider_local.h - verdicts on a batch, from the filter here or from one
 * elsewhere
 */
#ifndef DECIDER_LOCAL_H
#define DECIDER_LOCAL_H

#include "engine.h"

/* Verdicts on a batch whose keys are taken.  False after a complaint. */
bool decide(struct pipeline *p, struct batch *b);

/* Ask the remote filter now; decide() will hear what it says. */
void decide_ask(struct pipeline *p, struct batch *b);

/* Offer the first n keys to a filter, each at its time; how many are new. */
size_t decide_keys(const struct pipeline *p, freshet *f, struct batch *b,
                   size_t n);

#endif
