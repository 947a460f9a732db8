/*
 * filter_setup.h - prepares a run of the filter from the options
 */
#ifndef FILTER_SETUP_H
#define FILTER_SETUP_H

#include "filter_args.h"
#include "filter_job.h"

/* Sets the memory by the size of the files, if they are plain and no option
   describes the filter. */
void filter_choose_memory(struct filter_job *job, struct filter_args *args,
                          int argc, char **argv);

/* Prepares everything that filter_run_files() needs.  Returns CLI_GO, or the
   status to exit with. */
int filter_set_up(struct filter_job *job, const struct filter_args *args,
                  int argc, char **argv);

/* Closes and frees what was prepared, however far that came.  Returns CLI_OK,
   or CLI_TROUBLE if output could not be written. */
int filter_tear_down(struct filter_job *job);

#endif
