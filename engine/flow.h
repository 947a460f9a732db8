/*
 * flow.h - passes items through steps, in order or in parallel
 *
 *     taken -> step 0 -> step 1 -> ... -> finished
 *
 * Each item passes through all steps.  A step has lanes: all items pass each
 * lane in the order in which they were pushed, one at a time, and different
 * lanes in parallel; an item has done the step when it has passed all lanes.  A
 * step without lanes is performed for several items in parallel, in any order.
 *
 * Without a pool the caller performs all steps, by the same rules.
 */
#ifndef FLOW_H
#define FLOW_H

#include <stddef.h>
#include <stdint.h>

#include "pool.h"

enum { FLOW_STEPS = 5, FLOW_LANES = 64 };

struct flow_step {
    unsigned lanes; /* 0: any number of items at once, in any order */
    unsigned lag;   /* items that may wait before this step until others are
                       pushed, or the flow is drained */
    unsigned ahead; /* limit of items that have begun this step and not done the
                       next one; 0: none.  Both steps have one lane. */
    bool is_urgent; /* performed before all other steps */
    bool waits;     /* it may wait for a server: left to the pool's threads, so
                       that the caller can push more items */
    void (*run)(void *context, void *item, unsigned lane);
    /* Returns whether the next item may begin.  NULL: it always may. */
    bool (*may_begin)(const void *context);
};

struct flow;

/*
 * Creates a flow of FLOW_STEPS steps for n items, which belong to the caller.
 * The pool may be NULL.  Returns NULL if there is no memory.
 */
struct flow *flow_create(const struct flow_step *steps, void *context,
                         struct pool *pool, void *const *items, size_t n);

/* Accepts NULL.  The flow must be drained. */
void flow_free(struct flow *f);

/* Limits the number of items in progress: at least 1, and all that are not
   retired if the limit is above their number. */
void flow_set_limit(struct flow *f, size_t limit);

/* Returns an item that is not in progress, and works until there is one.  NULL:
   the flow was stopped. */
void *flow_take(struct flow *f);

/* Starts an item.  Without a pool its steps are performed now; otherwise a
   thread is woken for it if that is worth it. */
void flow_push(struct flow *f, void *item, bool is_worth_waking);

/* Performs one step.  Returns false if there is none that the caller can
   perform now. */
bool flow_help(struct flow *f);

/* Returns an item unused. */
void flow_give_back(struct flow *f, void *item);

/* An item that was taken is never used again.  Another one must be left. */
void flow_retire_item(struct flow *f);

/* Works until nothing more can be done: all items are finished, unless a step
   may not begin or the flow was stopped.  Other threads are idle then. */
void flow_drain(struct flow *f);

/* To be called by a step: no further step begins. */
void flow_stop(struct flow *f);

/* Returns the i-th of the unfinished items, the oldest first; or NULL.  *steps
   is the number of steps that it has done.  The flow must be drained. */
void *flow_unfinished(const struct flow *f, size_t i, unsigned *steps);

/* Returns whether that item has passed a lane of the step that it has not
   done. */
bool flow_has_passed(const struct flow *f, size_t i, unsigned lane);

/* Takes back the unfinished items of a drained flow; steps may begin again. */
void flow_reset(struct flow *f);

#endif
