/*
 * filter_progress.h - the progress of a run: --progress
 *
 * Bytes of the total, per cent and time left are shown if all inputs are
 * regular files; speed, records per second and the share of new records are
 * always shown.
 */
#ifndef FILTER_PROGRESS_H
#define FILTER_PROGRESS_H

#include "engine.h"

struct filter_progress {
    bool wanted;    /* --progress is given, and it is visible on a terminal */
    uint64_t total; /* bytes of all files as stored; 0: not known */
    uint64_t past;  /* bytes of the files before the current one */
    uint64_t due;   /* time of the next update, by clock_now() */
};

/* Begins a run over these files.  Nothing is shown unless stderr is a terminal,
   nor if records are written to a terminal: both would be mixed up. */
void filter_progress_begin(struct filter_progress *b, const struct output *o,
                           int n, char **files, uint64_t now);

/* Counts a file as done, whether it was read or not. */
void filter_progress_pass(struct filter_progress *b, const char *file);

/* Shows the progress so far. */
void filter_progress_show(struct filter_progress *b, const struct engine *e,
                          uint64_t taken, uint64_t started, uint64_t now);

#endif
