/*
 * planner.h - chooses algorithm and parameters when the user names none
 */
#ifndef FR_PLANNER_H
#define FR_PLANNER_H

#include "algo.h"

enum { FR_PLANNED_PARAMS = 128, FR_REASON = 256 };

/*
 * Fills in algorithm and params of options whose defaults are set; the
 * parameters are written to params.  Parameters without an algorithm are
 * refused, since their meaning depends on it.
 */
int fr_choose(freshet_options *options, char params[FR_PLANNED_PARAMS],
              char reason[FR_REASON], freshet_error *err);

#endif
