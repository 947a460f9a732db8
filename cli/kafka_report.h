/*
 * kafka_report.h - statistics, metrics, progress and health of freshet kafka
 */
#ifndef KAFKA_REPORT_H
#define KAFKA_REPORT_H

#include "kafka_figures.h"
#include "metrics_server.h"

struct kafka_report {
    int stats;                     /* STATS_NONE, STATS_TEXT or STATS_JSON */
    const char *stats_output;      /* NULL: stderr */
    const char *metrics;           /* NULL: none */
    struct metrics_server *server; /* NULL: none */
    bool progress;                 /* --progress is given, and stderr is a
                                      terminal */
    uint64_t checkpoint;           /* nanoseconds between two */

    bool trouble;     /* something could not be written */
    uint64_t started; /* by clock_now(), and so are the others: */
    uint64_t metrics_due, progress_due;
    uint64_t check_at; /* next inspection of the filters */
    uint64_t moved_at; /* messages were decided, or none waited */
    double done;       /* messages decided or remembered, then */
    struct kafka_snapshot snapshot;
};

/* Writes what is due; to be called between messages. */
void kafka_report_tick(struct kafka_report *r, const struct kafka *k);

/* Writes the final figures. */
void kafka_report_end(struct kafka_report *r, const struct kafka *k);

#endif
