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

/* Times by clock_now(), and other thresholds. */
struct filter_run_times {
    uint64_t started;
    uint64_t look_at; /* new records at which to look for a full filter */
    uint64_t checkpoint_at;
    uint64_t rest_at;     /* when there is something else to do at the latest */
    uint64_t saved_bytes; /* read when the last checkpoint was begun */
};

struct filter_run {
    struct extractor extractor;
    struct output output;
    struct engine_config config; /* pointers lead to the other members */
    struct source *source;
    struct engine *engine;
    freshet *filter;     /* that decides, if it is here; else NULL */
    freshet *repeated;   /* for OUTPUT_FIRST_REPEATS; else NULL */
    struct audit *audit; /* NULL if nobody asked */
    bool timed;          /* the filter goes by the clock */
    struct state state;
    uint64_t every; /* nanoseconds between checkpoints; 0: none */
    struct prometheus_file metrics;
    struct filter_progress bar;
    uint64_t planned_input;       /* bytes that memory is planned for, or 0 */
    const char *memory_from;      /* why the filter has its size, or NULL */
    int stats;                    /* STATS_ */
    struct stats_file stats_file; /* if not to stderr */
    bool check;                   /* repeats are status 1 */

    struct filter_run_times times;
    bool warned;
    bool trouble; /* there was some, but the run went on */
    bool lost;    /* decided, but not written: not to be remembered */
};

/* Run over all files; none is standard input.  Returns the status to exit
   with. */
int filter_run_files(struct filter_run *job, int n, char **files);

#endif
