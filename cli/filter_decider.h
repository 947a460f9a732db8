/*
 * filter_decider.h - creates the filter that the options describe, and its
 * decider
 */
#ifndef FILTER_DECIDER_H
#define FILTER_DECIDER_H

#include "filter_args.h"
#include "filter_job.h"

/* Loads or makes the filters of job, with an audit if it is asked for, and
   creates the decider.  Returns CLI_GO, or the status to exit with: after a
   message, or after --explain. */
int filter_decider_create(struct filter_job *job,
                          const struct filter_args *args);

#endif
