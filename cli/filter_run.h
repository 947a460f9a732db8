/*
 * filter_run.h - a run of the filter over files: its clock, its signals, its
 * state
 */
#ifndef FILTER_RUN_H
#define FILTER_RUN_H

#include "engine.h"
#include "filter_progress.h"
#include "prometheus_file.h"
#include "source_file.h"
#include "state.h"
#include "stats_file.h"

/* Times of clock_now(), and other thresholds. */
struct filter_run_times {
    uint64_t started;
    uint64_t look_at; /* new records at which to check for a full filter */
    uint64_t checkpoint_at;
    uint64_t rest_at;     /* time by which other work is due */
    uint64_t saved_bytes; /* bytes read when the last checkpoint began */
};

struct filter_run {
    struct extractor extractor;
    struct output output;
    struct engine_config config; /* with pointers to the other members */
    struct source *source;
    struct engine *engine;
    freshet *filter;     /* the filter that decides, or NULL if it is remote */
    freshet *repeated;   /* for OUTPUT_FIRST_REPEATS; else NULL */
    struct audit *audit; /* NULL if not asked for */
    bool timed;          /* the filter has a window of arrival time */
    struct state state;
    uint64_t every; /* nanoseconds between checkpoints; 0: none */
    struct prometheus_file metrics;
    struct filter_progress bar;
    uint64_t planned_input;       /* bytes that memory is planned for, or 0 */
    const char *memory_from;      /* why the filter has its size, or NULL */
    int stats;                    /* one of STATS_ */
    struct stats_file stats_file; /* where statistics go if not to stderr */
    bool check;                   /* exit with status 1 if there are repeats */

    struct filter_run_times times;
    bool warned;
    bool trouble; /* an error was reported, but the run went on */
    bool lost;    /* decided, but not written: not to be remembered */
};

/* Runs over all files; if there are none, standard input is read.  Returns the
   status to exit with. */
int filter_run_files(struct filter_run *job, int n, char **files);

#endif
