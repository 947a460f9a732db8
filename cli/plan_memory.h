/*
 * plan_memory.h - the least memory with which an algorithm reaches a goal
 */
#ifndef PLAN_MEMORY_H
#define PLAN_MEMORY_H

#include "freshet.h"
#include "plan_sample.h"

struct memory_search {
    freshet_options options; /* with the memory to begin at */
    const freshet_workload *load;
    struct plan_sample *sample; /* NULL: theory decides */
    double wanted;              /* rate of false drops */
};

/* Returns the least memory to within 3 % (10 % if measured), or NaN if there is
   none.  Changes options.memory. */
double plan_memory_needed(struct memory_search *g);

#endif
