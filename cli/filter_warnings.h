/*
 * filter_warnings.h - prints the warnings and errors of a run of the filter
 */
#ifndef FILTER_WARNINGS_H
#define FILTER_WARNINGS_H

#include "filter_job.h"

/*
 * Returns the number of new records at which f is first checked for being full.
 * No plan uses more than a line for a key, so a filter cannot be over its plan
 * with fewer keys than lines.
 */
uint64_t filter_first_check(const freshet *f);

/* Warns once if the filter is full.  The check reads the whole filter, so it is
   made at each doubling of the stream. */
void filter_warn_if_full(struct filter_job *job);

/* Prints why the engine stopped. */
void filter_print_fault(const struct filter_job *job, enum engine_status status,
                        const struct fault *why);

/* Warns if a CSV quote was never closed, so that one record contains all that
   follows. */
void filter_warn_open_quote(const struct source *source);

/* Prints the warnings that can be given only when all input was read. */
void filter_warn_at_end(struct filter_job *job);

#endif
