/*
 * flow.h - items that pass through steps, in order or side by side
 *
 *     claimed -> step 0 -> step 1 -> ... -> finished
 *
 * Each item passes through all steps.  A step has lanes: each lane is passed by
 * all items in the order in which they were claimed, one at a time, and
 * different lanes side by side; an item has done the step when it has passed
 * all lanes.  A step without lanes is done for several items side by side, in
 * any order.
 *
 * Without a pool the caller does everything, by the same rules.
 */
#ifndef FLOW_H
#define FLOW_H

#include <stddef.h>
#include <stdint.h>

#include "pool.h"

enum { FLOW_STEPS = 5, FLOW_LANES = 64 };

struct flow_step {
    unsigned lanes; /* 0: any number of items at once, in any order */
    unsigned lag;   /* items that may have to wait before this step until
                       others come behind them, or the flow is drained */
    unsigned ahead; /* items that may have begun this step and not have done
                       the next one; 0: any number.  Both have one lane. */
    void (*run)(void *context, void *item, unsigned lane);
    /* Returns whether the next item may begin.  NULL: it always may. */
    bool (*may_begin)(const void *context);
};

struct flow;

/*
 * A flow of FLOW_STEPS steps for n items, which are the caller's.  The pool may
 * be NULL.  NULL if there is no memory.
 */
struct flow *flow_create(const struct flow_step *steps, void *context,
                         struct pool *pool, void *const *items, size_t n);

/* Accepts NULL.  To be called when it is drained. */
void flow_free(struct flow *f);

/* No more than this many items are on their way at once, from 1 to n. */
void flow_set_limit(struct flow *f, size_t limit);

/* Returns an item that is not on its way, and works until there is one.  NULL:
   the flow was stopped. */
void *flow_take(struct flow *f);

/* Send an item on its way, and do what can be done with it if there is no pool.
   Else wake a thread for it if that is worth it. */
void flow_push(struct flow *f, void *item, bool is_worth_waking);

/* Return an item unused. */
void flow_give_back(struct flow *f, void *item);

/* Work until nothing more can be done: all items are finished, unless a step
   may not begin or the flow was stopped.  Other threads are idle then. */
void flow_drain(struct flow *f);

/* From a step: no further step may begin. */
void flow_stop(struct flow *f);

/* Returns the i-th of the items that are not finished, the oldest first; or
   NULL.  *steps are those that it has done.  When the flow is drained. */
void *flow_unfinished(const struct flow *f, size_t i, unsigned *steps);

/* Returns whether that item has passed a lane of the step that it has not
   done. */
bool flow_has_passed(const struct flow *f, size_t i, unsigned lane);

/* Take back the items that are not finished, when the flow is drained; steps
   may begin again. */
void flow_reset(struct flow *f);

#endif
