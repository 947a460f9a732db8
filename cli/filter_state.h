/*
 * filter_state.h - when a run of the filter saves its state
 */
#ifndef FILTER_STATE_H
#define FILTER_STATE_H

#include "filter_job.h"

/* Begins a checkpoint if one is due and none is being written. */
void filter_checkpoint(struct filter_job *job);

/* Saves the state at the end of the run, if all decided records are written. */
void filter_save(struct filter_job *job);

#endif
