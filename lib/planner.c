/*
 * planner.c - which algorithm and parameters, when the user names none
 */
#include "planner.h"

#include <stdio.h>

int fr_choose(freshet_options *options, char params[FR_PLANNED_PARAMS],
              char reason[FR_REASON], freshet_error *err)
{
    (void)err;
    params[0] = '\0';
    options->algorithm = "sbf";
    options->params = params;
    snprintf(reason, FR_REASON, "the only one there is");
    return FRESHET_OK;
}
