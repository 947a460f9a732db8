/*
 * planner.h - which algorithm and parameters, when the user names none
 */
#ifndef FR_PLANNER_H
#define FR_PLANNER_H

#include "algo.h"

enum { FR_PLANNED_PARAMS = 128, FR_REASON = 256 };

/*
 * Fill in algorithm and params of options whose defaults are set; params is
 * the room they are written to.  Parameters given without an algorithm are
 * refused: there is nothing they could belong to.
 */
int fr_choose(freshet_options *options, char params[FR_PLANNED_PARAMS],
              char reason[FR_REASON], freshet_error *err);

#endif
