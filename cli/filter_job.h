/*
 * filter_job.h - the parts of a run of the filter
 */
#ifndef FILTER_JOB_H
#define FILTER_JOB_H

#include "engine.h"
#include "filter_metrics.h"
#include "filter_progress.h"
#include "source_file.h"
#include "state.h"
#include "stats_file.h"

/* Times of clock_now(), and other thresholds. */
struct filter_run_times {
    uint64_t started;
    uint64_t
        check_at; /* number of new records at which a full filter is checked
                         for */
    uint64_t checkpoint_at;
    uint64_t rest_at;     /* time at which other work is due */
    uint64_t saved_bytes; /* bytes read when the last checkpoint began */
};

/* The reports on the run and their places. */
struct filter_reports {
    int stats;                    /* one of STATS_ */
    struct stats_file stats_file; /* place of statistics, if not stderr */
    struct filter_metrics metrics;
    struct filter_progress bar;
};

struct filter_job {
    struct extractor extractor;
    struct output output;
    struct engine_config config; /* with pointers to the other members */
    struct source *source;
    struct engine *engine;
    freshet *filter;     /* the filter that decides, or NULL if it is remote */
    freshet *repeated;   /* for OUTPUT_FIRST_REPEATS; else NULL */
    struct audit *audit; /* NULL if there is no --audit */
    bool timed;          /* the filter has a window of arrival time */
    struct state state;
    uint64_t every; /* nanoseconds between checkpoints; 0: none */
    struct filter_reports reports;
    uint64_t planned_input;  /* input bytes that memory was planned for, or 0 */
    const char *memory_from; /* reason for the filter's size, or NULL */
    bool check;              /* exit with status 1 if there are repeats */

    struct filter_run_times times;
    bool warned;
    bool trouble; /* an error was reported, but the run went on */
    bool lost;    /* decided, but not written: not to be remembered */
};

#endif
