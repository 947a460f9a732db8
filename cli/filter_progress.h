/*
 * filter_progress.h - how far the filter is: --progress
 *
 * Bytes of the total, per cent and time left are shown where all inputs are
 * regular files; in any case speed, records per second and the share of new
 * records.
 */
#ifndef FILTER_PROGRESS_H
#define FILTER_PROGRESS_H

#include "engine.h"

struct filter_progress {
    bool wanted;    /* and somebody can see it */
    uint64_t total; /* bytes of all files, packed or not; 0: not known */
    uint64_t past;  /* of those before the one that is read */
    uint64_t due;   /* by clock_now() */
};

/* For these files.  Nothing is shown unless stderr is a terminal, nor where
   records go to one: they would run into each other. */
void filter_progress_begin(struct filter_progress *b, const struct output *o,
                           int n, char **files, uint64_t now);

/* A file is past, read or not. */
void filter_progress_pass(struct filter_progress *b, const char *file);

/* What there is to see by now. */
void filter_progress_show(struct filter_progress *b, const struct engine *e,
                          uint64_t taken, uint64_t started, uint64_t now);

#endif
