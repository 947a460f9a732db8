/*
 * filter_run.h - runs the filter over files and handles clock, signals and
 * state
 */
#ifndef FILTER_RUN_H
#define FILTER_RUN_H

#include "filter_job.h"

/* Runs over all files; if there are none, standard input is read.  Returns the
   status to exit with. */
int filter_run_files(struct filter_job *job, int n, char **files);

#endif
